/**
 * One check of one value against a compiled schema. It counts its steps, so that no schema and no value can take longer than a bound;
 * it stops collecting at a number of issues; and it records which members were evaluated, where `unevaluatedProperties` or
 * `unevaluatedItems` need that.
 */
import type { ConstraintParams } from '../constraint.ts'
import { type FoundIssue, MAX_ISSUES } from '../issue.ts'
import { MAX_VALUE_DEPTH } from './limits.ts'

/** Whether a value fits. A failure is reported to the evaluation. */
export type Check = (value: unknown, run: Evaluation) => boolean

/** Thrown if a check takes more steps than it may, or the value is nested too deeply. */
export class TooMuchWork extends Error {}

/** The members of one value that were evaluated so far. */
export class EvaluatedMembers {
  readonly names = new Set<string>()
  readonly indexes = new Set<number>()
  /** the first items */
  items = 0
  hasAllNames = false
  hasAllItems = false

  /** how many `add` looks at */
  get size(): number {
    return this.names.size + this.indexes.size
  }

  add(other: EvaluatedMembers): void {
    for (const name of other.names) this.names.add(name)
    for (const index of other.indexes) this.indexes.add(index)
    this.items = Math.max(this.items, other.items)
    this.hasAllNames ||= other.hasAllNames
    this.hasAllItems ||= other.hasAllItems
  }
}

export class Evaluation {
  readonly issues: FoundIssue[] = []
  readonly path: PropertyKey[] = []
  /** members of the value at hand; undefined if nobody asks */
  evaluated: EvaluatedMembers | undefined = undefined
  readonly #mayFill: boolean
  readonly #steps: number
  #stepsLeft: number
  #quiet = 0
  #alternatives = 0
  #depth = 0

  constructor(steps: number, mayFill = false) {
    this.#steps = steps
    this.#stepsLeft = steps
    this.#mayFill = mayFill
  }

  /** Whether the value at hand must fit. An alternative or a condition may not hold, so its defaults do not count. */
  get isCertain(): boolean {
    return this.#quiet === 0 && this.#alternatives === 0
  }

  /** Whether defaults may be written into the value. */
  get fills(): boolean {
    return this.#mayFill && this.isCertain
  }

  /** Nothing more is to be learned after a failure. */
  get stopsAtFailure(): boolean {
    return this.#quiet > 0 || this.issues.length >= MAX_ISSUES
  }

  get stepsTaken(): number {
    return this.#steps - this.#stepsLeft
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0) throw new TooMuchWork('takes too long to check')
  }

  enter(): void {
    this.spend(1)
    if (++this.#depth > MAX_VALUE_DEPTH) throw new TooMuchWork('is nested too deeply')
  }

  leave(): void {
    this.#depth--
  }

  fail(keyword: string, params: ConstraintParams = {}): false {
    this.report(keyword, params)
    return false
  }

  /** `member`: the issue is about this member of the value at hand, which it has or lacks. */
  report(keyword: string, params: ConstraintParams, member?: string): void {
    if (this.#quiet > 0 || this.issues.length >= MAX_ISSUES) return
    const path = member === undefined ? [...this.path] : [...this.path, member]
    this.issues.push({ path, keyword, params })
  }

  /** Checks a member of the value at hand. */
  member(check: Check, value: unknown, key: PropertyKey): boolean {
    const before = this.evaluated
    this.evaluated = undefined
    this.path.push(key)
    const fits = check(value, this)
    this.path.pop()
    this.evaluated = before
    return fits
  }

  /** Checks the value at hand against another schema. What a failed one evaluated does not count. */
  branch(check: Check, value: unknown): boolean {
    return this.evaluated === undefined ? check(value, this) : this.apart(check, value)
  }

  /** The same with a new record of what is evaluated. */
  apart(check: Check, value: unknown): boolean {
    const outer = this.evaluated
    const inner = new EvaluatedMembers()
    this.evaluated = inner
    const fits = check(value, this)
    if (fits && outer !== undefined) {
      this.spend(inner.size)
      outer.add(inner)
    }
    this.evaluated = outer
    return fits
  }

  /** One of several branches, of which not all have to fit. */
  alternative(check: Check, value: unknown): boolean {
    this.#alternatives++
    const fits = this.branch(check, value)
    this.#alternatives--
    return fits
  }

  /** A branch without issues. */
  quietly(check: Check, value: unknown): boolean {
    this.#quiet++
    const fits = this.branch(check, value)
    this.#quiet--
    return fits
  }

  /** A member, without issues. */
  memberQuietly(check: Check, value: unknown, key: PropertyKey): boolean {
    this.#quiet++
    const fits = this.member(check, value, key)
    this.#quiet--
    return fits
  }
}
