/**
 * Patterns as the validator of foreign schemas runs them, in linear time, and texts that match them. What it does not support, or what
 * takes too many steps, is unknown.
 */
import { ToolError } from '../../protocol/errors.ts'
import { compilePattern, type LinearPattern } from '../../protocol/linear-pattern.ts'
import { type PatternPart, parsePattern } from './pattern-parts.ts'

const MAX_KNOWN = 500
const known = new Map<string, LinearPattern | undefined>()

/** Of one text. A comparison of two schemas may try thousands. */
const MAX_STEPS = 200_000

class TooManySteps extends Error {}

/** Whether a pattern is found in a text; undefined if that takes too long to find out, or if it is not a valid pattern. */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (!known.has(pattern)) {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(pattern, compiled(pattern))
  }
  const entry = known.get(pattern)
  if (entry === undefined || text.length > MAX_STEPS) return undefined
  let steps = 0
  try {
    return entry.matches(text, (visits) => {
      steps += visits
      if (steps > MAX_STEPS) throw new TooManySteps()
    })
  } catch (thrown) {
    if (thrown instanceof TooManySteps) return undefined
    throw thrown
  }
}

function compiled(pattern: string): LinearPattern | undefined {
  try {
    return compilePattern(pattern)
  } catch (thrown) {
    if (thrown instanceof ToolError) return undefined
    throw thrown
  }
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
