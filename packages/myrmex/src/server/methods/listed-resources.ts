/**
 * A page of `resources/list` where some resources stand behind templates: first those with a URI of their own, then what each
 * template lists, template by template. A cursor names the last URI that was given, so that lists may change between two pages.
 */
import { invalidParams } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { RequestContext } from '../../tool/context.ts'
import type { Resource } from '../../tool/resource.ts'
import { page, readCursor, writeCursor } from '../results/page.ts'

export interface ResourcePageRequest {
  /** with a URI of their own, in the order of it */
  readonly fixed: readonly Resource[]
  /** templates that can say what they have, in the order of their text */
  readonly listers: readonly Resource[]
  readonly cursor: unknown
  readonly size: number
}

interface ListedPage {
  items: JsonObject[]
  nextCursor: string | undefined
}

/** Stands between template and URI in a cursor; neither can hold one. */
const BETWEEN = '\n'

export async function resourcePage(
  { fixed, listers, cursor, size }: ResourcePageRequest,
  ctx: RequestContext,
): Promise<ListedPage> {
  const [template, after] = placeOf(cursor)
  const items: JsonObject[] = []
  if (template === undefined) {
    const first = page(fixed, ({ uri = '' }) => uri, { cursor } as JsonObject, size)
    items.push(...first.items.map(resourceListing))
    if (first.nextCursor !== undefined) return { items, nextCursor: first.nextCursor }
  }
  const start = template === undefined ? 0 : listers.findIndex((one) => one.template?.text === template)
  if (start === -1) throw invalidParams('The cursor is for a list that is not here any more. Begin again without one.')
  for (const [index, lister] of listers.slice(start).entries()) {
    const text = lister.template?.text ?? ''
    const room = size - items.length
    const from = index === 0 && template !== undefined ? after : undefined
    // One more than there is room for tells whether there is another page.
    const found = (await lister.list?.(from, room + 1, ctx)) ?? []
    items.push(...found.slice(0, room).map((one) => ({ ...one, mimeType: one.mimeType ?? lister.mimeType })))
    const last = found[room - 1]?.uri ?? ''
    if (found.length > room)
      return { items, nextCursor: writeCursor(`${text}${BETWEEN}${room === 0 ? (from ?? '') : last}`) }
  }
  return { items, nextCursor: undefined }
}

function placeOf(cursor: unknown): [template: string | undefined, after: string | undefined] {
  const text = readCursor(cursor)
  const cut = text?.indexOf(BETWEEN) ?? -1
  if (text === undefined || cut === -1) return [undefined, undefined]
  return [text.slice(0, cut), text.slice(cut + 1) || undefined]
}

export function resourceListing(item: Resource): JsonObject {
  const { uri, template, name, title, description, mimeType, size, annotations, listing: said } = item
  if (said !== undefined) return template === undefined ? { ...said, uri } : { ...said, uriTemplate: template.text }
  const shown = { name, title, description, mimeType, size, annotations: annotations as JsonObject | undefined }
  return template === undefined ? { uri, ...shown } : { uriTemplate: template.text, ...shown }
}
