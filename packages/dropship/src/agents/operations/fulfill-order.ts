/** `operations.fulfill_order`: checks where an order goes and what it lacks, buys that, ships it and tells the customer. Once, ever. */
import { answer, type Tool, ToolError, tool } from 'myrmex'
import * as z from 'zod'
import { fillShippingFields } from '../../message.ts'
import { toAmount, toCents } from '../../money.ts'
import { checkOpen, unknownOrder } from '../../ports/shop-errors.ts'
import type { Address, Fulfilment, Order, Orders, Shipment, Shop, ShopSource } from '../../ports.ts'
import { resolveAddress } from './address.ts'
import { amount, count, day, sku } from './fields.ts'
import { shippingMessage } from './shipping-message.ts'

const MOST_PURCHASE = 200
const text = z.string().max(120)

const parts = z.object({
  name: text.optional().meta({ description: 'Who gets it; without it the customer.' }),
  street: text.meta({ description: 'Street and house number.' }),
  city: text.meta({ description: 'Town.' }),
  postal_code: text.meta({ description: 'Postal code, as the country writes it.' }),
  country: text.meta({ description: 'ISO 3166 code such as DE, or its English name.' }),
})

const input = z.object({
  order_id: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .meta({ type_id: 'order_id', description: 'Number of the order, such as 1042 or o_1042.' }),
  address: z
    .union([z.string().max(400), parts])
    .optional()
    .meta({
      type_id: 'address',
      description:
        "Where to, if not to the order's own address: its parts, or one line with commas between them. A part of the order's own address is completed from it.",
    }),
  max_purchase: z.number().min(0).max(100_000).default(MOST_PURCHASE).meta({
    description: "Most that may be spent at suppliers for this order, in the shop's currency.",
  }),
})

const purchase = z.object({
  purchase_id: z.string().max(60).nullable().meta({ description: 'Id of the purchase; null: it was not made.' }),
  supplier_id: z.string().max(100).meta({ type_id: 'supplier_id', description: 'Who delivers it.' }),
  sku,
  quantity: count.meta({ description: 'Pieces.' }),
  total: amount.meta({ description: 'Goods and shipping.', 'x-cost': true }),
})

const output = z.object({
  order_id: z.string().max(60).meta({ type_id: 'order_id', description: 'Number of the order.' }),
  done: z.boolean().meta({ description: 'false: this is what would be done.' }),
  address: z
    .object({ name: text, street: text, city: text, postal_code: text, country: text })
    .meta({ type_id: 'address', description: 'Where it goes.' }),
  lines: z
    .array(
      z.object({
        sku,
        title: z.string().max(300).meta({ description: 'Title of the product.' }),
        quantity: count.meta({ description: 'Pieces.' }),
      }),
    )
    .max(1000)
    .meta({ description: 'What is in the parcel.' }),
  purchases: z.array(purchase).max(1000).meta({ description: 'What was bought for it, because the shelf lacked it.' }),
  spent: amount.meta({ description: "What the purchases cost together, in the shop's currency." }),
  shipment: z
    .object({
      carrier: z.string().max(100).meta({ description: 'Who carries it.' }),
      tracking: z.string().max(100).meta({ description: 'Number to follow it by.' }),
      shipped_on: day.meta({ description: 'Day it was sent.' }),
      arrives_on: day.meta({ description: 'Day it is expected.' }),
    })
    .nullable()
    .meta({ description: 'The parcel; null: it was not sent.' }),
  message: z.string().max(10_000).meta({ description: 'What the customer was told.' }),
})

type Input = z.output<typeof input>
type Data = z.input<typeof output>
type Needs = Awaited<ReturnType<Orders['purchasesNeeded']>>

export const fulfillOrder = (source: ShopSource): Tool =>
  tool({
    name: 'operations.fulfill_order',
    version: '1.0.0',
    title: 'Fulfill an order',
    description:
      'Fulfills a paid order: checks the address and the stock, orders at the supplier what the shelf lacks, ships it and tells the customer. ' +
      'An order is fulfilled once, whoever asks and however often.',
    input,
    output,
    errors: {
      UnknownOrder: 'There is no order of this number.',
      AlreadyFulfilled: 'The order was shipped, or is on its way to being. Nothing was bought or sent again.',
      OrderClosed: 'The order was cancelled or paid back.',
      OutOfStock: 'Neither the shelf nor the supplier has enough. The error says of what.',
      PurchaseTooLarge:
        'What the shelf lacks costs more than max_purchase. The error says how much; a human must allow more.',
      InvalidAddress: 'The address is none that a parcel can go to. The error says what is missing or wrong.',
    },
    idempotent: true,
    destructive: true,
    keyed: true,
    security:
      '- It cannot be undone: a parcel that is gone is gone, and a purchase is a purchase. A dry run shows what it would do.\n' +
      `- Money: never more than max_purchase, ${MOST_PURCHASE} unless told, is spent for an order; an owner's constitution can have a human asked about more.\n` +
      '- Twice: the order is claimed in the transaction that ships it, so calls at once or again buy and send nothing more.\n' +
      '- Fraud: whoever may call it can send goods to an address of their choice. The address is checked for shape, not for who lives there.\n' +
      '- Injection: an address is text for a label. Markup and control characters are refused.',
    examples: [
      { title: 'To the address of the order', arguments: { order_id: 'o_777' } },
      {
        title: 'To another one',
        arguments: { order_id: '777', address: 'Ada Byron, 12 Rue de Rivoli, 75001 Paris, France' },
      },
      { title: 'No such order', arguments: { order_id: '999999999' }, error: 'UnknownOrder' },
      {
        title: 'An address that is none',
        arguments: { order_id: 'o_777', address: 'somewhere' },
        error: 'InvalidAddress',
      },
    ],
    dryRun: async (given) => {
      const shop = await source()
      const { order, address, needs } = await prepareOrder(shop, given)
      checkOpen(order)
      const data = plannedData(order, address, needs)
      return answer(data, {
        explanation: `Would ship order ${order.order_id} to ${address.city}. ${purchaseSentence(data, shop, 'would be')}`,
      })
    },
    run: async (given, ctx) => {
      const shop = await source()
      const { order, address } = await prepareOrder(shop, given)
      const plan = {
        order_id: order.order_id,
        address,
        most: toCents(given.max_purchase),
        // The same for the same order and address, so that a repeated call is the same request.
        message: shippingMessage(order, address),
      }
      const data = fulfilledData(await shop.orders.fulfil(plan, ctx.idempotencyKey), address)
      return answer(data, { explanation: explanationOf(data, shop) })
    },
  })

