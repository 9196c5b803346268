/** `operations.fulfill_order`: checks address and stock, buys missing units, ships and notifies the customer. At most once per order. */

import { answer, type Tool, ToolError, tool } from 'myrmex'
import { plural } from 'myrmex/text'
import * as z from 'zod'
import { sum } from '../../figures.ts'
import { fillShippingFields } from '../../message.ts'
import { toAmount, toCents } from '../../money.ts'
import { checkOpen, unknownOrder } from '../../ports/shop-errors.ts'
import type {
  Address,
  Fulfilment,
  FulfilPlan,
  Order,
  Purchase,
  PurchaseNeed,
  Shipment,
  Shop,
  ShopSource,
} from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { type ResolvedAddress, resolveAddress } from './address.ts'
import { amount, count, day, sku } from './fields.ts'

const MAX_PURCHASE = 200
const text = field.text(120)

const parts = z.object({
  name: text.optional().meta({ description: 'Recipient. Default: the customer.' }),
  street: text.meta({ description: 'Street and house number.' }),
  city: text.optional().meta({ description: "City. Default: the order's." }),
  postal_code: text.optional().meta({ description: "Postal code, as the country writes it. Default: the order's." }),
  country: text
    .optional()
    .meta({ description: "ISO 3166 code such as DE, or its English name. Default: the order's." }),
})

const input = z.object({
  order_id: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .meta({ type_id: 'order_id', description: 'Number of the order, such as 1042 or o_1042.' }),
  address: z
    .union([field.text(400), parts])
    .optional()
    .meta({
      type_id: 'address',
      description:
        "Address, if not the order's own: its parts, or one line separated by commas. What is missing, such as the city of a street alone, is that of the order; an address that contradicts it must be complete.",
    }),
  max_purchase: z.number().min(0).max(100_000).default(MAX_PURCHASE).meta({
    description: "Maximum to spend at suppliers for this order, in the shop's currency.",
  }),
})

const purchase = z.object({
  purchase_id: field.nullable('Id of the purchase; null in a dry run.', field.text(60)),
  supplier_id: field.text(100, 'Supplier.', 'supplier_id'),
  sku,
  quantity: count.meta({ description: 'Units.' }),
  total: amount.meta({ description: 'Goods and shipping.', 'x-cost': true }),
})

const output = z.object({
  order_id: field.text(60, 'Number of the order.', 'order_id'),
  done: z.boolean().meta({ description: 'false for a dry run.' }),
  address: z
    .object({ name: text, street: text, city: text, postal_code: text, country: text })
    .meta({ type_id: 'address', description: 'Address of the parcel.' }),
  lines: field.list(
    1000,
    'Contents of the parcel.',
    z.object({
      sku,
      title: field.text(300, 'Title of the product.'),
      quantity: count.meta({ description: 'Units.' }),
    }),
  ),
  purchases: field.list(1000, 'Purchases for units that were not in stock.', purchase),
  spent: amount.meta({ description: "Total of the purchases, in the shop's currency." }),
  shipment: field.nullable(
    'The shipment; null if not sent.',
    z.object({
      carrier: field.text(100, 'Carrier.'),
      tracking: field.text(100, 'Tracking number.'),
      shipped_on: day.meta({ description: 'Day of shipment.' }),
      arrives_on: day.meta({ description: 'Expected day of arrival.' }),
    }),
  ),
  message: field.text(10_000, 'Message to the customer.'),
})

type Input = z.output<typeof input>
type Data = z.input<typeof output>

