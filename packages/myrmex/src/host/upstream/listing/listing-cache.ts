/**
 * Caches each server's listing in a file, so that a lazy server does not have to be started to be listed. A missing, outdated, damaged
 * or forged file is ignored. The content is trusted no more than what the server itself says.
 */
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crypto } from '../../../protocol/builtin.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { checkItem, LIST_PARTS } from './listed-item.ts'
import type { Listing } from './listing.ts'

const FORMAT = 1
const MAX_FILE_BYTES = 160 * 1024 * 1024
const NAME = /^[a-z0-9_]{1,128}$/

export class ListingCache {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `key` identifies the server's command or URL: a listing of another one is ignored. */
  async read(name: string, key: string): Promise<Listing | undefined> {
    const file = this.#file(name)
    try {
      if ((await stat(file)).size > MAX_FILE_BYTES) return undefined
      return parse(JSON.parse(await readFile(file, 'utf8')), key)
    } catch {
      // Missing, unreadable or not JSON: the server is asked instead.
      return undefined
    }
  }

  /** Writes a temporary file first, so that readers see either the old or the new listing. */
  async write(name: string, key: string, listing: Listing): Promise<void> {
    const file = this.#file(name)
    const draft = `${file}.${process.pid}.${crypto.randomBytes(4).toString('hex')}`
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    try {
      const handle = await open(draft, 'wx', 0o600)
      try {
        await handle.writeFile(JSON.stringify({ format: FORMAT, key, listing }))
      } finally {
        await handle.close()
      }
      await rename(draft, file)
    } catch (thrown) {
      await rm(draft, { force: true })
      throw thrown
    }
  }

  async forget(name: string): Promise<void> {
    await rm(this.#file(name), { force: true })
  }

  #file(name: string): string {
    if (!NAME.test(name)) throw new RangeError(`${JSON.stringify(name)} is not a server name`)
    return join(this.#folder, `${name}.json`)
  }
}

function parse(file: unknown, key: string): Listing | undefined {
  if (!isObject(file) || file.format !== FORMAT || file.key !== key || !isObject(file.listing)) return undefined
  const { era, server, capabilities, instructions } = file.listing
  if ((era !== 'modern' && era !== 'legacy') || !isObject(capabilities)) return undefined
  if (instructions !== undefined && typeof instructions !== 'string') return undefined
  const parts: Record<string, readonly JsonObject[]> = {}
  for (const of of LIST_PARTS) {
    const items = file.listing[of.part]
    if (!Array.isArray(items) || items.length > of.most) return undefined
    if (items.some((item) => typeof checkItem(item, of) === 'string')) return undefined
    parts[of.part] = items
  }
  const { tools = [], resources = [], templates = [], prompts = [] } = parts
  return {
    era,
    server: serverInfo(server),
    capabilities: capabilities as JsonObject,
    instructions,
    tools,
    resources,
    templates,
    prompts,
  }
}

function serverInfo(value: unknown): Listing['server'] {
  if (!isObject(value) || typeof value.name !== 'string' || typeof value.version !== 'string') return undefined
  return value as unknown as Listing['server']
}
