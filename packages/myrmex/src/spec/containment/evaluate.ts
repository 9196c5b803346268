/**
 * Whether a schema accepts a value, as our validator sees it, for any part of a schema and without compiling it. Undefined
 * where a rule is not understood. What is reported in the end was asked of the validator itself.
 */
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { fitsFormat } from '../json-schema/formats.ts'
import { matchesPattern } from '../json-schema/pattern.ts'
import {
  type Atom,
  type Formula,
  type ItemRules,
  type MemberRules,
  type SomeMember,
  typeOf,
} from './formula/formula.ts'
import type { InternedSchema, Literal, SchemaInterner } from './formula/interned-schema.ts'
import { formulaOf } from './formula/keywords.ts'
import { isMultiple } from './search/number.ts'
import type { WorkLimit } from './search/work-limit.ts'

export type Truth = boolean | undefined

export class Evaluator {
  readonly #nodes: SchemaInterner
  readonly #work: WorkLimit

  constructor(nodes: SchemaInterner, work: WorkLimit) {
    this.#nodes = nodes
    this.#work = work
  }

  all(literals: readonly Literal[], value: Json): Truth {
    return every(literals, (one) => this.holds(one, value))
  }

  holds({ node, holds }: Literal, value: Json): Truth {
    const accepted = this.accepts(node, value)
    return accepted === undefined ? undefined : accepted === holds
  }

  accepts(node: InternedSchema, value: Json): Truth {
    this.#work.spend()
    return this.#formula(formulaOf(this.#nodes, node, typeOf(value), true), value)
  }

  #formula(formula: Formula, value: Json): Truth {
    if (formula.op === 'literal') return this.holds(formula.literal, value)
    if (formula.op === 'atom') return this.atom(formula.atom, value)
    if (formula.op === 'and') return every(formula.parts, (part) => this.#formula(part, value))
    return some(formula.parts, (part) => this.#formula(part, value))
  }

  atom(atom: Atom, value: Json): Truth {
    switch (atom.is) {
      case 'opaque':
        return undefined
      case 'values':
        return atom.values.some((one) => equal(one, value)) === atom.holds
      case 'least':
        return sizeOf(value) >= atom.size
      case 'most':
        return sizeOf(value) <= atom.size
      case 'pattern':
        return agree(matchesPattern(atom.pattern, value as string), atom.holds)
      case 'format':
        return fitsFormat(atom.format, value as string) === atom.holds
      case 'unique':
        return isUnique(value as Json[]) === atom.holds
      default:
        return typeof value === 'number' ? numeric(atom, value) : this.#inner(atom, value)
    }
  }

  #inner(atom: Atom, value: Json): Truth {
    switch (atom.is) {
      case 'items':
        return this.#items(atom, value as Json[])
      case 'item': {
        const item = (value as Json[])[atom.index]
        return item === undefined ? false : this.holds(atom.item, item)
      }
      case 'some item':
        return some((value as Json[]).slice(atom.from), (item) => this.holds(atom.item, item))
      case 'count':
        return this.#count(atom, value as Json[])
      case 'absent':
        return !Object.hasOwn(value as JsonObject, atom.key)
      case 'member':
        return (
          Object.hasOwn(value as JsonObject, atom.key) &&
          this.holds(atom.value, (value as JsonObject)[atom.key] as Json)
        )
      case 'members':
        return every(Object.entries(value as JsonObject), ([key, item]) => this.#member(atom, key, item as Json))
      case 'some member':
        return some(Object.entries(value as JsonObject), ([key, item]) => this.#isSuch(atom, key, item as Json))
      case 'keys':
        return every(Object.keys(value as JsonObject), (key) => this.accepts(atom.node, key))
      default:
        return undefined
    }
  }

  #items({ prefix, rest }: ItemRules, list: readonly Json[]): Truth {
    return every([...list.entries()], ([index, item]) => {
      const node = prefix[index] ?? rest
      return node === undefined ? true : this.accepts(node, item)
    })
  }

  #count({ node, least, most }: Atom & { is: 'count' }, list: readonly Json[]): Truth {
    const verdicts = list.map((item) => this.accepts(node, item))
    const sure = verdicts.filter((verdict) => verdict === true).length
    const open = verdicts.filter((verdict) => verdict === undefined).length
    if (sure > most || sure + open < least) return false
    return sure >= least && sure + open <= most ? true : undefined
  }

  #member({ names, patterns, rest }: MemberRules, key: string, item: Json): Truth {
    const named = names.get(key)
    const matches = patterns.map(([pattern]) => matchesPattern(pattern, key))
    const own = named === undefined ? true : this.accepts(named, item)
    const matched = every(patterns, ([, node], index) => {
      if (matches[index] === false) return true
      const accepted = this.accepts(node, item)
      return matches[index] === undefined && accepted !== true ? undefined : accepted
    })
    if (named !== undefined || matches.includes(true) || rest === undefined) return both(own, matched)
    const additional = this.accepts(rest, item)
    return both(matched, matches.includes(undefined) && additional !== true ? undefined : additional)
  }

  #isSuch({ matching, outside, key: wanted, value }: SomeMember, key: string, item: Json): Truth {
    const match = matching === undefined ? true : matchesPattern(matching, key)
    const out = outside === undefined ? true : isOutside(outside.names, outside.patterns, key)
    const named = wanted === undefined ? true : this.holds(wanted, key)
    return both(both(match, out), both(named, this.holds(value, item)))
  }
}

export function isOutside(names: readonly string[], patterns: readonly string[], key: string): Truth {
  if (names.includes(key)) return false
  return every(patterns, (pattern) => agree(matchesPattern(pattern, key), false))
}

const agree = (truth: Truth, wanted: boolean): Truth => (truth === undefined ? undefined : truth === wanted)

const both = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === true && b === true ? true : undefined

function every<T>(items: readonly T[], test: (item: T, index: number) => Truth): Truth {
  let truth: Truth = true
  for (const [index, item] of items.entries()) {
    const one = test(item, index)
    if (one === false) return false
    if (one === undefined) truth = undefined
  }
  return truth
}

function some<T>(items: readonly T[], test: (item: T) => Truth): Truth {
  const none = every(items, (item) => agree(test(item), false))
  return none === undefined ? undefined : !none
}

function numeric(atom: Atom, value: number): Truth {
  if (atom.is === 'low') return atom.open ? value > atom.bound : value >= atom.bound
  if (atom.is === 'high') return atom.open ? value < atom.bound : value <= atom.bound
  if (atom.is === 'whole') return Number.isInteger(value) === atom.holds
  return atom.is === 'multiple' ? isMultiple(value, atom.of) === atom.holds : undefined
}

/** Characters of a text are counted as the validator does, a pair of surrogates as one. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return [...value].length
  return Array.isArray(value) ? value.length : Object.keys(value as JsonObject).length
}

export function isUnique(list: readonly Json[]): boolean {
  return list.every((item, index) => !list.slice(0, index).some((other) => equal(item, other)))
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => equal(item, b[index]))
  }
  if (!isObject(a) || !isObject(b) || Array.isArray(a) || Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key] as Json, b[key] as Json))
  )
}
