/**
 * How to reach the live shop, from the environment and nowhere else. The token is kept out of everything that is shown: what is
 * wrong with it is said without it.
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
/** From 2026-04 on the API itself keeps a refund from happening twice, and the adapter counts on that. */
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
  if (store === '') throw bad('SHOPIFY_STORE is not set. It is the shop’s own domain, such as your-shop.myshopify.com.')
  const text = /^https?:\/\//.test(store) ? store : `https://${store}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || !isHost(url.hostname)) {
    throw bad('SHOPIFY_STORE is no domain. It looks like your-shop.myshopify.com.')
  }
  // A token that is sent in the clear belongs to whoever listens.
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) {
    throw bad('SHOPIFY_STORE begins with http:. The token would travel in the clear; use https.')
  }
  return url.origin
}

const isHost = (name: string): boolean => LOOPBACK.has(name) || /^[\w-]+(\.[\w-]+)+$/.test(name)

function tokenOf(token: string): string {
  if (token === '') throw bad('SHOPIFY_ADMIN_TOKEN is not set. It is the access token of a custom app of the shop.')
  if (!/^[\x21-\x7e]{8,255}$/.test(token)) {
    throw bad(
      'SHOPIFY_ADMIN_TOKEN has characters that no token has, or is too short. Copy it again from the app’s page.',
    )
  }
  return token
}

function versionOf(version: string): string {
  if (version === '') return API_VERSION
  if (!/^\d{4}-(01|04|07|10)$/.test(version))
    throw bad(`SHOPIFY_API_VERSION ${JSON.stringify(version.slice(0, 20))} is none. One looks like ${API_VERSION}.`)
  if (version < OLDEST_VERSION)
    throw bad(`SHOPIFY_API_VERSION ${version} is too old: from ${OLDEST_VERSION} on refunds are safe to repeat.`)
  return version
}

const bad = (message: string): ToolError => new ToolError('ValidationError', message)
