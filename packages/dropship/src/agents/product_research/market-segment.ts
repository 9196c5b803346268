/**
 * Finds a category or niche by name, ignoring case, or by a part of the name that fits only one. An unknown name is an error that
 * lists the nearest ones.
 */

import { ToolError } from 'myrmex'
import { singular } from 'myrmex/english'
import { clip } from 'myrmex/text'
import type { Marketplace } from '../../ports.ts'
import { nearestNames } from '../nearest.ts'

const MAX_NEAREST = 4
const MAX_CATEGORIES = 8
const MAX_LENGTH = 80

export interface MarketSegment {
  readonly kind: 'category' | 'niche'
  readonly name: string
  /** the category that it is, or is part of */
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

/** The first match in `all` wins. */
export function findSegment(wanted: string, all: readonly MarketSegment[], errorType: string): MarketSegment {
  const name = plain(wanted)
  const exact = all.find((segment) => plain(segment.name) === name)
  if (exact !== undefined) return exact
  // "coffee makers" finds Coffee and "decor" finds Home Decor: every word of the shorter name is in the longer one.
  const partial = name === '' ? [] : all.filter((segment) => sharesAllWords(name, plain(segment.name)))
  if (partial.length === 1 && partial[0] !== undefined) return partial[0]
  const names = [...new Set((partial.length > 0 ? partial : all).map((segment) => segment.name))]
  const near = partial.length > 0 ? names.slice(0, MAX_NEAREST) : nearestNames(name, names, MAX_NEAREST)
  const what =
    partial.length > 0 ? 'matches several categories or niches' : 'is not a category or niche of the marketplace'
  const categories = all.filter(({ kind }) => kind === 'category').map((segment) => segment.name)
  const [hint, shown] = near.length > 0 ? ['Nearest', near] : ['Its categories', categories.slice(0, MAX_CATEGORIES)]
  throw new ToolError(
    errorType,
    `${JSON.stringify(clip(wanted, MAX_LENGTH))} ${what}. ${hint}: ${shown.map((one) => JSON.stringify(one)).join(', ')}.`,
    { wanted: clip(wanted, MAX_LENGTH), nearest: near },
  )
}

function sharesAllWords(a: string, b: string): boolean {
  const [shorter, longer] = [a.split(' '), b.split(' ')].sort((x, y) => x.length - y.length) as [string[], string[]]
  return shorter.every((word) => longer.some((other) => singular(other) === singular(word)))
}
