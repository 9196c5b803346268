/** What the local Shopify holds, and how a test puts something there. Plain records; the API over them is in catalogue.ts and sales.ts. */
import { createHash } from 'node:crypto'

export interface MetafieldRecord {
  id: string
  namespace: string
  key: string
  type: string
  value: string
  compareDigest: string
  updatedAt: string
}

export interface LevelRecord {
  id: string
  location: { id: string; name: string }
  available: number
  committed: number
  incoming: number
}

export interface ProductRecord {
  id: string
  number: number
  title: string
  handle: string
  descriptionHtml: string
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT'
  tags: string[]
  createdAt: string
  updatedAt: string
  seo: { title: string | null; description: string | null }
  image: string | null
  metafields: MetafieldRecord[]
  variant: {
    id: string
    number: number
    sku: string
    price: string
    unitCost: string | null
    tracked: boolean
    levels: LevelRecord[]
  }
}

export interface AddressRecord {
  name: string
  address1: string
  address2: string | null
  city: string
  zip: string
  countryCodeV2: string
}

export interface LineRecord {
  id: string
  variant: ProductRecord
  title: string
  quantity: number
  price: number
  remaining: number
  /** what a piece was sold for less than its price */
  discount?: number
  /** pieces that were taken out of the order again */
  removed?: number
}

export interface OrderRecord {
  id: string
  number: number
  name: string
  createdAt: string
  cancelledAt: string | null
  email: string
  tags: string[]
  note: string | null
  sourceName: string
  test: boolean
  paid: number
  shippingAddress: AddressRecord
  lines: LineRecord[]
  fulfillments: {
    id: string
    name: string
    status: 'CANCELLED' | 'SUCCESS'
    createdAt: string
    deliveredAt: string | null
    estimatedDeliveryAt: string | null
    tracking: { company: string | null; number: string | null; url: string | null }[]
  }[]
  refunds: { id: string; note: string | null; createdAt: string; amount: number }[]
  metafields: MetafieldRecord[]
}

export const HOME = { id: 'gid://shopify/Location/1', name: 'Warehouse' }
const NUMBERS = 1_000_000

export class Store {
  readonly currency = 'EUR'
  readonly products: ProductRecord[] = []
  readonly orders: OrderRecord[] = []
  /** emails that Shopify sent */
  readonly sent: { to: string; about: string }[] = []
  /** what @idempotent keys were answered with */
  readonly answered = new Map<string, { variables: string; answer: unknown }>()
  #last = NUMBERS
  #orders = 1000

  next(): number {
    return ++this.#last
  }

  stocked(
    title: string,
    sku: string,
    onHand: number,
    more: { price?: string; committed?: number; incoming?: number } = {},
  ): ProductRecord {
    const number = this.next()
    const { price = '49.90', committed = 0, incoming = 0 } = more
    const now = new Date().toISOString()
    const level = {
      id: gid('InventoryLevel', number),
      location: HOME,
      available: onHand - committed,
      committed,
      incoming,
    }
    const made: ProductRecord = {
      id: gid('Product', number),
      number,
      title,
      handle: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
      descriptionHtml: '',
      status: 'ACTIVE',
      tags: [],
      createdAt: now,
      updatedAt: now,
      seo: { title: null, description: null },
      image: null,
      metafields: [],
      variant: {
        id: gid('ProductVariant', number),
        number,
        sku,
        price,
        unitCost: '12.00',
        tracked: true,
        levels: [level],
      },
    }
    this.products.push(made)
    return made
  }

  ordered(product: ProductRecord, quantity: number, more: Partial<OrderRecord> = {}): OrderRecord {
    const number = ++this.#orders
    const price = Number(product.variant.price)
    const made: OrderRecord = {
      id: gid('Order', this.next()),
      number,
      name: `#${number}`,
      createdAt: new Date().toISOString(),
      cancelledAt: null,
      email: 'ada@example.com',
      tags: [],
      note: null,
      sourceName: 'web',
      test: false,
      paid: price * quantity,
      shippingAddress: {
        name: 'Ada Byron',
        address1: '123 Main St',
        address2: null,
        city: 'Berlin',
        zip: '10115',
        countryCodeV2: 'DE',
      },
      lines: [
        {
          id: gid('LineItem', this.next()),
          variant: product,
          title: product.title,
          quantity,
          price,
          remaining: quantity,
        },
      ],
      fulfillments: [],
      refunds: [],
      metafields: [],
      ...more,
    }
    this.orders.push(made)
    for (const line of made.lines) commitStock(line.variant, line.quantity)
    return made
  }

  /** A metafield set as Shopify sets one: with a digest by which it is changed safely. */
  setMetafield(
    owner: { id: string; metafields: MetafieldRecord[] },
    field: Pick<MetafieldRecord, 'namespace' | 'key' | 'type' | 'value'>,
  ): MetafieldRecord {
    const { namespace, key, type, value } = field
    const known = owner.metafields.find((one) => one.namespace === namespace && one.key === key)
    const id = known?.id ?? gid('Metafield', this.next())
    const made = {
      id,
      namespace,
      key,
      type,
      value,
      compareDigest: digestOf(value),
      updatedAt: new Date().toISOString(),
    }
    if (known === undefined) owner.metafields.push(made)
    else Object.assign(known, made)
    return made
  }
}

const digestOf = (value: string): string => createHash('sha256').update(value).digest('hex')
export const gid = (type: string, number: number): string => `gid://shopify/${type}/${number}`

/** An order that comes in promises its pieces; more than there are, and `available` goes below nothing. */
export function commitStock(product: ProductRecord, quantity: number): void {
  const [level] = product.variant.levels
  if (level === undefined) return
  level.available -= quantity
  level.committed += quantity
}

export function shipStock(product: ProductRecord, quantity: number): void {
  const [level] = product.variant.levels
  if (level !== undefined) level.committed -= quantity
}

export const onHand = ({ variant }: ProductRecord): number =>
  variant.levels.reduce((sum, { available, committed }) => sum + available + committed, 0)
