/**
 * Random numbers. Dice are identified by (seed, day, subject, purpose) alone, and the same identity always gives the same numbers. Rolling
 * more, fewer or other dice elsewhere never changes them.
 */

import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import { cached } from '../cached.ts'

/** Numbers from 0 (included) to 1 (excluded). */
export type Dice = () => number

/** A 32-bit hash of a text (FNV-1a). */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash | 0
}

/** The finalizer of MurmurHash3: every input bit affects every output bit. */
const stir = (value: number): number => {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

const purposeHashes = new Map<string, number>()

/** `day` is a day number, or 0 for what does not depend on the day. `subject` is a text or its hash. */
export const diceFor = (seed: number, day: number, subject: string | number, purpose: string): Dice => {
  const what = typeof subject === 'number' ? subject : hashText(subject)
  const why = cached(purposeHashes, purpose, hashText)
  const a = stir(seed ^ 0x9e3779b9)
  const b = stir(a ^ day ^ 0x3c6ef372)
  const c = stir(b ^ what)
  const d = stir(c ^ why ^ 0x78dde6e4)
  const rng = xoroshiro128plusFromState([d, stir(d + c), stir(c + why), stir(b + d) | 1])
  rng.next()
  return () => uniformFloat64(rng)
}

export const between = (dice: Dice, low: number, high: number): number => low + (high - low) * dice()

/** A whole number from low to high, both included. */
export const integerBetween = (dice: Dice, low: number, high: number): number =>
  low + Math.floor(dice() * (high - low + 1))

export const chance = (dice: Dice, probability: number): boolean => dice() < probability

export const pick = <T>(dice: Dice, from: readonly T[]): T => {
  const found = from[Math.floor(dice() * from.length)]
  if (found === undefined) throw new Error('Cannot pick from an empty list.')
  return found
}

/** One of the items, each as likely as its share. */
export const pickByShare = <T extends { readonly share: number }>(dice: Dice, from: readonly [T, ...T[]]): T => {
  let left = dice()
  for (const one of from) {
    left -= one.share
    if (left < 0) return one
  }
  return from[0]
}

/** Several different items, in the order drawn. */
export const pickSome = <T>(dice: Dice, from: readonly T[], count: number): T[] => {
  const left = [...from]
  const taken: T[] = []
  while (taken.length < count && left.length > 0) taken.push(...left.splice(Math.floor(dice() * left.length), 1))
  return taken
}

/** Standard normal (Box and Muller). The second number is discarded, so that each call rolls exactly two dice. */
export const normal = (dice: Dice): number => Math.sqrt(-2 * Math.log(1 - dice())) * Math.cos(2 * Math.PI * dice())

export const lognormal = (dice: Dice, median: number, sigma: number): number => median * Math.exp(sigma * normal(dice))

/** Gamma with mean shape x scale (Marsaglia and Tsang 2000). */
export const gamma = (dice: Dice, shape: number, scale: number): number => {
  if (shape < 1) return gamma(dice, shape + 1, scale) * (1 - dice()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(dice)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - dice()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v * scale
  }
}

export const beta = (dice: Dice, a: number, b: number): number => {
  const x = gamma(dice, a, 1)
  return x / (x + gamma(dice, b, 1))
}

/** Knuth's product of uniforms for small means. Above 30 a rounded normal, which is nearly the same. */
export const poisson = (dice: Dice, mean: number): number => {
  if (mean <= 0) return 0
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(dice)))
  const limit = Math.exp(-mean)
  let product = dice()
  let count = 0
  while (product > limit) {
    product *= dice()
    count++
  }
  return count
}

/** Poisson whose mean itself varies (gamma): variance mean + mean^2 / evenness. */
export const negativeBinomial = (dice: Dice, mean: number, evenness: number): number =>
  mean <= 0 ? 0 : poisson(dice, gamma(dice, evenness, mean / evenness))

/** How many of `tries` succeed. */
export const binomial = (dice: Dice, tries: number, probability: number): number => {
  let count = 0
  for (let i = 0; i < tries; i++) if (dice() < probability) count++
  return count
}
