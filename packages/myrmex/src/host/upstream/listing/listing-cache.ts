/**
 * Caches each server's listing in a file, so that a lazy server does not have to be started to be listed. A missing, outdated, damaged
 * or forged file is ignored. The content is trusted no more than what the server itself says.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeFileAtomically } from '../../../ledger/write-file.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { checkItem, LIST_PARTS, type Listing, type ListPartInfo } from './listing.ts'

const FORMAT = 1
const MAX_FILE_BYTES = 160 * 1024 * 1024
const NAME = /^[a-z0-9_]{1,128}$/

const items = (of: ListPartInfo) =>
  z
    .array(z.custom<JsonObject>((item) => typeof checkItem(item, of) === 'number'))
    .max(of.max)
    .refine((all) => new Set(all.map((item) => item[of.key])).size === all.length)

const CachedFile = z.object({
  format: z.literal(FORMAT),
  key: z.string(),
  listing: z.object({
    era: z.enum(['modern', 'legacy']),
    server: z
      .looseObject({ name: z.string(), version: z.string() })
      .optional()
      .catch(() => undefined),
    capabilities: z.custom<JsonObject>(isObject),
    instructions: z.string().optional(),
    tools: items(LIST_PARTS.tools),
    resources: items(LIST_PARTS.resources),
    templates: items(LIST_PARTS.templates),
    prompts: items(LIST_PARTS.prompts),
    pages: z
      .array(z.looseObject({ uri: z.string(), hash: z.string() }))
      .max(200)
      .optional(),
    refused: z.array(z.enum(['tools', 'resources', 'templates', 'prompts'])).optional(),
  }),
})

/** `key` identifies the server's command or URL: a listing of another one is ignored. */
export async function readCachedListing(folder: string, name: string, key: string): Promise<Listing | undefined> {
  const file = fileIn(folder, name)
  try {
    if ((await stat(file)).size > MAX_FILE_BYTES) return undefined
    const cached = CachedFile.parse(JSON.parse(await readFile(file, 'utf8')))
    return cached.key === key ? (cached.listing as Listing) : undefined
  } catch {
    // Missing, unreadable or malformed: the server is asked instead.
    return undefined
  }
}

export async function cacheListing(folder: string, name: string, key: string, listing: Listing): Promise<void> {
  await writeFileAtomically(fileIn(folder, name), JSON.stringify({ format: FORMAT, key, listing }))
}

function fileIn(folder: string, name: string): string {
  if (!NAME.test(name)) throw new RangeError(`${JSON.stringify(name)} is not a server name`)
  return join(folder, `${name}.json`)
}
