/** Objects: whether one can meet rules about members, keys and size, and which one. */

import { isOtherKey } from '../../json-schema/evaluated-properties.ts'
import { matchesPattern } from '../../json-schema/pattern.ts'
import type { Atom, MemberRules, SomeMember } from '../formula/formula.ts'
import { type Literal, literal } from '../formula/interned-schema.ts'
import { buildObject } from './object-build.ts'
import type { Search } from './search.ts'
import {
  ANY_KEY,
  foundValue,
  insideStep,
  NO_VALUE,
  type SearchResult,
  type UnknownResult,
  unknownResult,
} from './search-result.ts'

/** Keys that no rule names, grouped by the patterns they match. */
interface KeyClass {
  readonly matched: ReadonlySet<string>
  /** what the value under such a key must be */
  readonly value: readonly Literal[]
  /** what such a key must be */
  readonly key: readonly Literal[]
}

export interface ObjectRules {
  readonly least: number
  readonly most: number
  readonly required: ReadonlySet<string>
  /** every key that a rule names */
  readonly known: readonly string[]
  /** the rules for the value of a key; undefined if the key is not allowed */
  readonly under: (key: string) => readonly Literal[] | undefined
  readonly wanted: readonly SomeMember[]
  readonly kinds: readonly KeyClass[]
}

const MAX_PATTERNS = 6

export function decideObject(atoms: readonly Atom[], finder: Search, probe: boolean): SearchResult {
  const objects = gathered(atoms, finder)
  if (typeof objects === 'string') return unknownResult(objects)
  const { least, most, required, wanted } = objects
  if (least > most || required.size > most) return NO_VALUE
  let doubt: UnknownResult | undefined
  for (const key of required) {
    const goal = objects.under(key)
    if (goal === undefined) return NO_VALUE
    const answer = finder.find(goal)
    if (answer.kind === 'empty') return NO_VALUE
    if (answer.kind === 'unknown') doubt ??= insideStep(key, answer)
  }
  for (const rule of wanted) {
    const ways = memberOptions(rule, objects, finder)
    if (ways.length === 0) return NO_VALUE
    doubt ??= ways.every(({ doubt: one }) => one !== undefined) ? ways[0]?.doubt : undefined
  }
  if (least > required.size && room(objects, finder) < least) return NO_VALUE
  if (probe) return unknownResult('')
  const built = buildObject(objects, finder)
  return built === undefined ? (doubt ?? unknownResult('no object was found that meets all rules')) : foundValue(built)
}

/** One way to have such a member: under a known key, or under a new one that meets the literals. */
export interface MemberOption {
  readonly key: string | readonly Literal[]
  readonly value: readonly Literal[]
  readonly doubt: UnknownResult | undefined
}

export function memberOptions(rule: SomeMember, objects: ObjectRules, finder: Search): MemberOption[] {
  const full = objects.required.size >= objects.most
  const ways: MemberOption[] = []
  const note = (key: MemberOption['key'], value: readonly Literal[]): void => {
    const answer = finder.find(value)
    if (answer.kind === 'empty') return
    const step = typeof key === 'string' ? key : ANY_KEY
    ways.push({ key, value, doubt: answer.kind === 'unknown' ? insideStep(step, answer) : undefined })
  }
  for (const key of objects.known) {
    const goal = objects.under(key)
    if (goal === undefined || (full && !objects.required.has(key)) || !mayBe(rule, key, finder)) continue
    note(key, [...goal, rule.value])
  }
  if (full) return ways
  for (const kind of objects.kinds) {
    if (rule.matching !== undefined && !kind.matched.has(rule.matching)) continue
    if (rule.outside?.patterns.some((pattern) => kind.matched.has(pattern))) continue
    const key = [...kind.key, ...(rule.key === undefined ? [] : [rule.key])]
    if (finder.find(key).kind !== 'empty') note(key, [...kind.value, rule.value])
  }
  return ways
}

