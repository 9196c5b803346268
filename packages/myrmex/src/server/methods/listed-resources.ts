/**
 * Pages of `resources/list` if templates list resources: first the resources with their own URI, then those of each template. A cursor
 * names the last URI, so the lists may change between two pages.
 */
import { invalidParams } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { extrasListing } from '../../tool/listing-extras.ts'
import type { ListedResource, Resource } from '../../tool/resource.ts'
import { upstreamListing } from '../../tool/upstream-listing.ts'
import { type Page, page, readCursor, writeCursor } from '../results/page.ts'
import type { Server } from '../server.ts'
import { isUnreviewed, notCallable } from '../visible-items.ts'

export interface ResourcePageRequest {
  /** resources with their own URI, sorted by it */
  readonly fixed: readonly Resource[]
  /** templates that can list their resources, sorted by text */
  readonly listers: readonly Resource[]
  readonly cursor: unknown
  readonly size: number
  readonly listing: (item: Resource) => JsonObject
  /** those of a template after a URI that was listed before */
  readonly list: (lister: Resource, after: string | undefined, limit: number) => Promise<readonly ListedResource[]>
}

/** Separates template and URI in a cursor; neither contains one. */
const SEPARATOR = '\n'

export async function resourcePage(request: ResourcePageRequest): Promise<Page<JsonObject>> {
  const { fixed, listers, cursor, size, listing, list } = request
  const [template, after] = readPosition(cursor)
  const items: JsonObject[] = []
  if (template === undefined) {
    const first = page(fixed, ({ uri = '' }) => uri, { cursor } as JsonObject, size)
    items.push(...first.items.map(listing))
    if (first.nextCursor !== undefined) return { items, nextCursor: first.nextCursor }
  }
  const start = template === undefined ? 0 : listers.findIndex((one) => one.template?.text === template)
  if (start === -1) throw invalidParams('The list of this cursor no longer exists. Start again without a cursor.')
  for (const [index, lister] of listers.slice(start).entries()) {
    const text = lister.template?.text ?? ''
    const room = size - items.length
    const from = index === 0 && template !== undefined ? after : undefined
    // One extra item shows whether there is another page.
    const found = await list(lister, from, room + 1)
    items.push(...found.slice(0, room).map((one) => behindTemplate(one, lister)))
    const last = found[room - 1]?.uri ?? ''
    if (found.length > room)
      return { items, nextCursor: writeCursor(`${text}${SEPARATOR}${room === 0 ? (from ?? '') : last}`) }
  }
  return { items, nextCursor: undefined }
}

/** A resource of a template, in the words of its lister. */
function behindTemplate({ icons, meta, ...one }: ListedResource, { mimeType }: Resource): JsonObject {
  return { ...one, mimeType: one.mimeType ?? mimeType, ...extrasListing({ icons, meta }) }
}

function readPosition(cursor: unknown): [template: string | undefined, after: string | undefined] {
  const text = readCursor(cursor)
  const cut = text?.indexOf(SEPARATOR) ?? -1
  if (text === undefined || cut === -1) return [undefined, undefined]
  return [text.slice(0, cut), text.slice(cut + 1) || undefined]
}

export function resourceListing(server: Server, item: Resource): JsonObject {
  const { uri, template, name, title, description, mimeType, size, annotations } = item
  const said = upstreamListing(item)
  if (said !== undefined && isUnreviewed(server, item)) {
    const shown = { name: uri ?? template?.text ?? '', description: hiddenText(server, item), ...plainType(said) }
    return template === undefined ? { uri, ...shown } : { uriTemplate: template.text, ...shown }
  }
  if (said !== undefined) return template === undefined ? { ...said, uri } : { ...said, uriTemplate: template.text }
  const own = { name, title, description, mimeType, size, annotations: annotations as JsonObject | undefined }
  const shown = { ...own, ...extrasListing(item) }
  return template === undefined ? { uri, ...shown } : { uriTemplate: template.text, ...shown }
}

function hiddenText(server: Server, item: Resource): string {
  const { name } = server.definitionOf(item)
  const isReadable = server.gateDefinition(item).name !== name
  return isReadable
    ? `Its description is hidden until the operator reviews it (npx myrmex trust status ${name}).`
    : notCallable(name)
}

/** A type without room for words. */
const plainType = ({ mimeType }: JsonObject): { mimeType?: string } =>
  typeof mimeType === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(mimeType) ? { mimeType } : {}