export const fulfillOrder = (source: ShopSource): Tool =>
  tool({
    name: 'operations.fulfill_order',
    version: '1.1.0',
    title: 'Fulfill an order',
    description:
      'Fulfills a paid order: checks the address and the stock, buys missing units from the supplier, ships the order and notifies the ' +
      'customer. An order is fulfilled at most once.',
    input,
    output,
    errors: {
      UnknownOrder: details.failure('There is no order with this number.', {
        order_id: details.text('The number that was given.'),
      }),
      AlreadyFulfilled: details.failure(
        'The order is already shipped or being shipped. Nothing was bought or sent again.',
        {
          order_id: details.text('Number of the order.'),
          status: details.text('Status of the order.'),
          tracking: details.text('Tracking number of its parcel, if it is known.').nullable(),
        },
      ),
      OrderClosed: details.failure('The order was cancelled or refunded.', {
        order_id: details.text('Number of the order.'),
        status: details.text('Status of the order.'),
      }),
      OutOfStock: details.failure('Neither the shop nor the supplier has enough stock. The error names the product.', {
        order_id: details.text('Number of the order.').optional(),
        sku: details.text('SKU of the product.'),
        lacking: details.integer('Units that are missing.').optional(),
      }),
      PurchaseTooLarge: details.failure(
        'The missing units cost more than max_purchase. The error states the total; a human must allow more.',
        {
          order_id: details.text('Number of the order.'),
          total: details.amount('What the missing units cost.'),
        },
      ),
      InvalidAddress: details.failure(
        'A parcel cannot be sent to the address. The error lists what is missing or wrong.',
        {
          wrong: details.texts('What is missing or wrong.'),
          understood: z.record(z.string(), z.string()).describe('The address as it was understood, by its parts.'),
        },
      ),
    },
    idempotent: true,
    destructive: true,
    keyed: true,
    security:
      '- It cannot be undone: parcels and purchases are final. A dry run shows what it would do.\n' +
      `- Money: at most max_purchase (default ${MAX_PURCHASE}) is spent for an order; the owner's constitution can require approval for more.\n` +
      '- Repetition: the order is claimed in the transaction that ships it, so concurrent or repeated calls buy and send nothing more.\n' +
      '- Fraud: callers can send goods to any address. Only its form is checked, not who lives there.\n' +
      '- Injection: an address is text for a label. Markup and control characters are rejected.',
    examples: [
      { title: 'To the address of the order', arguments: { order_id: 'o_777' } },
      { title: 'To another street of the same town', arguments: { order_id: 'o_777', address: '123 Main St' } },
      {
        title: 'To another one',
        arguments: { order_id: '777', address: 'Ada Byron, 12 Rue de Rivoli, 75001 Paris, France' },
      },
      { title: 'No such order', arguments: { order_id: '999999999' }, error: 'UnknownOrder' },
      {
        title: 'An invalid address',
        arguments: { order_id: 'o_777', address: 'somewhere' },
        error: 'InvalidAddress',
      },
    ],
    dryRun: async (given) => {
      const shop = await source()
      const { order, address, completed, needs } = await prepareOrder(shop, given)
      checkOpen(order)
      const data = plannedData(order, address, needs)
      const would = `Would ship order ${order.order_id} to ${address.city}.`
      return answer(data, { explanation: would + completedText(completed) + purchaseText(data, shop, 'would be') })
    },
    run: async (given, ctx) => {
      const shop = await source()
      const { order, address, completed } = await prepareOrder(shop, given)
      const plan = {
        order_id: order.order_id,
        address,
        most: toCents(given.max_purchase),
        // The same for the same order and address, so that a repeated call is the same request.
        message: shippingMessage(order, address),
      }
      const data = fulfilledData(await shop.orders.fulfil(plan, ctx.idempotencyKey), address)
      return answer(data, { explanation: explanationOf(data, completed, shop) })
    },
  })

