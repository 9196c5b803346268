/**
 * Patterns as the validator runs them, and texts that match them. A pattern that may take exponential time is tried on short
 * texts only; for others the answer is undefined.
 */
import { type PatternPart, parsePattern } from './pattern-parts.ts'

interface Known {
  readonly test: RegExp
  /** texts longer than this are not tried */
  readonly longest: number
}

const SHORT = 20
const LONG = 1_000
const MAX_KNOWN = 500
const known = new Map<string, Known>()

/** Whether a pattern is found in a text; undefined if that takes too long to find out, or if it is not a valid pattern. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  let entry = known.get(pattern)
  if (entry === undefined) {
    if (known.size >= MAX_KNOWN) known.clear()
    entry = compiled(pattern)
    known.set(pattern, entry)
  }
  return text.length > entry.longest ? undefined : entry.test.test(text)
}

function compiled(pattern: string): Known {
  try {
    return { test: new RegExp(pattern, 'u'), longest: longestFor(pattern) }
  } catch (error) {
    if (error instanceof SyntaxError) return { test: /^/, longest: -1 }
    throw error
  }
}

const WAYS = 2e7

/** The longest text that a pattern certainly handles quickly. */
function longestFor(pattern: string): number {
  // A lookaround tries its own pattern like any group.
  const parts = parsePattern(pattern.replace(/\(\?<?[=!]/g, '(?:'))
  if (parts === undefined || /\\[1-9k]/.test(pattern) || parts.some((part) => isExponential(part))) return SHORT
  const repetitions = repetitionsIn(parts)
  // A text can be split among k repetitions in about n^k / k! ways.
  let longest = LONG
  while (longest > SHORT && waysToShare(longest, repetitions) > WAYS) longest = Math.floor(longest * 0.9)
  return longest
}

function waysToShare(length: number, among: number): number {
  let ways = 1
  for (let index = 1; index <= among && ways <= WAYS; index++) ways *= (length + index) / index
  return ways
}

const isOpen = (part: PatternPart): boolean => part.most > SHORT

function repetitionsIn(parts: readonly PatternPart[]): number {
  let count = 0
  for (const part of parts) {
    if (isOpen(part)) count++
    if (part.kind === 'group') for (const branch of part.branches) count += repetitionsIn(branch)
  }
  return count
}

/** A repetition of a part that can match in several ways: all of them may be tried. */
function isExponential(part: PatternPart): boolean {
  if (part.kind === 'set') return false
  if (isOpen(part) && (part.branches.length > 1 || !part.branches.every((branch) => isCutOneWay(branch)))) return true
  return part.branches.some((branch) => branch.some(isExponential))
}

/** One character occurs in no other part of the branch, so it marks where each repetition ends. */
function isCutOneWay(branch: readonly PatternPart[]): boolean {
  if (!branch.some((part) => part.kind === 'group' || part.least !== part.most)) return true
  return branch.some((mark) => {
    const [character, ...more] = mark.kind === 'set' && mark.least === 1 && mark.most === 1 ? mark.characters : []
    if (character === undefined || more.length > 0) return false
    return branch.every((other) => other === mark || (other.kind === 'set' && !isIn(character, other.source)))
  })
}

function isIn(character: string, source: string): boolean {
  return new RegExp(`^${source}$`, 'u').test(character)
}

/** Escapes of unknown length, and special groups. */
const UNMEASURED = /\\[cuxk1-9]|\(\?(?!:)/

/** The shortest and the longest text that can match a pattern, in characters. */
export function matchLengths(pattern: string): readonly [number, number] {
  const parts = UNMEASURED.test(pattern) ? undefined : parsePattern(pattern)
  if (parts === undefined) return [0, Number.POSITIVE_INFINITY]
  const [least, most] = measured(parts)
  const isWhole = /^\^[^|]*[^|\\]\$$/.test(pattern)
  return [least, isWhole ? most : Number.POSITIVE_INFINITY]
}

function measured(parts: readonly PatternPart[]): [number, number] {
  let [least, most] = [0, 0]
  for (const part of parts) {
    const sizes = part.kind === 'group' ? part.branches.map(measured) : [[1, 1] as const]
    least += part.least * Math.min(...sizes.map(([low]) => low))
    const longest = Math.max(...sizes.map(([, high]) => high))
    most += longest === 0 ? 0 : part.most * longest
  }
  return [least, most]
}

/** Texts that probably match. They must be tested. */
export function sampleTexts(pattern: string): string[] {
  const parts = parsePattern(pattern)
  if (parts === undefined) return []
  const texts = new Set<string>()
  for (let variant = 0; variant < 12; variant++) {
    const text = written(parts, variant, { left: 400 })
    texts.add(text)
    if (variant < 3) for (const padded of [`x${text}`, `${text}x`, `x${text}x`]) texts.add(padded)
  }
  return [...texts]
}

function written(parts: readonly PatternPart[], variant: number, size: { left: number }): string {
  let text = ''
  for (const [index, part] of parts.entries()) {
    const times = Math.min(part.least + (variant % 3), Math.max(part.most, part.least), part.least + 3)
    for (let time = 0; time < times && size.left > 0; time++) {
      size.left--
      const turn = variant + index + time
      if (part.kind === 'set') text += part.characters[turn % part.characters.length] ?? ''
      else text += written(part.branches[variant % part.branches.length] ?? [], variant, size)
    }
  }
  return text
}
