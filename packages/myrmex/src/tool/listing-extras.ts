/** Icons and `_meta`, which tools, resources and prompts have alike. Both are listed as the author gives them. */
import { isObject, type JsonObject } from '../protocol/json.ts'
import { type DefinitionFaults, shown } from './definition-faults.ts'

/** An image for the user interface of a client, as in MCP. */
export interface Icon {
  /** an http, https or data URL */
  src: string
  mimeType?: string
  /** such as 48x48, or any for a scalable one */
  sizes?: readonly string[]
  /** the background that it is made for */
  theme?: 'light' | 'dark'
}

/** The fields of a definition. */
export interface ListingExtras {
  icons?: readonly Icon[]
  /** listed as `_meta` */
  meta?: JsonObject
}

const ICON_FIELDS = ['src', 'mimeType', 'sizes', 'theme']
const SIZE = /^(?:any|\d+x\d+)$/

export function checkListingExtras({ icons, meta }: ListingExtras, faults: DefinitionFaults): void {
  for (const [index, icon] of faults.list('icons').entries()) checkIcon(icon, `icons[${index}]`, faults)
  if (icons !== undefined) faults.json('icons', icons)
  if (meta === undefined) return
  if (!isObject(meta)) return faults.add(`meta must be an object, not ${shown(meta)}`)
  for (const key of Object.keys(meta)) checkKey(key, faults)
  faults.json('meta', meta)
}

function checkIcon(icon: unknown, at: string, faults: DefinitionFaults): void {
  if (!isObject(icon)) return faults.add(`${at} must be an object with src, not ${shown(icon)}`)
  faults.onlyFields(ICON_FIELDS, icon, `${at}: `)
  const { src, mimeType, sizes, theme } = icon
  if (typeof src !== 'string' || !/^(?:https?|data):/i.test(src) || !URL.canParse(src))
    faults.add(`${at}.src must be an http, https or data URL, not ${shown(src)}`)
  if (mimeType !== undefined && typeof mimeType !== 'string')
    faults.add(`${at}.mimeType must be a text, not ${shown(mimeType)}`)
  const areSizes = Array.isArray(sizes) && sizes.every((size) => typeof size === 'string' && SIZE.test(size))
  if (sizes !== undefined && !areSizes)
    faults.add(`${at}.sizes must be a list of sizes, such as "48x48" or "any", not ${shown(sizes)}`)
  if (theme !== undefined && theme !== 'light' && theme !== 'dark')
    faults.add(`${at}.theme must be "light" or "dark", not ${shown(theme)}`)
}

/** The format of the keys of `_meta`: a prefix of labels and a slash, which is optional, and a name. */
const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?'
const KEY = new RegExp(`^(?:${LABEL}(?:\\.${LABEL})*/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
/** Keys without a prefix that MCP gives a meaning. */
const OF_MCP = new Set(['progressToken', 'traceparent', 'tracestate', 'baggage'])
const OWNERS: Readonly<Record<string, string>> = { mcp: 'MCP', modelcontextprotocol: 'MCP', myrmex: 'Myrmex' }

function checkKey(key: string, faults: DefinitionFaults): void {
  if (!KEY.test(key)) {
    faults.add(`meta has the key ${shown(key)}. A key is a name, or a prefix, a slash and a name: example.com/colour`)
    return
  }
  const [name = '', prefix = ''] = key.split('/').reverse()
  const label = prefix.split('.').find((one) => Object.hasOwn(OWNERS, one.toLowerCase()))
  const owner = OF_MCP.has(name) && prefix === '' ? 'MCP' : label && OWNERS[label.toLowerCase()]
  if (owner !== undefined) faults.add(`meta has the key ${shown(key)}, which is reserved for ${owner}`)
}

/** The two as MCP lists them. */
export const extrasListing = ({ icons, meta }: ListingExtras): JsonObject => ({
  ...(icons !== undefined && { icons: icons as unknown as JsonObject[] }),
  ...(meta !== undefined && { _meta: meta }),
})
