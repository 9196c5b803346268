/**
 * Reads the pages of an upstream's apps with its listing, so that they are reviewed before anybody gets them. A page that cannot be read
 * keeps what was known of it. If nothing is known, it is left out, and so is its resource: it counts as new when it can be read.
 */
import { RpcError, ToolError } from '../../../protocol/errors.ts'
import { isObject, type JsonObject } from '../../../protocol/json.ts'
import { pageUris } from '../../../tool/app-meta.ts'
import { escapeHidden } from '../../../tool/text/hidden-characters.ts'
import { isPage, pageOf } from '../../apps/app-page.ts'
import { isUiUri } from '../../catalogue/uri-prefix.ts'
import type { Link } from '../../link/link.ts'

const MAX_PAGES = 100
/** Libraries are part of a page: that of a PDF viewer has 4 MiB. */
const MAX_CHARACTERS = 16 * 1024 * 1024
/** of all pages of a server: their texts are kept for people who review them */
const MAX_TOTAL = 32 * 1024 * 1024
const TIMEOUT_MS = 10_000
const AT_ONCE = 4

export interface PagesToRead {
  readonly tools: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  /** pages that nothing names, but that were read before */
  readonly more: Iterable<string>
  readonly before: readonly JsonObject[]
  readonly signal: AbortSignal
  readonly warn: (line: string) => void
}

export interface ReadPages {
  readonly pages: readonly JsonObject[]
  /** without those whose page could not be read */
  readonly resources: readonly JsonObject[]
}

export async function readPages(
  link: Link,
  { tools, resources, more, before, signal, warn }: PagesToRead,
): Promise<ReadPages> {
  const listed = resources.filter(isPage).map(({ uri }) => String(uri))
  const named = tools.flatMap(({ _meta }) => pageUris(_meta)).filter(isUiUri)
  const uris = [...new Set([...listed, ...named, ...more])]
  if (uris.length === 0) return { pages: [], resources }
  if (uris.length > MAX_PAGES) warn(`resources/read: skipped the pages of apps after the first ${MAX_PAGES}`)
  const waiting = uris.slice(0, MAX_PAGES)
  const read = new Map<string, JsonObject>()
  let total = 0
  const next = async (): Promise<void> => {
    for (let uri = waiting.shift(); uri !== undefined; uri = waiting.shift()) {
      const page = await readPage(link, uri, signal).catch((thrown: unknown) => {
        // A lost connection is not about the page.
        if (signal.aborted || !isAboutPage(thrown)) throw thrown
        warn(`resources/read: ${escapeHidden(uri.slice(0, 200))}: ${escapeHidden(thrown.message.slice(0, 200))}`)
        return before.find((one) => one.uri === uri)
      })
      if (page === undefined) continue
      if (total + Number(page.characters) > MAX_TOTAL) {
        warn(`resources/read: ${escapeHidden(uri.slice(0, 200))}: its pages have more than ${MAX_TOTAL} characters`)
        continue
      }
      total += Number(page.characters)
      read.set(uri, page)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  return {
    // In the order of the list, so that the same listing reads the same.
    pages: uris.map((uri) => read.get(uri)).filter((page) => page !== undefined),
    resources: resources.filter((one) => !isPage(one) || read.has(String(one.uri))),
  }
}

const isAboutPage = (thrown: unknown): thrown is Error =>
  thrown instanceof RpcError || (thrown instanceof ToolError && thrown.error_type !== 'TransportError')

async function readPage(link: Link, uri: string, signal: AbortSignal): Promise<JsonObject> {
  const result = await link.request('resources/read', { uri }, { signal, timeoutMs: TIMEOUT_MS })
  const { contents, resultType = 'complete' } = result
  if (resultType !== 'complete' || !Array.isArray(contents) || !contents.every(isObject) || contents.length === 0)
    throw new RpcError(-32603, 'the answer has no contents')
  const page = pageOf(uri, result)
  if (Number(page.characters) > MAX_CHARACTERS)
    throw new RpcError(-32603, `the page has ${page.characters} characters; the limit is ${MAX_CHARACTERS}`)
  return page
}