/** Checks everything before anything is done. The shop checks again in the transaction that ships. */
async function prepareOrder(shop: Shop, { order_id, address: given, max_purchase }: Input) {
  const id = order_id.replace(/^(?:o_|#)/, '')
  const [order] = await shop.orders.orders({ order_id: id, limit: 1 })
  if (order === undefined) throw unknownOrder(id)
  const { address, completed } = resolveAddress(given, order.address)
  const needs = order.status === 'paid' ? await shop.orders.purchasesNeeded(id) : []
  const lacking = needs.find(({ in_stock }) => !in_stock)
  if (lacking !== undefined)
    throw new ToolError(
      'OutOfStock',
      `Order ${id} lacks ${plural(lacking.quantity, 'unit')} of ${lacking.sku}, and the supplier ${lacking.supplier_id || 'of it'} cannot deliver.`,
      { order_id: id, sku: lacking.sku, lacking: lacking.quantity },
    )
  const total = toAmount(sum(needs, (one) => one.total))
  if (total > max_purchase)
    throw new ToolError(
      'PurchaseTooLarge',
      `The missing units of order ${id} cost ${total} ${shop.currency}, and max_purchase is ${max_purchase}. If a human allows it, call again with a max_purchase of at least ${total}.`,
      { order_id: id, total, max_purchase },
    )
  return { order, address, completed, needs }
}

/** The shop fills in {carrier}, {tracking} and {arrives_on} when the parcel is sent. */
function shippingMessage({ order_id, lines }: Order, address: Address): FulfilPlan['message'] {
  const { name, street, city, postal_code, country } = address
  return {
    subject: `Your order ${order_id} is on its way`,
    body: [
      `Hello ${name},`,
      '',
      `your order ${order_id} is on its way:`,
      ...lines.map(({ quantity, title }) => `- ${quantity} × ${title}`),
      '',
      `It travels with {carrier} to ${street}, ${postal_code} ${city}, ${country}. The tracking number is {tracking}, and we expect it on {arrives_on}.`,
      '',
      'Thank you for your order.',
    ].join('\n'),
  }
}

/** For a parcel that is not sent yet. */
const SHIPMENT_PLACEHOLDER: Shipment = {
  carrier: 'a carrier',
  tracking: '(known when it is sent)',
  shipped_on: '',
  arrives_on: '(known when it is sent)',
  delivered_on: undefined,
}

const plannedData = (order: Order, address: Address, needs: readonly PurchaseNeed[]): Data => ({
  ...parcelData(
    order,
    address,
    needs.map((need) => ({ ...need, purchase_id: null })),
  ),
  done: false,
  shipment: null,
  message: fillShippingFields(shippingMessage(order, address).body, SHIPMENT_PLACEHOLDER),
})

function fulfilledData({ order, purchases, shipment, message }: Fulfilment, address: Address): Data {
  const { carrier, tracking, shipped_on, arrives_on } = shipment
  return {
    ...parcelData(order, address, purchases),
    done: true,
    shipment: { carrier, tracking, shipped_on, arrives_on },
    message,
  }
}

type PurchaseData = Pick<Purchase, 'supplier_id' | 'sku' | 'quantity' | 'total'> & {
  readonly purchase_id: string | null
}

const parcelData = (order: Order, address: Address, purchases: readonly PurchaseData[]) => ({
  order_id: order.order_id,
  address: { ...address },
  lines: order.lines.map(({ sku: own, title, quantity }) => ({ sku: own, title, quantity })),
  purchases: purchases.map(({ purchase_id, supplier_id, sku: own, quantity, total }) => ({
    purchase_id,
    supplier_id,
    sku: own,
    quantity,
    total: toAmount(total),
  })),
  spent: toAmount(sum(purchases, ({ total }) => total)),
})

function explanationOf(data: Data, completed: ResolvedAddress['completed'], shop: Shop): string {
  const { shipment } = data
  const pieces = data.lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')
  return `Order ${data.order_id} (${pieces}) is on its way to ${data.address.city} with ${shipment?.carrier}, ${shipment?.tracking}, expected on ${shipment?.arrives_on}.${completedText(completed)}${purchaseText(data, shop, 'was')}`
}

/** Tells the caller which parts of the address were not its own. */
function completedText(completed: ResolvedAddress['completed']): string {
  if (completed.length === 0) return ''
  const names = new Intl.ListFormat('en-GB').format(completed.map((part) => part.replace('_', ' ')))
  return ` The ${names} ${completed.length === 1 ? 'is that' : 'are those'} of the order's own address.`
}

const purchaseText = ({ purchases, spent }: Data, { currency }: Shop, was: string): string =>
  purchases.length === 0
    ? ` Nothing ${was === 'was' ? 'had to be' : 'would have to be'} bought.`
    : ` ${purchases.map(({ quantity, sku: own }) => `${quantity} × ${own}`).join(', ')} ${was} bought for ${spent} ${currency}.`
