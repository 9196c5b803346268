/** Products, variants and their stock over the local store: queries and mutations as the Admin API has them. */
import { type Connection, connection, type Paged } from './connection.ts'
import { matchesTerm, type Term, termsOf } from './search-query.ts'
import { gid, type MetafieldRecord, type ProductRecord, type Store } from './shopify-store.ts'

type View = Record<string, unknown>
export interface SearchArguments extends Paged {
  query?: string
  reverse?: boolean
  sortKey?: string
}
export interface UserError {
  field: string[] | null
  message: string
  code?: string
  elementIndex?: number
}

export const metafieldOf =
  ({ metafields }: { metafields: MetafieldRecord[] }) =>
  ({ namespace, key }: { namespace?: string; key: string }): MetafieldRecord | null =>
    metafields.find((one) => one.namespace === (namespace ?? 'custom') && one.key === key) ?? null

export function productView(product: ProductRecord): View {
  const { id, number, title, handle, descriptionHtml, status, tags, createdAt, updatedAt, seo, image } = product
  return {
    ...{ id, title, handle, descriptionHtml, status, tags, createdAt, updatedAt, seo },
    legacyResourceId: String(number),
    featuredMedia:
      image === null ? null : { id: gid('MediaImage', number), preview: { image: { url: image, altText: null } } },
    metafield: metafieldOf(product),
    variants: (asked: Paged) => connection([{ ...product.variant, product }], asked, () => variantView(product)),
  }
}

export function variantView(product: ProductRecord): View {
  const { id, number, sku, price, unitCost, tracked, levels } = product.variant
  return {
    ...{ id, sku, price, createdAt: product.createdAt },
    legacyResourceId: String(number),
    title: 'Default Title',
    displayName: `${product.title} - Default Title`,
    product: () => productView(product),
    inventoryQuantity: levels.reduce((sum, { available }) => sum + available, 0),
    inventoryItem: {
      id: gid('InventoryItem', number),
      sku,
      tracked,
      unitCost: unitCost === null ? null : { amount: unitCost, currencyCode: 'EUR' },
      inventoryLevels: (asked: Paged) => connection(levels, asked, levelView),
    },
  }
}

function levelView(level: ProductRecord['variant']['levels'][number]): View {
  const counts: Record<string, number> = {
    available: level.available,
    committed: level.committed,
    incoming: level.incoming,
    on_hand: level.available + level.committed,
  }
  return {
    id: level.id,
    location: level.location,
    quantities: ({ names }: { names: string[] }) =>
      names.map((name) => {
        if (counts[name] === undefined) throw new Error(`${name} is no quantity name of this shop`)
        return { id: `${level.id}?name=${name}`, name, quantity: counts[name], updatedAt: null }
      }),
  }
}

const FOUND: Record<string, (product: ProductRecord) => string> = {
  sku: ({ variant }) => variant.sku,
  id: ({ variant }) => String(variant.number),
  handle: ({ handle }) => handle,
  title: ({ title }) => title,
  status: ({ status }) => status,
  product_status: ({ status }) => status,
}

const matches = (product: ProductRecord, terms: readonly Term[]): boolean =>
  terms.every((term) => matchesTerm(term, FOUND[term.field]?.(product) ?? ''))

export function catalogueQueries(store: Store) {
  const found = ({ query, sortKey, reverse }: SearchArguments): ProductRecord[] => {
    const terms = termsOf(query)
    const all = store.products.filter((product) => matches(product, terms))
    if (sortKey === 'SKU') all.sort((one, other) => (one.variant.sku < other.variant.sku ? -1 : 1))
    return reverse === true ? all.reverse() : all
  }
  return {
    product: ({ id }: { id: string }): View | null => {
      const product = store.products.find((one) => one.id === id)
      return product === undefined ? null : productView(product)
    },
    products: (asked: SearchArguments): Connection<View> => connection(found(asked), asked, productView),
    productVariants: (asked: SearchArguments): Connection<View> =>
      connection(
        found(asked).map((product) => ({ id: product.variant.id, product })),
        asked,
        ({ product }) => variantView(product),
      ),
  }
}

interface ProductInput {
  id?: string
  title?: string
  handle?: string
  descriptionHtml?: string
  status?: ProductRecord['status']
  tags?: string[]
  seo?: { title?: string; description?: string }
  files?: { originalSource?: string }[]
  metafields?: { namespace: string; key: string; type: string; value: string }[]
  variants?: { price?: string; sku?: string; inventoryItem?: { cost?: string; sku?: string } }[]
}

const LONGEST_TITLE = 255

function applyVariant(
  { variant }: ProductRecord,
  input: NonNullable<ProductInput['variants']>[number] | undefined,
): void {
  if (input === undefined) return
  variant.price = input.price ?? variant.price
  variant.sku = input.sku ?? input.inventoryItem?.sku ?? variant.sku
  variant.unitCost = input.inventoryItem?.cost ?? variant.unitCost
}

