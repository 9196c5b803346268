/**
 * Searches for a value that meets a goal: some schemas must accept it, others must reject it. "Empty" is a proof that there is
 * none. A goal that comes up again inside itself counts as empty there, because the smallest value that meets it would contain
 * a smaller one.
 */
import type { Json } from '../../../protocol/json.ts'
import { sameJson } from '../../json-schema/kinds.ts'
import type { Evaluator } from '../evaluate.ts'
import { type Atom, literalFormula, TYPES, type Type } from '../formula/formula.ts'
import { type Literal, literal, type SchemaInterner } from '../formula/interned-schema.ts'
import { decideArray } from './array.ts'
import { GoalMemory } from './goal-memory.ts'
import { decideNumber } from './number.ts'
import { decideObject } from './object.ts'
import { foundValue, NO_VALUE, type SearchResult, unknownResult } from './search-result.ts'
import { decideString } from './string.ts'
import { type Choice, Tableau } from './tableau.ts'
import type { WorkLimit } from './work-limit.ts'

/** Confirms a value for the whole goal. If it returns false, the search continues. */
type Confirm = ((value: Json) => boolean) | undefined

/** Attempts with larger values. */
const LARGER = 5

export class Search {
  readonly text: Literal
  readonly #nodes: SchemaInterner
  readonly #evaluator: Evaluator
  readonly #work: WorkLimit
  readonly #memory = new GoalMemory()

  constructor(nodes: SchemaInterner, evaluator: Evaluator, work: WorkLimit) {
    this.#nodes = nodes
    this.#evaluator = evaluator
    this.#work = work
    this.text = literal(nodes.internNew({ type: 'string' }))
  }

