/** The cart's page, and what its forms do. */
import type { Cents } from '../money.ts'
import { amountText } from './amount.ts'
import { type Cart, cookieOf, MOST_LINES, MOST_PIECES, piecesOf, withPieces } from './cart.ts'
import type { Item } from './catalogue.ts'
import type { Scope } from './engine.ts'
import { Refused, readForm } from './form.ts'
import { imageSites, tileOf } from './product-document.ts'
import { type Reply, redirect } from './reply.ts'
import { cartFor, page, type Visit } from './visit.ts'

export interface Line {
  readonly item: Item
  readonly quantity: number
  readonly total: Cents
}

/** What is in the cart and still in the shop. */
export const linesOf = ({ catalogue }: Visit, lines: Cart['lines']): Line[] =>
  lines.flatMap(({ sku, quantity }) => {
    const item = catalogue.bySku.get(sku)
    return item === undefined ? [] : [{ item, quantity, total: item.product.price * quantity }]
  })

export const totalOf = (lines: readonly Line[]): Cents => lines.reduce((sum, { total }) => sum + total, 0)

export const shownLines = (lines: readonly Line[], currency: string): Scope[] =>
  lines.map(({ item, quantity, total }) => ({
    ...tileOf(item, currency),
    sku: item.product.sku,
    quantity,
    total: amountText(total, currency),
  }))

export function cartPage(visit: Visit): Reply {
  const lines = linesOf(visit, visit.cart?.lines ?? [])
  const body = visit.engine.view('cart', {
    lines: shownLines(lines, visit.shop.currency),
    total: amountText(totalOf(lines), visit.shop.currency),
    most_pieces: MOST_PIECES,
    can_order: lines.length > 0 && lines.every(({ item }) => item.product.status === 'active'),
  })
  const imagesFrom = imageSites(lines.flatMap(({ item }) => item.page.images.slice(0, 1)))
  return page(visit, { title: `Your cart | ${visit.shopName}`, body }, { keep: 'never', imagesFrom })
}

export async function changeCart(visit: Visit): Promise<void> {
  const form = await readForm(visit.request)
  const sku = form.get('sku') ?? ''
  const pieces = Number(form.get('quantity') ?? '1')
  const wish = form.get('do') ?? 'add'
  if (!visit.catalogue.bySku.has(sku) && wish !== 'remove')
    throw new Refused(404, 'The shop does not have this product.')
  if (!Number.isInteger(pieces) || pieces < 0 || pieces > 1000)
    throw new Refused(400, `Pieces are counted in whole numbers from 1 to ${MOST_PIECES}.`)
  const { cart } = cartFor(visit)
  const wanted = wish === 'remove' ? 0 : wish === 'set' ? pieces : piecesOf(cart, sku) + pieces
  const next = withPieces(cart, sku, wanted)
  if (wanted > 0 && piecesOf(next, sku) === 0) throw new Refused(400, `A cart holds ${MOST_LINES} products at most.`)
  redirect(visit.response, '/shop/cart', cookieOf(next, visit.seal, visit.secure))
}
