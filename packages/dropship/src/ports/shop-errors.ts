/** Errors and checks that every implementation of the ports shares, so that agents see the same types and messages everywhere. */
import { ToolError } from 'myrmex'
import type { Cents } from '../money.ts'
import type { Campaign } from './ads.ts'
import type { Ticket } from './helpdesk.ts'
import type { NewOrder, Order } from './orders.ts'

const unknown = (error_type: string, noun: string, field: string) => (id: string) =>
  new ToolError(error_type, `There is no ${noun} ${JSON.stringify(id)}.`, { [field]: id })

export const unknownOrder = unknown('UnknownOrder', 'order', 'order_id')
export const unknownPage = unknown('UnknownPage', 'page', 'page_id')
export const unknownCampaign = unknown('UnknownCampaign', 'campaign', 'campaign_id')
export const unknownCreative = unknown('UnknownCreative', 'creative', 'creative_id')
export const unknownQuote = unknown('UnknownQuote', 'quote', 'quote_id')
export const unknownTicket = unknown('UnknownTicket', 'ticket', 'ticket_id')

export const unknownSku = (sku: string): ToolError =>
  new ToolError('UnknownSku', `The shop sells no product with the SKU ${JSON.stringify(sku)}.`, { sku })

export const unknownOffer = (supplier_id: string, product_id: string): ToolError =>
  new ToolError('UnknownOffer', `The supplier ${supplier_id} does not offer the product ${product_id}.`, {
    supplier_id,
    product_id,
  })

export const productPaused = (title: string, sku: string): ToolError =>
  new ToolError('ProductPaused', `${title} (${sku}) is not for sale at the moment.`, { sku })

/** `page_id` is left out where the shop does not tell which page it is. */
export const slugTaken = (slug: string, page_id?: string): ToolError =>
  new ToolError('SlugTaken', `Another page already has the address /shop/products/${slug}. Choose another title.`, {
    slug,
    ...(page_id !== undefined && { page_id }),
  })

export const pageChanged = (page_id: string, expected: number, version: number): ToolError =>
  new ToolError(
    'PageChanged',
    `The page ${page_id} now has version ${version}, not ${expected}. Read it again, then decide.`,
    { page_id, version, expected },
  )

export const alreadyFulfilled = ({ order_id, status, shipment }: Order): ToolError =>
  new ToolError('AlreadyFulfilled', `Order ${order_id} is already ${status}. An order is fulfilled only once.`, {
    order_id,
    status,
    tracking: shipment?.tracking ?? null,
  })

export const ticketClosed = ({ ticket_id, status }: Ticket): ToolError =>
  new ToolError('TicketClosed', `The ticket ${ticket_id} is already ${status}. A ticket is answered once.`, {
    ticket_id,
    status,
  })

/** CampaignOver where the campaign has stopped or ended. */
export function checkRunning({ campaign_id, status, stop_reason }: Campaign): void {
  if (status === 'running') return
  const why = stop_reason === undefined ? '' : `: ${stop_reason}`
  const message = `The campaign ${campaign_id} is ${status}${why}. Start a new one.`
  throw new ToolError('CampaignOver', message, { campaign_id, status })
}

/** OrderClosed where the order was cancelled or refunded. */
export function checkNotClosed({ order_id, status }: Order): void {
  if (status !== 'cancelled' && status !== 'refunded') return
  const message = `Order ${order_id} is ${status}, so there is nothing to send.`
  throw new ToolError('OrderClosed', message, { order_id, status })
}

/** OrderClosed or AlreadyFulfilled, unless the order still waits to be shipped. */
export function checkOpen(order: Order): void {
  checkNotClosed(order)
  if (order.status !== 'paid' || order.shipment !== undefined) throw alreadyFulfilled(order)
}

/** `what` is the amount in words, such as `A price`; `field` is its name in the details of the error. */
export function checkCents(what: string, field: string, amount: Cents): void {
  if (Number.isSafeInteger(amount) && amount >= 1) return
  throw new ToolError('ValidationError', `${what} must be a whole number of cents above 0, not ${amount}.`, {
    [field]: amount,
  })
}

/** PriceChanged where the order costs another sum than the customer was shown. */
export function checkShownTotal({ total: shown }: NewOrder, total: Cents): void {
  if (shown === undefined || shown === total) return
  throw new ToolError(
    'PriceChanged',
    `The order now comes to ${total} cents, but the customer was shown ${shown} cents.`,
    { shown, total },
  )
}
