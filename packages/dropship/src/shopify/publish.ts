/**
 * Making and changing pages at Shopify. A change is first noted in the product's memo, by compare and swap and with its key, then
 * made; every part of it sets a state, so whoever died in between calls again with the same key and it is finished, not repeated.
 */
import { ToolError } from 'myrmex'
import { toAmount } from '../money.ts'
import type { Key, NewProduct, PageContent, Page as ShopPage } from '../ports.ts'
import type { Admin } from './admin.ts'
import { refused, type UserError } from './failures.ts'
import { keyMark, type Memo, memoIn, memoText, NAMESPACE, PRODUCT_MEMO, swapMetafield } from './memo.ts'
import { nodeById, nodeBySlug, PAGE_FIELDS, type ProductNode, pageOf } from './pages.ts'
import { variantOf } from './variants.ts'

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

export async function publish(admin: Admin, product: NewProduct, page: PageContent, key: Key): Promise<ShopPage> {
  const mark = keyMark(key)
  const onSlug = await nodeBySlug(admin, page.slug)
  if (onSlug !== undefined && onSlug.variants.nodes[0]?.sku !== product.sku) throw slugTaken(page.slug)
  const variant = onSlug === undefined ? await variantOf(admin, product.sku) : undefined
  const known = onSlug ?? (variant && (await nodeById(admin, `p_${variant.product.legacyResourceId}`)))
  const memo: Memo = {
    product_id: product.product_id,
    supplier_id: product.supplier_id,
    unit: product.unit,
    shipping: product.shipping,
    reorder_point: 0,
    ...ofPage(page),
    version: 1,
    key: mark,
  }
  if (known === undefined) return create(admin, product, page, memo)
  const before = memoIn(known.metafield)
  if (before?.key !== mark) {
    const next = { ...memo, reorder_point: before?.reorder_point ?? 0, version: (before?.version ?? 0) + 1 }
    await note(admin, known, next)
  }
  return apply(admin, known, page, 'ACTIVE')
}

/** By its handle, so that making it twice is making it once. */
async function create(admin: Admin, product: NewProduct, page: PageContent, memo: Memo): Promise<ShopPage> {
  const files = page.images
    .filter((image) => image.startsWith('https://'))
    .map((originalSource) => ({ originalSource, contentType: 'IMAGE', alt: page.title }))
  const input = {
    ...contentOf(page),
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
  return pageOf(made(productSet, page.slug))
}

/** PageChanged: it is not as it was when the change was thought of. */
export async function update(
  admin: Admin,
  page_id: string,
  version: number,
  content: Partial<PageContent>,
  key: Key,
): Promise<ShopPage> {
  const node = await pageNode(admin, page_id)
  const page = pageOf(node)
  const memo = memoIn(node.metafield) ?? memoFor(node)
  const mark = keyMark(key)
  if (memo.key !== mark) {
    if (page.version !== version) throw changed(page_id, version, page.version)
    await note(admin, node, { ...memo, ...ofPage({ ...page, ...content }), version: version + 1, key: mark })
  }
  return apply(admin, node, content)
}

export async function withdraw(
  admin: Admin,
  page_id: string,
  before: Partial<PageContent> | undefined,
  key: Key,
): Promise<void> {
  const node = await pageNode(admin, page_id)
  if (before === undefined) await apply(admin, node, {}, 'DRAFT')
  else await update(admin, page_id, pageOf(node).version, before, key)
}

async function note(admin: Admin, node: ProductNode, memo: Memo): Promise<void> {
  const field = { key: PRODUCT_MEMO, type: 'json' } as const
  if (await swapMetafield(admin, node.id, field, node.metafield, memoText(memo))) return
  // A lost answer is repeated, and then what was written a moment ago stands in its own way.
  const now = await pageNode(admin, `p_${node.legacyResourceId}`)
  if (memoIn(now.metafield)?.key !== memo.key)
    throw changed(`p_${node.legacyResourceId}`, memo.version - 1, pageOf(now).version)
}

async function apply(
  admin: Admin,
  node: ProductNode,
  content: Partial<PageContent>,
  status?: ProductNode['status'],
): Promise<ShopPage> {
  const product = { id: node.id, ...contentOf(content), ...(status !== undefined && { status }) }
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
  return pageOf(after)
}

function made({ product, userErrors }: Made, slug: string): ProductNode {
  const isTaken = userErrors.some(
    ({ field, message }) => field?.at(-1) === 'handle' && /in use|unique|taken/i.test(message),
  )
  if (isTaken) throw slugTaken(slug)
  if (userErrors.length > 0 || product === null) throw refused('the page', userErrors)
  return product
}

const amount = (cents: number): string => toAmount(cents).toFixed(2)

const ofPage = ({
  images,
  template,
  keywords,
  seo_score,
}: PageContent): Pick<Memo, 'images' | 'template' | 'keywords' | 'seo_score'> => ({
  images: [...images],
  template,
  keywords: [...keywords],
  seo_score,
})

/** Only what is given: what is left out stays as it is. */
function contentOf({ title, slug, html, meta_title, meta_description }: Partial<PageContent>): object {
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

const memoFor = (node: ProductNode): Memo => {
  const { images, template, keywords, seo_score } = pageOf(node)
  const unknown = { product_id: node.legacyResourceId, supplier_id: '', unit: 0, shipping: 0, reorder_point: 0 }
  return { ...unknown, images: [...images], template, keywords: [...keywords], seo_score, version: 1, key: '' }
}

async function pageNode(admin: Admin, page_id: string): Promise<ProductNode> {
  const node = await nodeById(admin, page_id)
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
