/** Strings: whether one can meet lengths, patterns, formats and exceptions, and which one. */
import { FORMAT_LENGTHS, FORMAT_SAMPLES, fitsFormat } from '../../json-schema/formats.ts'
import { matchesPattern, matchLengths, sampleTexts } from '../../json-schema/pattern.ts'
import type { Atom } from '../formula/formula.ts'
import { foundValue, NO_VALUE, type SearchResult, unknownResult } from './search-result.ts'

class Rules {
  least = 0
  most = Number.POSITIVE_INFINITY
  /** patterns and formats, each with its kind as a prefix */
  readonly kept = new Set<string>()
  readonly broken = new Set<string>()
  readonly excluded = new Set<string>()
}

export function decideString(atoms: readonly Atom[]): SearchResult {
  const rules = gathered(atoms)
  const { least, most, kept, broken } = rules
  if (least > most || [...kept].some((rule) => broken.has(rule))) return NO_VALUE
  // The empty string is the only candidate.
  if (most === 0) return isAllowed('', rules) ? foundValue('') : NO_VALUE
  for (const text of candidates(rules)) if (isAllowed(text, rules)) return foundValue(text)
  return unknownResult(unsure(rules))
}

function isAllowed(text: string, { least, most, kept, broken, excluded }: Rules): boolean {
  const size = [...text].length
  if (size < least || size > most || excluded.has(text)) return false
  return (
    [...kept].every((rule) => holds(rule, text) === true) && [...broken].every((rule) => holds(rule, text) === false)
  )
}

function holds(rule: string, text: string): boolean | undefined {
  const [kind, name] = parsedRule(rule)
  return kind === 'pattern' ? matchesPattern(name, text) : fitsFormat(name, text)
}

const parsedRule = (rule: string): [kind: string, name: string] => rule.split(/ (.*)/s) as [string, string]

function gathered(atoms: readonly Atom[]): Rules {
  const rules = new Rules()
  for (const one of atoms) {
    if (one.is === 'least') within(rules, [one.size, Number.POSITIVE_INFINITY])
    else if (one.is === 'most') within(rules, [0, one.size])
    else if (one.is === 'values' && !one.holds) for (const value of one.values) rules.excluded.add(value as string)
    else if (one.is === 'pattern' || one.is === 'format') addRule(rules, one)
  }
  return rules
}

function within(rules: Rules, [least, most]: readonly [number, number]): void {
  rules.least = Math.max(rules.least, least)
  rules.most = Math.min(rules.most, most)
}

function addRule(rules: Rules, one: Atom & { is: 'pattern' | 'format' }): void {
  const rule = one.is === 'pattern' ? `pattern ${one.pattern}` : `format ${one.format}`
  ;(one.holds ? rules.kept : rules.broken).add(rule)
  const lengths = one.is === 'pattern' ? matchLengths(one.pattern) : FORMAT_LENGTHS[one.format]
  if (one.holds && lengths !== undefined) within(rules, lengths)
}

function unsure({ kept, broken, least, most }: Rules): string {
  const sizes = [...(least > 0 ? [`at least ${least} characters`] : []), ...(most < 1e9 ? [`at most ${most}`] : [])]
  const wanted = [...kept, ...sizes].join(' and ') || 'any text'
  if (broken.size === 0) return `no text was found for ${wanted}`
  return `it cannot be decided whether ${wanted} always means ${[...broken].join(' or ')}`
}

const MAX_LENGTH = 1_000
const ORDINARY = ['a', '', 'A', '0', ' ', 'é', 'key', 'a-b', '\n', '😀', 'a b', '-', '_', '~', '\u0001', '.', '/']

function* candidates(rules: Rules): Generator<string> {
  const named = [...rules.kept, ...rules.broken].map(parsedRule)
  const bases = new Set<string>()
  for (const [kind, name] of named)
    for (const text of kind === 'pattern' ? sampleTexts(name) : (FORMAT_SAMPLES[name] ?? [])) bases.add(text)
  for (const text of ORDINARY) bases.add(text)
  if (rules.kept.size === 0) yield* sized(['a', 'A', '0', ' ', 'é', '😀'], rules)
  for (const base of bases) yield* fitted(base, rules)
  // One more than there are exceptions.
  if (rules.excluded.size > 0) for (let turn = 0; turn <= rules.excluded.size; turn++) yield* fitted(`a${turn}`, rules)
}

function* sized(characters: readonly string[], { least, most }: Rules): Generator<string> {
  const sizes = new Set(
    [1, least, least + 1, most].filter((size) => size >= least && size <= most && size <= MAX_LENGTH),
  )
  for (const character of characters) for (const size of sizes) yield character.repeat(size)
}

/** The text, lengthened or shortened if needed. */
function* fitted(text: string, { least, most }: Rules): Generator<string> {
  const characters = [...text]
  if (characters.length >= least && characters.length <= most) yield text
  if (least > MAX_LENGTH) return
  if (characters.length < least) {
    const last = characters.at(-1) ?? 'a'
    yield text + last.repeat(least - characters.length)
    yield text.padStart(least, characters[0] ?? 'a')
    yield text.padEnd(least, 'a')
  }
  if (characters.length > most) yield characters.slice(0, most).join('')
  if (most < MAX_LENGTH && characters.length < most)
    yield text + (characters.at(-1) ?? 'a').repeat(most - characters.length)
}
