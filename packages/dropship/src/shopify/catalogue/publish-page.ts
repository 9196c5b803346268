/**
 * Creates and changes pages at Shopify. A change is first announced in the product's memo, with its key and by compare and swap, and
 * then applied. Every step sets a state, so a call repeated with the same key after a crash finishes the change instead of repeating
 * it. The memo holds only the last change: repeating an older one after somebody else changed the page is a new change.
 */
import { toAmount } from '../../money.ts'
import { pageChanged, slugTaken, unknownPage } from '../../ports/shop-errors.ts'
import type { IdempotencyKey, NewProduct, PageContent, PreviousState, PublishedPage } from '../../ports.ts'
import { type AdminApi, mutate } from '../api/admin-api.ts'
import { refusedError } from '../api/errors.ts'
import { hashKey, NAMESPACE, PRODUCT_MEMO, type ProductMemo, parseMemo, swapMetafield } from '../api/metafields.ts'
import {
  findNodeById,
  findNodeBySlug,
  PAGE_FIELDS,
  type ProductNode,
  toNewProduct,
  toPage,
  toPageContent,
  toProductTerms,
} from './read-pages.ts'
import { findVariant } from './read-variants.ts'

const CREATE = /* GraphQL */ `mutation CreateProduct($input: ProductSetInput!, $identifier: ProductSetIdentifiers) {
  productSet(input: $input, identifier: $identifier, synchronous: true) {
    product { ${PAGE_FIELDS} } userErrors { field message code } } }`
const UPDATE = /* GraphQL */ `mutation UpdateProduct($product: ProductUpdateInput!) {
  productUpdate(product: $product) { product { ${PAGE_FIELDS} } userErrors { field message } } }`
const PRICE = /* GraphQL */ `mutation SetPrice($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
  productVariantsBulkUpdate(productId: $productId, variants: $variants) {
    product { ${PAGE_FIELDS} } userErrors { field message code } } }`

/** Shopify's names for the single option of a product without options. */
const OPTION = 'Title'
const VALUE = 'Default Title'

/** The page as it is now, with what the change replaced, if this key made its last change. */
export async function findRecordedPage(
  admin: AdminApi,
  key: IdempotencyKey,
  { page_id, slug = '' }: { page_id?: string; slug?: string },
): Promise<PublishedPage | undefined> {
  if (key === undefined) return undefined
  const node = page_id === undefined ? await findNodeBySlug(admin, slug) : await findNodeById(admin, page_id)
  const memo = parseMemo(node?.metafield)
  if (node === undefined || memo?.key !== hashKey(key) || !memo.finished) return undefined
  return publishedAs(node, memo.before)
}

/** A Shopify product has one page, so publishing an existing product again replaces its page. */
export async function publishPage(
  admin: AdminApi,
  product: NewProduct,
  page: PageContent,
  key: IdempotencyKey,
): Promise<PublishedPage> {
  const onSlug = await findNodeBySlug(admin, page.slug)
  if (onSlug !== undefined && onSlug.variants.nodes[0]?.sku !== product.sku)
    throw slugTaken(page.slug, toPage(onSlug).page_id)
  const variant = onSlug === undefined ? await findVariant(admin, product.sku) : undefined
  const known = onSlug ?? (variant && (await findNodeById(admin, `p_${variant.product.legacyResourceId}`)))
  const { product_id, supplier_id, unit, shipping } = product
  const agreed = { product_id, supplier_id, unit, shipping }
  if (known !== undefined) return change(admin, known, { content: page, agreed, status: 'ACTIVE' }, key)
  const state = { version: 1, key: hashKey(key), before: {}, finished: true }
  return create(admin, product, page, { ...agreed, reorder_point: 0, ...ofPage(page), ...state })
}

/** The product is identified by its handle, so that a repeated request creates nothing new. */
async function create(
  admin: AdminApi,
  product: NewProduct,
  page: PageContent,
  memo: ProductMemo,
): Promise<PublishedPage> {
  const files = page.images
    .filter((image) => image.startsWith('https://'))
    .map((originalSource) => ({ originalSource, contentType: 'IMAGE', alt: page.title }))
  const input = {
    ...fieldsOf(page),
    status: 'ACTIVE',
    metafields: [{ namespace: NAMESPACE, key: PRODUCT_MEMO, type: 'json', value: JSON.stringify(memo) }],
    productOptions: [{ name: OPTION, values: [{ name: VALUE }] }],
    variants: [
      {
        price: amount(page.price),
        optionValues: [{ optionName: OPTION, name: VALUE }],
        inventoryItem: { sku: product.sku, tracked: true, cost: amount(product.unit) },
      },
    ],
    ...(files.length > 0 && { files }),
  }
  const variables = { input, identifier: { handle: page.slug } }
  const node = await changeProduct(admin, CREATE, variables, page.slug)
  return publishedAs(node, {})
}

/** PageChanged: the page no longer has the given version. */
export async function updatePage(
  admin: AdminApi,
  page_id: string,
  version: number,
  content: Partial<PageContent>,
  key: IdempotencyKey,
): Promise<PublishedPage> {
  const node = await pageNode(admin, page_id)
  const page = toPage(node)
  const isOwn = parseMemo(node.metafield)?.key === hashKey(key)
  if (!isOwn && page.version !== version) throw pageChanged(page_id, version, page.version)
  return change(admin, node, { content }, key)
}