interface PreparedOrder {
  readonly order: Order
  readonly address: Address
  readonly needs: Needs
}

/** All that can be known to be wrong before anything is done. The shop looks again, in the transaction that does it. */
async function prepareOrder(shop: Shop, { order_id, address: given, max_purchase }: Input): Promise<PreparedOrder> {
  const id = order_id.replace(/^(?:o_|#)/, '')
  const [order] = await shop.orders.orders({ order_id: id, limit: 1 })
  if (order === undefined) throw unknownOrder(id)
  const address = resolveAddress(given, order.address)
  const needs = order.status === 'paid' ? await shop.orders.purchasesNeeded(id) : []
  const lacking = needs.find(({ in_stock }) => !in_stock)
  if (lacking !== undefined)
    throw new ToolError(
      'OutOfStock',
      `Order ${id} lacks ${lacking.quantity} of ${lacking.sku}, and the supplier ${lacking.supplier_id || 'of it'} cannot deliver them.`,
      { order_id: id, sku: lacking.sku, lacking: lacking.quantity },
    )
  const total = toAmount(needs.reduce((sum, one) => sum + one.total, 0))
  if (total > max_purchase)
    throw new ToolError(
      'PurchaseTooLarge',
      `What order ${id} lacks costs ${total} ${shop.currency} at the suppliers, and ${max_purchase} may be spent. A human must allow more: call again with max_purchase of ${total} or more once one has.`,
      { order_id: id, total, max_purchase },
    )
  return { order, address, needs }
}

const lineOf = ({ sku: own, title, quantity }: Order['lines'][number]) => ({ sku: own, title, quantity })

/** What a parcel that was not sent has not got. */
const SHIPMENT_PLACEHOLDER: Shipment = {
  carrier: 'a carrier',
  tracking: '(known when it is sent)',
  shipped_on: '',
  arrives_on: '(known when it is sent)',
  delivered_on: undefined,
}

function plannedData(order: Order, address: Address, needs: Needs): Data {
  return {
    order_id: order.order_id,
    done: false,
    address: { ...address },
    lines: order.lines.map(lineOf),
    purchases: needs.map(({ supplier_id, sku: own, quantity, total }) => ({
      purchase_id: null,
      supplier_id,
      sku: own,
      quantity,
      total: toAmount(total),
    })),
    spent: toAmount(needs.reduce((sum, one) => sum + one.total, 0)),
    shipment: null,
    message: fillShippingFields(shippingMessage(order, address).body, SHIPMENT_PLACEHOLDER),
  }
}

function fulfilledData({ order, purchases, shipment, message }: Fulfilment, address: Address): Data {
  const { carrier, tracking, shipped_on, arrives_on } = shipment
  return {
    order_id: order.order_id,
    done: true,
    address: { ...address },
    lines: order.lines.map(lineOf),
    purchases: purchases.map(({ purchase_id, supplier_id, sku: own, quantity, total }) => ({
      purchase_id,
      supplier_id,
      sku: own,
      quantity,
      total: toAmount(total),
    })),
    spent: toAmount(purchases.reduce((sum, one) => sum + one.total, 0)),
    shipment: { carrier, tracking, shipped_on, arrives_on },
    message,
  }
}

function explanationOf(data: Data, shop: Shop): string {
  const { shipment } = data
  const pieces = data.lines.map(({ quantity, title }) => `${quantity} × ${title}`).join(', ')
  return `Order ${data.order_id} (${pieces}) is on its way to ${data.address.city} with ${shipment?.carrier}, ${shipment?.tracking}, expected on ${shipment?.arrives_on}. ${purchaseSentence(data, shop, 'was')}`
}

const purchaseSentence = ({ purchases, spent }: Data, { currency }: Shop, was: string): string =>
  purchases.length === 0
    ? `Nothing ${was === 'was' ? 'had to be' : 'would have to be'} bought.`
    : `${purchases.map(({ quantity, sku: own }) => `${quantity} × ${own}`).join(', ')} ${was} bought for ${spent} ${currency}.`
