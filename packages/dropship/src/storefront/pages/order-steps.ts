/** From cart to order: the address, the test payment, and the order itself, placed once however often it is sent. */
import { ToolError } from 'myrmex'
import { type Cart, cookieOf } from '../checkout/cart.ts'
import { COUNTRIES, countryName } from '../checkout/countries.ts'
import {
  FIELDS,
  type FieldProblems,
  fieldProblems,
  newSlip,
  type OrderFields,
  type OrderSlip,
  openSlip,
  readOrderFields,
  sealSlip,
} from '../checkout/order-form.ts'
import { RequestError, readForm } from '../form.ts'
import { type Reply, redirect } from '../reply.ts'
import { cartFor, page, type Visit } from '../visit.ts'
import { amountText } from './amount.ts'
import { cartLines, cartTotal, lineScopes } from './cart-page.ts'
import { orderLink } from './order-page.ts'

const EMPTY: OrderFields = { name: '', email: '', street: '', city: '', postal_code: '', country: '' }

/** The form with nothing filled in. Undefined: there is nothing to order. */
export function orderForm(visit: Visit): Reply | undefined {
  const { cart, headers } = cartFor(visit)
  return form(visit, cart, { filled: EMPTY, problems: {}, changed: false, headers })
}

interface FormState {
  readonly filled: OrderFields
  readonly problems: FieldProblems
  /** the total is another than the shopper saw */
  readonly changed: boolean
  readonly headers?: Readonly<Record<string, string>>
}

function form(visit: Visit, cart: Pick<Cart, 'shopper' | 'lines'>, state: FormState): Reply | undefined {
  const { filled, problems, changed, headers = {} } = state
  const lines = cartLines(visit, cart.lines)
  if (lines.length === 0) return undefined
  const kept = lines.map(({ item, quantity }) => ({ sku: item.product.sku, quantity }))
  const slip = newSlip({ shopper: cart.shopper, lines: kept }, cartTotal(lines))
  const fields = FIELDS.map((field) => ({ ...field, value: filled[field.name], problem: problems[field.name] }))
  const body = visit.engine.view('order_form', {
    slip: sealSlip(slip, visit.seal),
    fields,
    problems: fields
      .filter(({ problem }) => problem !== undefined)
      .map(({ name, label, problem }) => ({ name, text: `${label}: ${problem}` })),
    countries: COUNTRIES,
    changed,
    ...orderSummary(visit, slip),
  })
  const wrong = Object.keys(problems).length > 0
  const title = `${wrong ? 'Please check: ' : ''}Your order | ${visit.shopName}`
  return page(visit, { title, body }, { status: wrong ? 422 : 200, keep: 'never', headers })
}

function orderSummary(visit: Visit, { lines, total }: OrderSlip): { lines: object[]; total: string } {
  const { currency } = visit.shop
  return { lines: lineScopes(cartLines(visit, lines), currency), total: amountText(total, currency) }
}

interface SentForm {
  readonly slip: OrderSlip
  readonly wish: string | null
  readonly filled: OrderFields
  /** the form again, where something is wrong with what was sent */
  readonly again: Reply | undefined
}

async function readSentForm(visit: Visit): Promise<SentForm> {
  const fields = await readForm(visit.request)
  const slip = openSlip(fields.get('slip') ?? '', visit.cart, visit.seal)
  if (slip === undefined)
    throw new RequestError(403, 'This form is not, or no longer, yours. Open your cart and begin the order again.')
  const filled = readOrderFields(fields)
  const wish = fields.get('do')
  const problems = fieldProblems(filled)
  if (Object.keys(problems).length === 0) return { slip, wish, filled, again: undefined }
  return { slip, wish, filled, again: form(visit, slip, { filled, problems, changed: false }) }
}

export async function paymentStep(visit: Visit): Promise<Reply | undefined> {
  const { slip, wish, filled, again } = await readSentForm(visit)
  if (again !== undefined) return again
  if (wish === 'edit') return form(visit, slip, { filled, problems: {}, changed: false })
  const lines = cartLines(visit, slip.lines)
  if (lines.length < slip.lines.length || cartTotal(lines) !== slip.total)
    return form(visit, slip, { filled, problems: {}, changed: true })
  const body = visit.engine.view('payment', {
    slip: sealSlip(slip, visit.seal),
    fields: FIELDS.map(({ name }) => ({ name, value: filled[name] })),
    address: addressLines(filled),
    ...orderSummary(visit, slip),
  })
  return page(visit, { title: `Test payment | ${visit.shopName}`, body }, { keep: 'never' })
}

export const addressLines = ({ name, street, postal_code, city, country }: Omit<OrderFields, 'email'>): string[] => [
  name,
  street,
  `${postal_code} ${city}`,
  countryName(country) ?? country,
]

/** Undefined: answered. */
export async function placeOrder(visit: Visit): Promise<Reply | undefined> {
  const { slip, filled, again } = await readSentForm(visit)
  if (again !== undefined) return again
  const { email, ...address } = filled
  try {
    const order = { email, address, lines: slip.lines, channel: 'direct', total: slip.total }
    const { order_id } = await visit.shop.orders.place(order, `storefront:${slip.key}`)
    const cart = { shopper: slip.shopper, lines: [] }
    redirect(visit.response, orderLink(order_id, visit.seal), cookieOf(cart, visit.seal, visit.secure))
    return undefined
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.error_type === 'PriceChanged')
      return form({ ...visit, catalogue: await visit.reloadCatalogue() }, slip, { filled, problems: {}, changed: true })
    return refusal(visit, thrown)
  }
}

const REFUSALS: Readonly<Record<string, readonly [heading: string, text: string]>> = {
  SalesPaused: [
    'Orders are paused',
    'The shop takes no orders until more refunds than usual are looked into. Your cart is kept; nothing was ordered.',
  ],
  ProductPaused: [
    'Something is not sold any more',
    'One of the products in your cart is not sold at the moment. Take it out and try again; nothing was ordered.',
  ],
  UnknownSku: [
    'Something is not sold any more',
    'One of the products in your cart is gone from the shop. Nothing was ordered.',
  ],
  ValidationError: [
    'This order was sent already',
    'The same form was sent before with something else in it. Begin the order again from your cart.',
  ],
}

/** What the shop itself has against an order is said to the shopper; anything else is ours to look into. */
function refusal(visit: Visit, thrown: unknown): Reply {
  const said = thrown instanceof ToolError ? REFUSALS[thrown.error_type] : undefined
  if (said === undefined) throw thrown
  if (thrown instanceof ToolError && thrown.error_type === 'SalesPaused') visit.noteSalesPaused()
  const [heading, text] = said
  const body = visit.engine.view('message', { heading, text, href: '/shop/cart', link: 'Back to your cart' })
  return page(visit, { title: `${heading} | ${visit.shopName}`, body }, { status: 409, keep: 'never' })
}