export async function withdrawPage(
  admin: AdminApi,
  page_id: string,
  before: PreviousState,
  key: IdempotencyKey,
): Promise<void> {
  const node = await pageNode(admin, page_id)
  const { page: content, product } = before
  if (content === undefined) await apply(admin, node, {}, 'DRAFT')
  else if (product === undefined) await change(admin, node, { content }, key)
  else {
    const { supplier_id, unit, shipping, status } = product
    const agreed = { supplier_id, unit, shipping }
    await change(admin, node, { content, agreed, status: status === 'active' ? 'ACTIVE' : 'DRAFT' }, key)
  }
}

interface Change {
  readonly content: Partial<PageContent>
  readonly agreed?: Partial<Pick<ProductMemo, 'product_id' | 'supplier_id' | 'unit' | 'shipping'>>
  readonly status?: ProductNode['status']
}

async function change(admin: AdminApi, node: ProductNode, { content, agreed, status }: Change, key: IdempotencyKey) {
  const memo = parseMemo(node.metafield) ?? memoFor(node)
  const mark = hashKey(key)
  const isOwn = memo.key === mark
  if (isOwn && memo.finished) return publishedAs(node, memo.before)
  const replaced = {
    page: toPageContent(node),
    ...(agreed !== undefined && { product: toProductTerms(node) }),
  }
  const before = isOwn ? memo.before : replaced
  if (!isOwn) {
    const page = ofPage({ ...toPageContent(node), ...content })
    const state = { version: toPage(node).version + 1, key: mark, before, finished: false }
    await announce(admin, node, { ...memo, ...agreed, ...page, ...state })
  }
  const after = await apply(admin, node, content, status)
  const announced = parseMemo(after.metafield)
  // A newer change has replaced this announcement, which then needs no end.
  if (announced?.key === mark) await swapMemo(admin, after, { ...announced, finished: true })
  return publishedAs(after, before)
}

const publishedAs = (node: ProductNode, before: PreviousState): PublishedPage => ({
  page: toPage(node),
  product: toNewProduct(node),
  before,
})

const swapMemo = (admin: AdminApi, node: ProductNode, memo: ProductMemo): Promise<boolean> =>
  swapMetafield(admin, node.id, { key: PRODUCT_MEMO, type: 'json' }, node.metafield, JSON.stringify(memo))

async function announce(admin: AdminApi, node: ProductNode, memo: ProductMemo): Promise<void> {
  if (await swapMemo(admin, node, memo)) return
  // After a lost response the retry conflicts with what this call has already written.
  const now = await pageNode(admin, `p_${node.legacyResourceId}`)
  if (parseMemo(now.metafield)?.key !== memo.key)
    throw pageChanged(`p_${node.legacyResourceId}`, memo.version - 1, toPage(now).version)
}

async function apply(
  admin: AdminApi,
  node: ProductNode,
  content: Partial<PageContent>,
  status?: ProductNode['status'],
): Promise<ProductNode> {
  const product = { id: node.id, ...fieldsOf(content), ...(status !== undefined && { status }) }
  const after = await changeProduct(admin, UPDATE, { product }, content.slug ?? node.handle)
  const [variant] = node.variants.nodes
  if (content.price === undefined || variant === undefined) return after
  const variables = { productId: node.id, variants: [{ id: variant.id, price: amount(content.price) }] }
  return changeProduct(admin, PRICE, variables, node.handle)
}

async function changeProduct(admin: AdminApi, document: string, variables: object, slug: string): Promise<ProductNode> {
  const changed = await mutate<{ product: ProductNode | null }>(admin, document, { ...variables }, 'safe')
  const { product, userErrors } = changed
  const isTaken = userErrors.some(
    ({ field, message }) => field?.at(-1) === 'handle' && /in use|unique|taken/i.test(message),
  )
  if (isTaken) throw slugTaken(slug)
  if (userErrors.length > 0 || product === null) throw refusedError('the page', userErrors)
  return product
}

const amount = (cents: number): string => toAmount(cents).toFixed(2)

/** The part of a page that Shopify has no fields for. */
const ofPage = ({ images, template, keywords, seo_score }: PageContent) => ({ images, template, keywords, seo_score })

/** Undefined fields are not sent, so Shopify leaves them unchanged. */
function fieldsOf({ title, slug, html, meta_title, meta_description }: Partial<PageContent>): object {
  const hasSeo = meta_title !== undefined || meta_description !== undefined
  const seo = hasSeo ? { title: meta_title, description: meta_description } : undefined
  return { title, handle: slug, descriptionHtml: html, seo }
}

const memoFor = (node: ProductNode): ProductMemo => {
  const { product_id, supplier_id, unit, shipping } = toNewProduct(node)
  const state = { reorder_point: 0, version: 1, key: '', before: {}, finished: false }
  return { product_id, supplier_id, unit, shipping, ...ofPage(toPageContent(node)), ...state }
}

async function pageNode(admin: AdminApi, page_id: string): Promise<ProductNode> {
  const node = await findNodeById(admin, page_id)
  if (node === undefined) throw unknownPage(page_id)
  return node
}
