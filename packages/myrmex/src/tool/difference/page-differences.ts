/**
 * What changed in the page of an app, in a few lines that a person can read: the addresses that are new or gone, and the lines that differ.
 * A line may have a whole program in it, so only the place of its first difference is shown.
 */
import { plural } from '../../protocol/text.ts'

const MAX_ADDRESSES = 10
const MAX_LINES = 10
const AROUND = 60
const ADDRESS = /\b(?:https?|wss?):\/\/[^\s"'`<>()\\]{1,300}/gi

export function pageDifferences(before: string, after: string): string[] {
  const [old, now] = [addresses(before), addresses(after)]
  return [
    ...named('new address', now.difference(old)),
    ...named('address gone', old.difference(now)),
    ...lineDifferences(before.split(/\r?\n/), after.split(/\r?\n/)),
  ]
}

/** Without what comes after the machine: a page names many files of the same one. */
const addresses = (text: string): Set<string> =>
  new Set([...text.matchAll(ADDRESS)].map(([address]) => address.split('/', 3).join('/').toLowerCase()))

function named(what: string, found: ReadonlySet<string>): string[] {
  const shown = [...found].slice(0, MAX_ADDRESSES).map((address) => `page: ${what} ${address}`)
  return found.size <= MAX_ADDRESSES ? shown : [...shown, `page: ${found.size - MAX_ADDRESSES} more (${what})`]
}

function lineDifferences(before: readonly string[], after: readonly string[]): string[] {
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least && before[start] === after[start]) start++
  let end = 0
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const shown: string[] = []
  let more = 0
  for (let index = 0; index < Math.max(old.length, now.length); index++) {
    const [was, is] = [old[index], now[index]]
    if (was === is) continue
    if (shown.length < MAX_LINES) shown.push(`page, line ${start + index + 1}: ${change(was, is)}`)
    else more++
  }
  return more === 0 ? shown : [...shown, `page: ${plural(more, 'more line differs', 'more lines differ')}`]
}

function change(was: string | undefined, is: string | undefined): string {
  if (was === undefined) return `added “${clip(is ?? '', 0)}”`
  if (is === undefined) return `removed “${clip(was, 0)}”`
  let at = 0
  while (at < was.length && was[at] === is[at]) at++
  return `“${clip(was, at)}” → “${clip(is, at)}”`
}

/** The text around a place. */
function clip(line: string, at: number): string {
  const start = Math.max(0, at - AROUND)
  const text = line.slice(start, at + AROUND)
  return `${start > 0 ? '…' : ''}${text.trim()}${at + AROUND < line.length ? '…' : ''}`
}
