/** Pages of a list. A cursor names the last key, so the list may change between two pages. */
import { invalidParams } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'

export interface Page<T> {
  items: readonly T[]
  nextCursor: string | undefined
}

/** `items` must be sorted by key. */
export function page<T extends object>(
  items: readonly T[],
  keyOf: (item: T) => string,
  params: Params | undefined,
  size: number,
): Page<T> {
  const after = readCursor(params?.cursor)
  const rest = after === undefined ? items : items.filter((item) => keyOf(item) > after)
  const last = rest.length > size ? rest[size - 1] : undefined
  return { items: rest.slice(0, size), nextCursor: last && writeCursor(keyOf(last)) }
}

const PREFIX = 'after:'
export const writeCursor = (key: string): string => Buffer.from(PREFIX + key).toString('base64url')

export function readCursor(cursor: unknown): string | undefined {
  if (cursor === undefined) return undefined
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  if (!text.startsWith(PREFIX)) throw invalidParams('The cursor was not issued by this server.')
  return text.slice(PREFIX.length)
}
