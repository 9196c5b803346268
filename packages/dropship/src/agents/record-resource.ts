/**
 * The shop's records as resources: `shop://orders/1042`. One template per noun, listed page by page, each record as JSON. Subscribers
 * are notified of every change, whichever process made it.
 */
import { type Resource, resource } from 'myrmex'
import type { Shop, ShopSource } from '../ports.ts'

export interface RecordResource<T> {
  /** plural noun of the URI: orders */
  readonly noun: string
  readonly title: string
  readonly description: string
  readonly id: (record: T) => string
  /** short text for lists */
  readonly name: (record: T) => string
  readonly find: (shop: Shop, id: string) => Promise<T | undefined>
  /** the records after an id, in a stable order; or all records at once, which are then ordered by id */
  readonly page: ((shop: Shop, after: string | undefined, limit: number) => Promise<readonly T[]>) | AllRecords<T>
  /** as readers see it: amounts instead of cents */
  readonly shown: (record: T) => object
}

interface AllRecords<T> {
  readonly all: (shop: Shop) => Promise<readonly T[]>
  /** default: alphabetical */
  readonly compare?: (a: string, b: string) => number
}

const alphabetical = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const recordResource =
  <T>({ noun, title, description, id, name, find, page, shown }: RecordResource<T>) =>
  (source: ShopSource): Resource => {
    const start = `shop://${noun}/`
    const textOf = async (wanted: string): Promise<string | undefined> => {
      const record = await find(await source(), wanted)
      return record === undefined ? undefined : JSON.stringify(shown(record), undefined, 2)
    }
    const pageOf = async (after: string | undefined, limit: number): Promise<readonly T[]> => {
      const shop = await source()
      if (typeof page === 'function') return page(shop, after, limit)
      const { all, compare = alphabetical } = page
      return (await all(shop))
        .toSorted((a, b) => compare(id(a), id(b)))
        .filter((one) => after === undefined || compare(id(one), after) > 0)
        .slice(0, limit)
    }
    const versionOf = versionsOf(source, textOf)
    const uriOf = (record: T): string => start + encodeURIComponent(id(record))
    return resource({
      uriTemplate: `${start}{id}`,
      name: noun,
      title,
      description,
      mimeType: 'application/json',
      list: async (after, limit) => {
        const last = after === undefined ? undefined : decodeURIComponent(after.slice(start.length))
        const found = await pageOf(last, limit)
        return found.map((record) => ({ uri: uriOf(record), name: name(record) }))
      },
      complete: {
        id: async (typed) => {
          const found = await pageOf(undefined, MAX_COMPLETED)
          return found.map(id).filter((one) => one.startsWith(typed))
        },
      },
      version: (_uri, { id: wanted = '' }) => versionOf(wanted),
      read: (_uri, { id: wanted = '' }) => textOf(wanted),
    })
  }

type TextOf = (id: string) => Promise<string | undefined>

/** The text of each record at the last revision of the shop; it is read again only after a change. */
function versionsOf(source: ShopSource, textOf: TextOf): TextOf {
  const cached = new Map<string, { readonly revision: number; readonly text: string | undefined }>()
  return async (id) => {
    const revision = (await source()).revision()
    const known = cached.get(id)
    if (known?.revision === revision) return known.text
    const text = await textOf(id)
    if (cached.size >= MAX_CACHED) cached.clear()
    cached.set(id, { revision, text })
    return text
  }
}

const MAX_COMPLETED = 1000
const MAX_CACHED = 1000