export function catalogueMutations(store: Store) {
  const refuse = (refusal: UserError): View => ({ product: null, userErrors: [refusal] })
  const problem = (input: ProductInput, own: ProductRecord | undefined): UserError | undefined => {
    if (input.title !== undefined && input.title.trim() === '')
      return { field: ['title'], message: "Title can't be blank", code: 'INVALID_INPUT' }
    if ((input.title?.length ?? 0) > LONGEST_TITLE)
      return {
        field: ['title'],
        message: `Title is too long (maximum is ${LONGEST_TITLE} characters)`,
        code: 'INVALID_INPUT',
      }
    const taken = input.handle !== undefined && store.products.some((one) => one.handle === input.handle && one !== own)
    return taken
      ? {
          field: ['handle'],
          message: `Handle '${input.handle}' already in use. Please provide a new handle.`,
          code: 'HANDLE_NOT_UNIQUE',
        }
      : undefined
  }
  const apply = (product: ProductRecord, input: ProductInput): void => {
    const { title, handle, descriptionHtml, status, tags, seo } = input
    for (const [name, value] of Object.entries({ title, handle, descriptionHtml, status, tags }))
      if (value !== undefined) Object.assign(product, { [name]: value })
    if (seo?.title !== undefined) product.seo.title = seo.title
    if (seo?.description !== undefined) product.seo.description = seo.description
    for (const field of input.metafields ?? []) store.setMetafield(product, field)
    applyVariant(product, input.variants?.[0])
    if (input.files?.[0]?.originalSource !== undefined) product.image = input.files[0].originalSource
    product.updatedAt = new Date().toISOString()
  }
  return {
    productSet: ({
      input,
      identifier,
    }: {
      input: ProductInput
      identifier?: { handle?: string; id?: string }
    }): View => {
      const own = store.products.find((one) =>
        identifier?.id === undefined
          ? identifier?.handle !== undefined && one.handle === identifier.handle
          : one.id === identifier.id,
      )
      const found = problem(input, own)
      if (found !== undefined) return refuse({ ...found, field: ['input', ...(found.field ?? [])] })
      if (input.variants !== undefined && input.variants.length === 0)
        return refuse({
          field: ['input', 'variants'],
          message: 'At least one variant is needed',
          code: 'INVALID_INPUT',
        })
      const product = own ?? store.stocked(input.title ?? '', '', 0)
      apply(product, {
        ...input,
        ...(own === undefined && { handle: input.handle ?? identifier?.handle ?? product.handle }),
      })
      return { product: productView(product), userErrors: [] }
    },
    productUpdate: ({ product: input }: { product: ProductInput }): View => {
      const own = store.products.find(({ id }) => id === input.id)
      if (own === undefined) return refuse({ field: ['id'], message: 'Product does not exist' })
      const found = problem(input, own)
      if (found !== undefined) return refuse(found)
      apply(own, input)
      return { product: productView(own), userErrors: [] }
    },
    productVariantsBulkUpdate: ({
      productId,
      variants,
    }: {
      productId: string
      variants: { id: string; price?: string }[]
    }): View => {
      const own = store.products.find(({ id }) => id === productId)
      if (own === undefined)
        return {
          product: null,
          productVariants: null,
          userErrors: [{ field: ['productId'], message: 'Product does not exist', code: 'PRODUCT_DOES_NOT_EXIST' }],
        }
      for (const [at, { price }] of variants.entries()) {
        if (price !== undefined && Number(price) < 0)
          return {
            product: null,
            productVariants: null,
            userErrors: [
              {
                field: ['variants', String(at), 'price'],
                message: 'Price must be greater than or equal to 0',
                code: 'GREATER_THAN_OR_EQUAL_TO',
              },
            ],
          }
        apply(own, { variants: [{ price }] } as ProductInput)
      }
      return { product: productView(own), productVariants: [variantView(own)], userErrors: [] }
    },
    metafieldsSet: ({
      metafields,
    }: {
      metafields: (MetafieldRecord & { ownerId: string; compareDigest?: string | null })[]
    }): View => {
      const made: MetafieldRecord[] = []
      for (const [index, field] of metafields.entries()) {
        const owner = [...store.products, ...store.orders].find(({ id }) => id === field.ownerId)
        if (owner === undefined)
          return {
            metafields: null,
            userErrors: [
              { field: ['metafields', String(index), 'ownerId'], message: 'Owner does not exist', elementIndex: index },
            ],
          }
        const known = metafieldOf(owner)(field)
        const isStale = 'compareDigest' in field && (field.compareDigest ?? null) !== (known?.compareDigest ?? null)
        if (isStale)
          return {
            metafields: null,
            userErrors: [
              {
                field: ['metafields', String(index)],
                message:
                  'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.',
                code: 'STALE_OBJECT',
                elementIndex: index,
              },
            ],
          }
        made.push({ ...store.setMetafield(owner, { ...field, namespace: field.namespace ?? 'custom' }) })
      }
      return { metafields: made, userErrors: [] }
    },
  }
}
