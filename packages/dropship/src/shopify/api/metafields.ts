/**
 * The product memo: one JSON metafield with everything that Shopify has no field for, such as the supplier, the page's template and
 * version, the key of the last change and what it replaced. It is changed by compare and swap, so that writers cannot overwrite
 * each other unnoticed.
 */
import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { IdempotencyKey } from '../../ports.ts'
import { type AdminApi, mutate } from './admin-api.ts'
import { refusedError } from './errors.ts'

export const NAMESPACE = 'myrmex'
export const PRODUCT_MEMO = 'product'

const TEXTS = z.array(z.string()).readonly()

const BEFORE = z.object({
  page: z
    .object({
      slug: z.string(),
      title: z.string(),
      price: z.int(),
      images: TEXTS,
      template: z.string(),
      html: z.string(),
      meta_title: z.string(),
      meta_description: z.string(),
      keywords: TEXTS,
      seo_score: z.number(),
    })
    .optional(),
  product: z
    .object({
      title: z.string(),
      price: z.int(),
      supplier_id: z.string(),
      unit: z.int(),
      shipping: z.int(),
      status: z.enum(['active', 'paused']),
    })
    .optional(),
})

const MEMO = z.object({
  product_id: z.string(),
  supplier_id: z.string(),
  unit: z.int(),
  shipping: z.int(),
  reorder_point: z.int().default(0),
  images: TEXTS.default([]),
  template: z.string().default(''),
  keywords: TEXTS.default([]),
  seo_score: z.number().default(0),
  version: z.int().default(1),
  key: z.string().default(''),
  /** what the change with this key replaced */
  before: BEFORE.default({}),
  /** false while the change with this key is announced but not complete */
  finished: z.boolean().default(false),
})

export type ProductMemo = z.output<typeof MEMO>

export interface Metafield {
  readonly value: string
  readonly compareDigest: string
}

/** People can edit metafields in Shopify's admin, so a value that is not a memo counts as none. */
export function parseMemo(field: Metafield | null | undefined): ProductMemo | undefined {
  if (field === null || field === undefined) return undefined
  try {
    return MEMO.safeParse(JSON.parse(field.value)).data
  } catch {
    return undefined
  }
}

/** A key in the form stored at Shopify: short enough for every field, and without information about the run it came from. */
export const hashKey = (key: IdempotencyKey): string =>
  createHash('sha256')
    .update(key ?? randomUUID())
    .digest('hex')
    .slice(0, 32)

/** The form that Shopify recommends for its own idempotency keys. */
export const asUuid = (mark: string): string =>
  `${mark.slice(0, 8)}-${mark.slice(8, 12)}-${mark.slice(12, 16)}-${mark.slice(16, 20)}-${mark.slice(20, 32)}`

const SET = /* GraphQL */ `mutation SetMetafield($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) { metafields { value compareDigest } userErrors { field message code } }
}`

/** Returns false if somebody else has changed the metafield since `before` was read. */
export async function swapMetafield(
  admin: AdminApi,
  owner: string,
  name: { readonly key: string; readonly type: 'json' | 'single_line_text_field' },
  before: Metafield | null,
  value: string,
): Promise<boolean> {
  const field = { ownerId: owner, namespace: NAMESPACE, ...name, value, compareDigest: before?.compareDigest ?? null }
  const { userErrors } = await mutate(admin, SET, { metafields: [field] }, 'safe')
  const [error] = userErrors
  if (error === undefined) return true
  if (error.code === 'STALE_OBJECT') return false
  throw refusedError('to record the change', userErrors)
}