function mayBe({ matching, outside, key: named }: SomeMember, key: string, finder: Search): boolean {
  if (matching !== undefined && matchesPattern(matching, key) === false) return false
  if (outside !== undefined && isOtherKey(outside, key) === false) return false
  return named === undefined || finder.holds(named, key) !== false
}

/** The possible number of members. */
function room({ known, under, kinds }: ObjectRules, finder: Search): number {
  const open = kinds.some((kind) => finder.find(kind.value).kind !== 'empty' && finder.find(kind.key).kind !== 'empty')
  const able = known.filter((key) => {
    const goal = under(key)
    return goal !== undefined && finder.find(goal).kind !== 'empty'
  })
  if (!open) return able.length
  // propertyNames may list the keys.
  const keys = kinds.map((kind) => finder.allValues(kind.key)?.length ?? Number.POSITIVE_INFINITY)
  return able.length + keys.reduce((sum, count) => sum + count, 0)
}

/** The rules for one object; a reason if there are too many to compare. */
function gathered(atoms: readonly Atom[], finder: Search): ObjectRules | string {
  const of = <K extends Atom['is']>(kind: K) => atoms.filter((one): one is Atom & { is: K } => one.is === kind)
  const groups: readonly MemberRules[] = of('members')
  const wanted: readonly SomeMember[] = of('some member')
  const members = of('member')
  const absent = new Set(of('absent').map(({ key }) => key))
  const names = of('keys').map(({ node }) => literal(node))
  const required = new Set(members.map(({ key }) => key))
  const known = new Set([
    ...required,
    ...groups.flatMap((group) => [...group.names.keys()]),
    ...wanted.flatMap(({ outside }) => outside?.names ?? []),
    ...absent,
  ])
  const patterns = new Set([
    ...groups.flatMap((group) => group.patterns.map(([pattern]) => pattern)),
    ...wanted.flatMap(({ matching, outside }) => [
      ...(matching === undefined ? [] : [matching]),
      ...(outside?.patterns ?? []),
    ]),
  ])
  if (patterns.size > MAX_PATTERNS) return `more than ${MAX_PATTERNS} patterns for keys cannot be compared`
  for (const key of known) {
    for (const pattern of patterns) {
      if (matchesPattern(pattern, key) === undefined)
        return `pattern ${pattern} is not tried on the long key ${key.slice(0, 40)}`
    }
  }
  const under = (key: string): Literal[] | undefined => {
    if (absent.has(key) || names.some((name) => finder.holds(name, key) === false)) return undefined
    const literals = groups.flatMap((group) => ofGroup(group, key, (pattern) => matchesPattern(pattern, key) === true))
    return [...literals, ...members.filter((one) => one.key === key).map(({ value }) => value)]
  }
  return {
    least: Math.max(0, ...of('least').map(({ size }) => size)),
    most: Math.min(Number.POSITIVE_INFINITY, ...of('most').map(({ size }) => size)),
    required,
    known: [...known],
    under,
    wanted,
    kinds: kindsOf([...patterns], groups, [finder.text, ...names, finder.noneOf([...known])], finder),
  }
}

function ofGroup(group: MemberRules, key: string | undefined, matches: (pattern: string) => boolean): Literal[] {
  const own = key === undefined ? undefined : group.names.get(key)
  const nodes = group.patterns.filter(([pattern]) => matches(pattern)).map(([, node]) => node)
  if (own !== undefined) nodes.push(own)
  else if (nodes.length === 0 && group.rest !== undefined) nodes.push(group.rest)
  return nodes.map((node) => literal(node))
}

function kindsOf(
  patterns: readonly string[],
  groups: readonly MemberRules[],
  key: readonly Literal[],
  finder: Search,
): KeyClass[] {
  return Array.from({ length: 2 ** patterns.length }, (_, bits) => {
    const matched = new Set(patterns.filter((_, index) => (bits >> index) & 1))
    return {
      matched,
      value: groups.flatMap((group) => ofGroup(group, undefined, (pattern) => matched.has(pattern))),
      key: [...key, ...patterns.map((pattern) => finder.matching(pattern, matched.has(pattern)))],
    }
  })
}