  /** A literal that rejects these values. */
  noneOf(values: readonly Json[]): Literal {
    return values.length === 0
      ? literal(this.#nodes.anything)
      : literal(this.#nodes.internNew({ enum: [...values] }), false)
  }

  /** A literal for strings that match the pattern, or do not. */
  matching(pattern: string, holds: boolean): Literal {
    return literal(this.#nodes.internNew({ pattern }), holds)
  }

  holds(one: Literal, value: Json): boolean | undefined {
    return this.#evaluator.holds(one, value)
  }

  /** All literals of the goal apply to the same value, which is a part of the one that is searched for. */
  find(goal: readonly Literal[]): SearchResult {
    const literals = this.#simplified(goal)
    if (literals === undefined) return NO_VALUE
    if (literals.length === 0) return foundValue(null)
    const key = literals.map(({ node, holds }) => (holds ? node.id : `-${node.id}`)).join()
    return this.#memory.recall(key) ?? this.#memory.keep(key, () => this.prove(literals))
  }

  prove(literals: readonly Literal[], confirm?: Confirm): SearchResult {
    this.#work.spend()
    const few = this.allValues(literals)
    if (few !== undefined) {
      const value = confirm === undefined ? few[0] : few.find(confirm)
      return value !== undefined
        ? foundValue(value)
        : few.length === 0
          ? NO_VALUE
          : unknownResult('the validator disagrees')
    }
    return firstFound(TYPES, (type) => {
      const tableau = new Tableau(this.#nodes, type)
      const isPossible = literals.every(({ node, holds }) => tableau.assert(literalFormula(node, holds)))
      return isPossible ? this.#explore(tableau, literals, confirm) : NO_VALUE
    })
  }

  /** All possible values, if a schema that must accept them lists them. */
  allValues(goal: readonly Literal[]): readonly Json[] | undefined {
    for (const { node, holds } of goal) {
      if (!holds || typeof node.schema === 'boolean') continue
      const { enum: list, const: only, type } = node.schema
      const values =
        list ??
        (only !== undefined ? [only] : type === 'boolean' ? [true, false] : type === 'null' ? [null] : undefined)
      if (values === undefined) continue
      const verdicts = (values as Json[]).map((value) => this.#evaluator.all(goal, value))
      // Nullable adds a value to the type, and a keyword that is not interpreted may reject any.
      if (verdicts.includes(undefined) || (list === undefined && only === undefined && node.schema.nullable === true))
        continue
      return (values as Json[]).filter((_, index) => verdicts[index])
    }
    return undefined
  }

  /** The goal without trivial parts, sorted; undefined if it contradicts itself. */
  #simplified(goal: readonly Literal[]): Literal[] | undefined {
    const signs = new Map<number, Literal>()
    for (const one of goal) {
      if (typeof one.node.schema === 'boolean') {
        if (one.node.schema !== one.holds) return undefined
        continue
      }
      const known = signs.get(one.node.id)
      if (known !== undefined && known.holds !== one.holds) return undefined
      signs.set(one.node.id, one)
    }
    return [...signs.values()].sort((a, b) => a.node.id - b.node.id)
  }

  #explore(tableau: Tableau, literals: readonly Literal[], confirm: Confirm): SearchResult {
    this.#work.spend()
    if (!this.#settled(tableau)) return NO_VALUE
    const choice = picked(tableau.choices)
    if (choice === undefined) return this.#leaf(tableau, literals, confirm)
    tableau.choices = tableau.choices.filter((one) => one !== choice)
    return firstFound(choice.parts, (part) => {
      const next = tableau.copy()
      return next.assert(part) ? this.#explore(next, literals, confirm) : NO_VALUE
    })
  }

  /** Removes impossible parts of choices and asserts single remaining ones. Returns false if a choice has none left. */
  #settled(tableau: Tableau): boolean {
    if (this.#decide(tableau, true).kind === 'empty') return false
    for (let changed = true; changed; ) {
      changed = false
      const open = tableau.choices
      tableau.choices = []
      for (const choice of open) {
        const parts = choice.parts.filter((part) => {
          this.#work.spend()
          const next = tableau.copy()
          return next.assert(part) && this.#decide(next, true).kind !== 'empty'
        })
        if (parts.length === 0) return false
        if (parts.length > 1) tableau.choices.push({ ...choice, parts })
        else {
          if (!tableau.assert(parts[0] as Choice)) return false
          changed = true
        }
      }
    }
    return this.#decide(tableau, true).kind !== 'empty'
  }

  #leaf(tableau: Tableau, literals: readonly Literal[], confirm: Confirm): SearchResult {
    const answer = this.#decide(tableau, false)
    if (answer.kind !== 'some') return answer
    const verdict = this.#evaluator.all(literals, answer.value)
    const isFound = confirm === undefined ? verdict === true : verdict !== false && confirm(answer.value)
    if (isFound) return answer
    if (verdict === true) return unknownResult('the validator disagrees')
    if (verdict === undefined) return unknownResult(tableau.opaque ?? NOT_UNDERSTOOD, answer.value)
    return unknownResult(tableau.opaque ?? 'the rules are too entangled to find a value that shows the difference')
  }

  /** `probe`: look for contradictions only. */
  #decide(tableau: Tableau, probe: boolean): SearchResult {
    this.#work.spend()
    const { atoms, type } = tableau
    const plain = atoms.filter((one) => one.is !== 'opaque')
    const listed = valuesOf(type, plain)
    if (listed !== undefined) return this.#among(listed, tableau)
    if (type === 'number') return decideNumber(plain)
    if (type === 'string') return decideString(plain)
    return this.#sized(plain, type === 'array' ? decideArray : decideObject, probe)
  }

  /** If the value is excluded, a larger one may not be. */
  #sized(atoms: readonly Atom[], decide: typeof decideArray, probe: boolean): SearchResult {
    const excluded = atoms.flatMap((one) => (one.is === 'values' && !one.holds ? one.values : []))
    let answer = decide(atoms, this, probe)
    for (let more = 0; more < LARGER && answer.kind === 'some'; more++) {
      const { value } = answer
      if (!excluded.some((one) => sameJson(one, value))) return answer
      const size = Object.keys(value as object).length
      const larger = decide([...atoms, { is: 'least', size: size + 1 }], this, probe)
      // There is only one empty array and one empty object.
      if (larger.kind === 'empty')
        return size === 0 ? NO_VALUE : unknownResult('other values than those excluded were not found')
      answer = larger
    }
    return answer
  }

  #among(values: readonly Json[], tableau: Tableau): SearchResult {
    let guess: Json | undefined
    for (const value of values) {
      const verdict = this.#evaluator.all(tableau.literals, value)
      if (verdict === true) return foundValue(value)
      if (verdict === undefined) guess = value
    }
    return guess === undefined ? NO_VALUE : unknownResult(tableau.opaque ?? NOT_UNDERSTOOD, guess)
  }
}

/** The first value that one of the attempts finds. Without one, the result is unknown if an attempt is; a guess is preferred. */
function firstFound<T>(attempts: readonly T[], search: (attempt: T) => SearchResult): SearchResult {
  let doubt: SearchResult | undefined
  for (const attempt of attempts) {
    const answer = search(attempt)
    if (answer.kind === 'some') return answer
    if (answer.kind === 'unknown' && (doubt === undefined || answer.value !== undefined)) doubt = answer
  }
  return doubt ?? NO_VALUE
}

const NOT_UNDERSTOOD = 'a keyword in it is not interpreted'

function valuesOf(type: Type, atoms: readonly Atom[]): readonly Json[] | undefined {
  if (type === 'null') return [null]
  if (type === 'boolean') return [true, false]
  return atoms.find((one): one is Atom & { is: 'values' } => one.is === 'values' && one.holds)?.values
}

/** Choices of schemas that must accept come first, then the smallest. */
function picked(choices: readonly Choice[]): Choice | undefined {
  return choices.toSorted((a, b) => Number(b.told) - Number(a.told) || a.parts.length - b.parts.length)[0]
}
