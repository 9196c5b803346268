/** The cart's page, and its forms. */
import type { Cents } from '../../money.ts'
import type { CatalogueItem } from '../catalogue.ts'
import { type Cart, MAX_LINES, MAX_PIECES, newCart, piecesOf, setPieces, writeCart } from '../checkout/cart.ts'
import { type Reply, RequestError, redirect } from '../reply.ts'
import { page, type Visit } from '../visit.ts'
import { amountText } from './amount.ts'
import { imageOrigins, productTile } from './product-document.ts'
import type { TemplateScope } from './templates.ts'

export interface CartLine {
  readonly item: CatalogueItem
  readonly quantity: number
  readonly total: Cents
}

/** The products in the cart that the shop still has. */
export const cartLines = ({ catalogue }: Visit, lines: Cart['lines']): CartLine[] =>
  lines.flatMap(({ sku, quantity }) => {
    const item = catalogue.bySku.get(sku)
    return item === undefined ? [] : [{ item, quantity, total: item.product.price * quantity }]
  })

export const cartTotal = (lines: readonly CartLine[]): Cents => lines.reduce((sum, { total }) => sum + total, 0)

export const lineScopes = (lines: readonly CartLine[], currency: string): TemplateScope[] =>
  lines.map(({ item, quantity, total }) => ({
    ...productTile(item, currency),
    sku: item.product.sku,
    quantity,
    total: amountText(total, currency),
  }))

export function cartPage(visit: Visit): Reply {
  const lines = cartLines(visit, visit.cart?.lines ?? [])
  const body = visit.engine.view('cart', {
    lines: lineScopes(lines, visit.shop.currency),
    total: amountText(cartTotal(lines), visit.shop.currency),
    most_pieces: MAX_PIECES,
    can_order: lines.length > 0 && lines.every(({ item }) => item.product.status === 'active'),
  })
  const origins = imageOrigins(lines.flatMap(({ item }) => item.page.images.slice(0, 1)))
  const title = `Your cart | ${visit.shopName}`
  return page(visit, { title, body }, { caching: 'never', imageOrigins: origins })
}

export async function changeCart(visit: Visit): Promise<Response> {
  const form = new URLSearchParams(await visit.c.req.text())
  const sku = form.get('sku') ?? ''
  const pieces = Number(form.get('quantity') ?? '1')
  const action = form.get('do') ?? 'add'
  if (!visit.catalogue.bySku.has(sku) && action !== 'remove')
    throw new RequestError(404, 'The shop does not have this product.')
  if (!Number.isInteger(pieces) || pieces < 0 || pieces > 1000)
    throw new RequestError(400, `Enter a whole number of pieces, from 1 to ${MAX_PIECES}.`)
  const cart = visit.cart ?? newCart()
  const wanted = action === 'remove' ? 0 : action === 'set' ? pieces : piecesOf(cart, sku) + pieces
  const next = setPieces(cart, sku, wanted)
  if (wanted > 0 && piecesOf(next, sku) === 0)
    throw new RequestError(400, `A cart holds ${MAX_LINES} products at most.`)
  await writeCart(visit.c, next, visit.seal, visit.secure)
  return redirect(visit.c, '/shop/cart')
}
