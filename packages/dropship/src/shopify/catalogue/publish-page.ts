/**
 * Making and changing pages at Shopify. A change is first noted in the product's memo, by compare and swap and with its key, then
 * made; every part of it sets a state, so whoever died in between calls again with the same key and it is finished, not repeated.
 * The memo has the last change only: what was made again after somebody else changed the page is a change of its own.
 */
import { ToolError } from 'myrmex'
import { toAmount } from '../../money.ts'
import type { IdempotencyKey, NewProduct, PageContent, PreviousState, PublishedPage } from '../../ports.ts'
import type { AdminApi } from '../api/admin-api.ts'
import { refusedError, type UserError } from '../api/errors.ts'
import {
  hashKey,
  memoText,
  NAMESPACE,
  PRODUCT_MEMO,
  type ProductMemo,
  parseMemo,
  swapMetafield,
} from '../api/metafields.ts'
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

/** The one option of a product that has no options, as Shopify calls it. */
const OPTION = 'Title'
const VALUE = 'Default Title'

type Made = { readonly product: ProductNode | null; readonly userErrors: readonly UserError[] }

/** What the page was last changed to, if that was under this key. It is answered as it is now; what it replaced is as it was. */
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

/** A product of Shopify's has one page: publishing what is there already replaces its page too. */
export async function publishPage(
  admin: AdminApi,
  product: NewProduct,
  page: PageContent,
  key: IdempotencyKey,
): Promise<PublishedPage> {
  const onSlug = await findNodeBySlug(admin, page.slug)
  if (onSlug !== undefined && onSlug.variants.nodes[0]?.sku !== product.sku) throw slugTaken(page.slug)
  const variant = onSlug === undefined ? await findVariant(admin, product.sku) : undefined
  const known = onSlug ?? (variant && (await findNodeById(admin, `p_${variant.product.legacyResourceId}`)))
  const { product_id, supplier_id, unit, shipping } = product
  const agreed = { product_id, supplier_id, unit, shipping }
  if (known !== undefined) return change(admin, known, { content: page, agreed, status: 'ACTIVE' }, key)
  const state = { version: 1, key: hashKey(key), before: {}, finished: true }
  return create(admin, product, page, { ...agreed, reorder_point: 0, ...ofPage(page), ...state })
}

/** By its handle, so that making it twice is making it once. */
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
    metafields: [{ namespace: NAMESPACE, key: PRODUCT_MEMO, type: 'json', value: memoText(memo) }],
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
  const { productSet } = await admin.write<{ productSet: Made }>(CREATE, variables, 'safe')
  return publishedAs(made(productSet, page.slug), {})
}

/** PageChanged: it is not as it was when the change was thought of. */
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
  if (!isOwn && page.version !== version) throw changed(page_id, version, page.version)
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
    page: mutable(toPageContent(node)),
    ...(agreed !== undefined && { product: toProductTerms(node) }),
  }
  const before = isOwn ? memo.before : replaced
  if (!isOwn) {
    const page = ofPage({ ...toPageContent(node), ...content })
    const state = { version: toPage(node).version + 1, key: mark, before, finished: false }
    await note(admin, node, { ...memo, ...agreed, ...page, ...state })
  }
  const after = await apply(admin, node, content, status)
  const noted = parseMemo(after.metafield)
  // Somebody who changes it meanwhile writes a note of their own, and this one is of no more use.
  if (noted?.key === mark) await swapMemo(admin, after, { ...noted, finished: true })
  return publishedAs(after, before)
}

const publishedAs = (node: ProductNode, before: PreviousState): PublishedPage => ({
  page: toPage(node),
  product: toNewProduct(node),
  before,
})

const mutable = ({ images, keywords, ...page }: PageContent) => ({
  ...page,
  images: [...images],
  keywords: [...keywords],
})

const swapMemo = (admin: AdminApi, node: ProductNode, memo: ProductMemo): Promise<boolean> =>
  swapMetafield(admin, node.id, { key: PRODUCT_MEMO, type: 'json' }, node.metafield, memoText(memo))

async function note(admin: AdminApi, node: ProductNode, memo: ProductMemo): Promise<void> {
  if (await swapMemo(admin, node, memo)) return
  // A lost answer is repeated, and then what was written a moment ago stands in its own way.
  const now = await pageNode(admin, `p_${node.legacyResourceId}`)
  if (parseMemo(now.metafield)?.key !== memo.key)
    throw changed(`p_${node.legacyResourceId}`, memo.version - 1, toPage(now).version)
}

async function apply(
  admin: AdminApi,
  node: ProductNode,
  content: Partial<PageContent>,
  status?: ProductNode['status'],
): Promise<ProductNode> {
  const product = { id: node.id, ...fieldsOf(content), ...(status !== undefined && { status }) }
  const { productUpdate } = await admin.write<{ productUpdate: Made }>(UPDATE, { product }, 'safe')
  let after = made(productUpdate, content.slug ?? node.handle)
  const [variant] = node.variants.nodes
  if (content.price !== undefined && variant !== undefined) {
    const variables = { productId: node.id, variants: [{ id: variant.id, price: amount(content.price) }] }
    const { productVariantsBulkUpdate } = await admin.write<{ productVariantsBulkUpdate: Made }>(
      PRICE,
      variables,
      'safe',
    )
    after = made(productVariantsBulkUpdate, node.handle)
  }
  return after
}

function made({ product, userErrors }: Made, slug: string): ProductNode {
  const isTaken = userErrors.some(
    ({ field, message }) => field?.at(-1) === 'handle' && /in use|unique|taken/i.test(message),
  )
  if (isTaken) throw slugTaken(slug)
  if (userErrors.length > 0 || product === null) throw refusedError('the page', userErrors)
  return product
}

const amount = (cents: number): string => toAmount(cents).toFixed(2)

const ofPage = ({
  images,
  template,
  keywords,
  seo_score,
}: PageContent): Pick<ProductMemo, 'images' | 'template' | 'keywords' | 'seo_score'> => ({
  images: [...images],
  template,
  keywords: [...keywords],
  seo_score,
})

/** Only what is given: what is left out stays as it is. */
function fieldsOf({ title, slug, html, meta_title, meta_description }: Partial<PageContent>): object {
  const seo = {
    ...(meta_title !== undefined && { title: meta_title }),
    ...(meta_description !== undefined && { description: meta_description }),
  }
  return {
    ...(title !== undefined && { title }),
    ...(slug !== undefined && { handle: slug }),
    ...(html !== undefined && { descriptionHtml: html }),
    ...(Object.keys(seo).length > 0 && { seo }),
  }
}

const memoFor = (node: ProductNode): ProductMemo => {
  const { product_id, supplier_id, unit, shipping } = toNewProduct(node)
  const state = { reorder_point: 0, version: 1, key: '', before: {}, finished: false }
  return { product_id, supplier_id, unit, shipping, ...ofPage(toPageContent(node)), ...state }
}

async function pageNode(admin: AdminApi, page_id: string): Promise<ProductNode> {
  const node = await findNodeById(admin, page_id)
  if (node === undefined) throw new ToolError('UnknownPage', `There is no page ${page_id} in the shop.`, { page_id })
  return node
}

const slugTaken = (slug: string): ToolError =>
  new ToolError('SlugTaken', `Another product of the shop is at ${slug} already. Choose another title.`, { slug })

const changed = (page_id: string, expected: number, version: number): ToolError =>
  new ToolError(
    'PageChanged',
    `Page ${page_id} has changed since version ${expected}: it is at ${version}. Read it again.`,
    { page_id, version },
  )
