/**
 * Finds the category or niche somebody means: by its name, whatever the case, or by a part of it that fits only one. What fits
 * nothing is an error that names the nearest ones.
 */
import { ToolError } from 'myrmex'
import { singular } from 'myrmex/english'
import type { Marketplace } from '../../ports.ts'
import { nearestNames } from '../nearest.ts'

const MOST_NEAREST = 4

export interface MarketSegment {
  readonly kind: 'category' | 'niche'
  readonly name: string
  /** the category it is or lies in */
  readonly category: string
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export async function marketSegments(marketplace: Marketplace): Promise<readonly MarketSegment[]> {
  const all = await marketplace.categories()
  return [
    ...all.map(({ category }): MarketSegment => ({ kind: 'category', name: category, category })),
    ...all.flatMap(({ category, niches }) => niches.map((name): MarketSegment => ({ kind: 'niche', name, category }))),
  ]
}

/** Categories come before niches of the same name in `all`, and so in what is found. */
export function findSegment(wanted: string, all: readonly MarketSegment[], errorType: string): MarketSegment {
  const name = plain(wanted)
  const exact = all.find((place) => plain(place.name) === name)
  if (exact !== undefined) return exact
  // "coffee makers" means Coffee as much as "decor" means Home Decor: every word of the shorter stands in the longer.
  const partly = name === '' ? [] : all.filter((place) => within(name, plain(place.name)))
  if (partly.length === 1 && partly[0] !== undefined) return partly[0]
  const nearest = nearestNames(
    name,
    (partly.length > 0 ? partly : all).map((place) => place.name),
    MOST_NEAREST,
    true,
  )
  const what = partly.length > 0 ? 'could be several' : 'is none that the marketplace has'
  throw new ToolError(
    errorType,
    `${JSON.stringify(clipped(wanted))} ${what}. Nearest: ${nearest.map((near) => JSON.stringify(near)).join(', ')}.`,
    { wanted: clipped(wanted), nearest },
  )
}

const clipped = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text)

function within(a: string, b: string): boolean {
  const [shorter, longer] = [a.split(' '), b.split(' ')].sort((x, y) => x.length - y.length) as [string[], string[]]
  return shorter.every((word) => longer.some((other) => singular(other) === singular(word)))
}
