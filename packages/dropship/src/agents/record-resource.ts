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
  /** the records after an id, in a stable order */
  readonly page: (shop: Shop, after: string | undefined, limit: number) => Promise<readonly T[]>
  /** as readers see it: amounts instead of cents */
  readonly shown: (record: T) => object
}

/** A page of records that the shop returns all at once, in the order of their ids. */
export const pageAfter = <T>(
  all: readonly T[],
  id: (record: T) => string,
  after: string | undefined,
  limit: number,
  compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0),
): T[] =>
  [...all]
    .sort((a, b) => compare(id(a), id(b)))
    .filter((one) => after === undefined || compare(id(one), after) > 0)
    .slice(0, limit)

export const recordResource =
  <T>({ noun, title, description, id, name, find, page, shown }: RecordResource<T>) =>
  (source: ShopSource): Resource => {
    const start = `shop://${noun}/`
    const textOf = async (wanted: string): Promise<string | undefined> => {
      const record = await find(await source(), wanted)
      return record === undefined ? undefined : JSON.stringify(shown(record), undefined, 2)
    }
    const versions = new RecordVersions(source, textOf)
    const uriOf = (record: T): string => start + encodeURIComponent(id(record))
    return resource({
      uriTemplate: `${start}{id}`,
      name: noun,
      title,
      description,
      mimeType: 'application/json',
      list: async (after, limit) => {
        const last = after === undefined ? undefined : decodeURIComponent(after.slice(start.length))
        const found = await page(await source(), last, limit)
        return found.map((record) => ({ uri: uriOf(record), name: name(record) }))
      },
      complete: {
        id: async (typed) => {
          const found = await page(await source(), undefined, MOST_COMPLETED)
          return found.map(id).filter((one) => one.startsWith(typed))
        },
      },
      version: (_uri, { id: wanted = '' }) => versions.of(wanted),
      read: (_uri, { id: wanted = '' }) => textOf(wanted),
    })
  }

/** The text of each record at the last revision of the shop; it is read again only after a change. */
class RecordVersions {
  readonly #source: ShopSource
  readonly #textOf: (id: string) => Promise<string | undefined>
  readonly #known = new Map<string, { readonly revision: number; readonly text: string | undefined }>()

  constructor(source: ShopSource, textOf: (id: string) => Promise<string | undefined>) {
    this.#source = source
    this.#textOf = textOf
  }

  async of(id: string): Promise<string | undefined> {
    const revision = (await this.#source()).revision()
    const known = this.#known.get(id)
    if (known?.revision === revision) return known.text
    const text = await this.#textOf(id)
    if (this.#known.size >= MOST_KNOWN) this.#known.clear()
    this.#known.set(id, { revision, text })
    return text
  }
}

const MOST_COMPLETED = 1000
const MOST_KNOWN = 1000
