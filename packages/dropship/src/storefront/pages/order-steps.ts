/** From cart to order: the address, the test payment, and the order itself. */
import { ToolError } from 'myrmex'
import { COUNTRIES } from '../../countries.ts'
import { type Cart, newCart, writeCart } from '../checkout/cart.ts'
import {
  addressLines,
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
import { type Reply, RequestError, redirect } from '../reply.ts'
import { messagePage, page, type Visit } from '../visit.ts'
import { amountText } from './amount.ts'
import { cartLines, cartTotal, lineScopes } from './cart-page.ts'
import { orderLink } from './order-page.ts'

/** The empty form, or the cart if there is nothing to order. */
export async function orderForm(visit: Visit): Promise<Reply | Response> {
  const cart = visit.cart ?? newCart()
  if (visit.cart === undefined) await writeCart(visit.c, cart, visit.seal, visit.secure)
  return (
    form(visit, cart, { fields: readOrderFields(new URLSearchParams()), problems: {} }) ??
    redirect(visit.c, '/shop/cart')
  )
}

interface FormState {
  readonly fields: OrderFields
  readonly problems: FieldProblems
  /** the total is not the one that the shopper saw */
  readonly changed?: boolean
}

function form(
  visit: Visit,
  cart: Pick<Cart, 'shopper' | 'lines'>,
  { fields: values, problems, changed = false }: FormState,
): Reply | undefined {
  const lines = cartLines(visit, cart.lines)
  if (lines.length === 0) return undefined
  const ordered = lines.map(({ item, quantity }) => ({ sku: item.product.sku, quantity }))
  const slip = newSlip({ shopper: cart.shopper, lines: ordered }, cartTotal(lines))
  const fields = FIELDS.map((field) => ({ ...field, value: values[field.name], problem: problems[field.name] }))
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
  const isWrong = Object.keys(problems).length > 0
  const title = `${isWrong ? 'Please check: ' : ''}Your order | ${visit.shopName}`
  return page(visit, { title, body }, { status: isWrong ? 422 : 200, caching: 'never' })
}

function orderSummary(visit: Visit, { lines, total }: OrderSlip): { lines: object[]; total: string } {
  const { currency } = visit.shop
  return { lines: lineScopes(cartLines(visit, lines), currency), total: amountText(total, currency) }
}

interface SentForm {
  readonly slip: OrderSlip
  /** the button that was pressed */
  readonly action: string | null
  readonly fields: OrderFields
  /** the form with its problems, if there are any */
  readonly again: Reply | undefined
}

async function readSentForm(visit: Visit): Promise<SentForm> {
  const sent = new URLSearchParams(await visit.c.req.text())
  const slip = openSlip(sent.get('slip') ?? '', visit.cart, visit.seal)
  if (slip === undefined)
    throw new RequestError(403, 'This form is not yours, or no longer valid. Open your cart and start the order again.')
  const fields = readOrderFields(sent)
  const problems = fieldProblems(fields)
  const isRight = Object.keys(problems).length === 0
  const again = isRight ? undefined : form(visit, slip, { fields, problems })
  return { slip, action: sent.get('do'), fields, again }
}

export async function paymentStep(visit: Visit): Promise<Reply | undefined> {
  const { slip, action, fields, again } = await readSentForm(visit)
  if (again !== undefined) return again
  if (action === 'edit') return form(visit, slip, { fields, problems: {} })
  const lines = cartLines(visit, slip.lines)
  if (lines.length < slip.lines.length || cartTotal(lines) !== slip.total)
    return form(visit, slip, { fields, problems: {}, changed: true })
  const body = visit.engine.view('payment', {
    slip: sealSlip(slip, visit.seal),
    fields: FIELDS.map(({ name }) => ({ name, value: fields[name] })),
    address: addressLines(fields),
    ...orderSummary(visit, slip),
  })
  return page(visit, { title: `Test payment | ${visit.shopName}`, body }, { caching: 'never' })
}

/** Places the order once, however often the form is sent, and redirects to its page. */
export async function placeOrder(visit: Visit): Promise<Reply | Response | undefined> {
  const { slip, fields, again } = await readSentForm(visit)
  if (again !== undefined) return again
  const { email, ...address } = fields
  try {
    const order = { email, address, lines: slip.lines, channel: 'direct', total: slip.total }
    const { order_id } = await visit.shop.orders.place(order, `storefront:${slip.key}`)
    await writeCart(visit.c, { shopper: slip.shopper, lines: [] }, visit.seal, visit.secure)
    return redirect(visit.c, orderLink(order_id, visit.seal))
  } catch (thrown) {
    if (thrown instanceof ToolError && thrown.error_type === 'PriceChanged')
      return form({ ...visit, catalogue: await visit.reloadCatalogue() }, slip, { fields, problems: {}, changed: true })
    return refusal(visit, thrown)
  }
}

const REFUSALS: Readonly<Record<string, readonly [heading: string, text: string]>> = {
  SalesPaused: [
    'Orders are paused',
    'There were more refunds than usual, and the shop takes no orders until the reason is known. Nothing was ordered, and your cart is kept.',
  ],
  ProductPaused: [
    'A product is no longer sold',
    'One of the products in your cart is not sold at the moment. Nothing was ordered. Remove it and try again.',
  ],
  UnknownSku: [
    'A product is no longer sold',
    'The shop no longer has one of the products in your cart. Nothing was ordered.',
  ],
  ValidationError: [
    'This order was already sent',
    'The same form was sent before with other values. Start the order again from your cart.',
  ],
}

/** Tells the shopper why the shop refused the order. Any other error is a fault of ours. */
function refusal(visit: Visit, thrown: unknown): Reply {
  const found = thrown instanceof ToolError ? REFUSALS[thrown.error_type] : undefined
  if (found === undefined) throw thrown
  if (thrown instanceof ToolError && thrown.error_type === 'SalesPaused') visit.noteSalesPaused()
  const [heading, text] = found
  return messagePage(visit, { status: 409, heading, text, href: '/shop/cart', link: 'Back to your cart' })
}
