/** Pages of a list. A cursor names the last key, so the list may change between two pages. */
import { invalidParams } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'

export interface Page<T> {
  items: readonly T[]
  nextCursor: string | undefined
}

/** `items` must be sorted by key. */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  params: Params | undefined,
  size: number,
): Page<T> {
  const after = readCursor(params?.cursor)
  const start = after === undefined ? 0 : firstAfter(items, keyOf, after)
  const end = start + size
  const last = items[end - 1]
  const more = end < items.length && last !== undefined
  return { items: items.slice(start, end), nextCursor: more ? writeCursor(keyOf(last)) : undefined }
}

function firstAfter<T>(items: readonly T[], keyOf: (item: T) => string, after: string): number {
  const index = items.findIndex((item) => keyOf(item) > after)
  return index === -1 ? items.length : index
}

const PREFIX = 'after:'
export const writeCursor = (key: string): string => Buffer.from(PREFIX + key).toString('base64url')

export function readCursor(cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  if (!text.startsWith(PREFIX)) throw invalidParams('The cursor was not issued by this server.')
  return text.slice(PREFIX.length)
}
