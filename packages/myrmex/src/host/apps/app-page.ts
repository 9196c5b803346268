/**
 * The pages of apps: HTML of a server that a client runs. A page is part of the definition of its resource, so it is pinned and reviewed
 * like one. The definition has its hash and everything that clients learn about it, such as the origins that it may reach.
 */
import { canonical } from '../../protocol/canonical.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { sha256 } from '../../tool/hash.ts'
import { isUiUri } from '../catalogue/uri-prefix.ts'

/** The type of a page in MCP Apps. Parameters may be written in any order and case. */
const isPageType = (mimeType: unknown): boolean =>
  typeof mimeType === 'string' && /;\s*profile\s*=\s*"?mcp-app"?/i.test(mimeType)

/** Whether a listed resource is a page: by its scheme, which only pages have, or by its type. */
export const isPage = ({ uri, mimeType }: JsonObject): boolean =>
  (typeof uri === 'string' && isUiUri(uri)) || isPageType(mimeType)

/** Whether the result of `resources/read` is a page, whatever was listed. */
export const hasPageContents = (uri: unknown, { contents }: JsonObject): boolean =>
  (typeof uri === 'string' && isUiUri(uri)) ||
  (Array.isArray(contents) && contents.some((one) => isObject(one) && isPageType(one.mimeType)))

/** Without the URIs, which depend on who asks. */
function parts({ contents }: JsonObject): JsonObject[] {
  if (!Array.isArray(contents)) return []
  return contents.filter((one): one is JsonObject => isObject(one)).map(({ uri: _, ...part }) => part)
}

/** Of everything that a client gets. Nothing but the same bytes has the same hash. */
export const pageHash = (result: JsonObject): string => sha256(canonical(parts(result)))

const texts = new WeakMap<JsonObject, string>()

/** The text of a page that was read by this process, for people who review it. */
export const pageText = (page: JsonObject): string | undefined => texts.get(page)

/** What the listing says about the page at a URI. */
export function pageOf(uri: string, result: JsonObject): JsonObject {
  const all = parts(result)
  const text = all.map(textOf).join('\n')
  const [{ mimeType, _meta } = {} as JsonObject] = all
  const page: JsonObject = {
    uri,
    hash: pageHash(result),
    characters: text.length,
    ...(mimeType !== undefined && { mimeType }),
    ...(_meta !== undefined && { _meta }),
  }
  texts.set(page, text)
  return page
}

function textOf({ text, blob }: JsonObject): string {
  if (typeof text === 'string') return text
  return typeof blob === 'string' ? Buffer.from(blob, 'base64').toString('utf8') : ''
}
