/**
 * What Shopify has no field for is kept with the product, as one JSON metafield: who supplies it, the page's template and version,
 * the key of the last change and what that replaced. It is changed by compare and swap, so that two writers never overwrite each other unseen.
 */
import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { IdempotencyKey } from '../../ports.ts'
import type { AdminApi } from './admin-api.ts'
import { refusedError, type UserError } from './errors.ts'

export const NAMESPACE = 'myrmex'
export const PRODUCT_MEMO = 'product'

const BEFORE = z.object({
  page: z
    .object({
      slug: z.string(),
      title: z.string(),
      price: z.int(),
      images: z.array(z.string()),
      template: z.string(),
      html: z.string(),
      meta_title: z.string(),
      meta_description: z.string(),
      keywords: z.array(z.string()),
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
  images: z.array(z.string()).default([]),
  template: z.string().default(''),
  keywords: z.array(z.string()).default([]),
  seo_score: z.number().default(0),
  version: z.int().default(1),
  key: z.string().default(''),
  /** what the change under the key replaced */
  before: BEFORE.default({}),
  /** the change under the key is made, not only noted */
  finished: z.boolean().default(false),
})

export type ProductMemo = z.output<typeof MEMO>

export interface Metafield {
  readonly value: string
  readonly compareDigest: string
}

/** People can edit metafields in Shopify's admin: what is no memo is none. */
export function parseMemo(field: Metafield | null | undefined): ProductMemo | undefined {
  if (field === null || field === undefined) return undefined
  try {
    return MEMO.safeParse(JSON.parse(field.value)).data
  } catch {
    return undefined
  }
}

export const memoText = (memo: ProductMemo): string => JSON.stringify(memo)

/** A key as it is kept at Shopify: of a length that fits everywhere, and telling nothing of the run it came from. */
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

/** False: somebody else changed it since `before` was read. */
export async function swapMetafield(
  admin: AdminApi,
  owner: string,
  name: { readonly key: string; readonly type: 'json' | 'single_line_text_field' },
  before: Metafield | null,
  value: string,
): Promise<boolean> {
  const field = { ownerId: owner, namespace: NAMESPACE, ...name, value, compareDigest: before?.compareDigest ?? null }
  const { metafieldsSet } = await admin.write<{ metafieldsSet: { userErrors: UserError[] } }>(
    SET,
    { metafields: [field] },
    'safe',
  )
  const [error] = metafieldsSet.userErrors
  if (error === undefined) return true
  if (error.code === 'STALE_OBJECT') return false
  throw refusedError('to note the change', metafieldsSet.userErrors)
}
