/**
 * Patterns as the validator runs them, and texts in which they are found. A pattern that may take exponential time is tried on
 * short texts only; for others the answer is undefined.
 */
import { type Part, parsePattern } from './pattern-parts.ts'

interface Known {
  readonly test: RegExp
  readonly isRisky: boolean
}

const SHORT = 20
const LONG = 1_000
const MOST_KNOWN = 500
const known = new Map<string, Known>()

function compiled(pattern: string): Known {
  let entry = known.get(pattern)
  if (entry === undefined) {
    if (known.size >= MOST_KNOWN) known.clear()
    entry = { test: new RegExp(pattern, 'u'), isRisky: isRisky(pattern) }
    known.set(pattern, entry)
  }
  return entry
}

export function found(pattern: string, text: string): boolean | undefined {
  const { test, isRisky } = compiled(pattern)
  return text.length > (isRisky ? SHORT : LONG) ? undefined : test.test(text)
}

/** Repetitions or choices within a repetition, or many in a row: what makes a pattern try the same text in many ways. */
function isRisky(pattern: string): boolean {
  const parts = parsePattern(pattern)
  if (parts === undefined || /\\[1-9k]/.test(pattern)) return true
  return parts.some((part) => risk(part, false)) || (pattern.match(/[*+]|,\}|,\d\d/g)?.length ?? 0) > 3
}

function risk(part: Part, repeated: boolean): boolean {
  const open = part.most > 20
  if (part.kind === 'set') return repeated && open
  if (repeated && (open || part.branches.length > 1)) return true
  return part.branches.some((branch) => branch.some((inner) => risk(inner, repeated || open)))
}

/** Escapes of which the parts do not tell how many characters they stand for, and groups that are more than that. */
const UNMEASURED = /\\[cuxk1-9]|\(\?(?!:)/

/** The shortest and the longest text in which a pattern can be found, in characters. */
export function lengthsOf(pattern: string): readonly [number, number] {
  const parts = UNMEASURED.test(pattern) ? undefined : parsePattern(pattern)
  if (parts === undefined) return [0, Number.POSITIVE_INFINITY]
  const [least, most] = measured(parts)
  const isWhole = /^\^[^|]*[^|\\]\$$/.test(pattern)
  return [least, isWhole ? most : Number.POSITIVE_INFINITY]
}

function measured(parts: readonly Part[]): [number, number] {
  let [least, most] = [0, 0]
  for (const part of parts) {
    const sizes = part.kind === 'group' ? part.branches.map(measured) : [[1, 1] as const]
    least += part.least * Math.min(...sizes.map(([low]) => low))
    const longest = Math.max(...sizes.map(([, high]) => high))
    most += longest === 0 ? 0 : part.most * longest
  }
  return [least, most]
}

/** Texts that are likely to match: not all of them do, so they must be tried. */
export function textsFor(pattern: string): string[] {
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

function written(parts: readonly Part[], variant: number, size: { left: number }): string {
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
