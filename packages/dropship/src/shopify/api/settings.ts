/**
 * How to reach the Shopify shop, read from the environment only. Errors about the token never contain it.
 */
import { ToolError } from 'myrmex'

export interface ShopifySettings {
  /** https, or http for a shop on this machine */
  readonly origin: string
  readonly token: string
  readonly apiVersion: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** The newest stable version when this was written; Shopify serves each for at least a year. */
const API_VERSION = '2026-10'
/** Since 2026-04 the API itself prevents a refund from happening twice, and the adapter relies on that. */
const OLDEST_VERSION = '2026-04'
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

export function shopifySettings(env: Environment): ShopifySettings {
  const { SHOPIFY_STORE = '', SHOPIFY_ADMIN_TOKEN = '', SHOPIFY_API_VERSION = '' } = env
  return {
    origin: originOf(SHOPIFY_STORE.trim()),
    token: tokenOf(SHOPIFY_ADMIN_TOKEN.trim()),
    apiVersion: versionOf(SHOPIFY_API_VERSION.trim()),
  }
}

function originOf(store: string): string {
  if (store === '')
    throw bad('SHOPIFY_STORE is not set. Set it to the domain of the shop, such as your-shop.myshopify.com.')
  const text = /^https?:\/\//.test(store) ? store : `https://${store}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || !isHost(url.hostname)) {
    throw bad('SHOPIFY_STORE is not a domain. It should look like your-shop.myshopify.com.')
  }
  // Over plain http anybody on the way could read the token.
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw bad('SHOPIFY_STORE starts with http:. The token would be sent unencrypted; use https.')
  }
  return url.origin
}

const isHost = (name: string): boolean => LOOPBACK.has(name) || /^[\w-]+(\.[\w-]+)+$/.test(name)

function tokenOf(token: string): string {
  if (token === '') throw bad('SHOPIFY_ADMIN_TOKEN is not set. Set it to the access token of a custom app of the shop.')
  if (!/^[\x21-\x7e]{8,255}$/.test(token)) {
    throw bad('SHOPIFY_ADMIN_TOKEN has invalid characters or is too short. Copy it again from the app’s page.')
  }
  return token
}

function versionOf(version: string): string {
  if (version === '') return API_VERSION
  if (!/^\d{4}-(01|04|07|10)$/.test(version))
    throw bad(
      `SHOPIFY_API_VERSION ${JSON.stringify(version.slice(0, 20))} is not a version. Use one such as ${API_VERSION}.`,
    )
  if (version < OLDEST_VERSION)
    throw bad(
      `SHOPIFY_API_VERSION ${version} is too old. Use ${OLDEST_VERSION} or later, where repeated refunds are safe.`,
    )
  return version
}

const bad = (message: string): ToolError => new ToolError('ValidationError', message)
