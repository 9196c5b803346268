/** The cart: kept by the browser in a sealed cookie and nowhere else. The shopper's number in it binds their forms to it. */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Seal } from './seal.ts'

export const MAX_LINES = 20
export const MAX_PIECES = 10

const CartSchema = z.object({
  shopper: z.uuid(),
  lines: z
    .array(z.object({ sku: z.string().min(1).max(100), quantity: z.number().int().min(1).max(MAX_PIECES) }))
    .max(MAX_LINES),
})

export type Cart = Readonly<z.infer<typeof CartSchema>>

const COOKIE = 'shop_cart'
const MAX_AGE_SECONDS = 30 * 86_400

export const newCart = (): Cart => ({ shopper: randomUUID(), lines: [] })

/** Undefined: there is none, or somebody changed it. */
export function readCart(cookies: string | undefined, seal: Seal): Cart | undefined {
  const pair = (cookies ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${COOKIE}=`))
  if (pair === undefined) return undefined
  const opened = CartSchema.safeParse(seal.open('cart', pair.slice(COOKIE.length + 1)))
  return opened.success ? opened.data : undefined
}

export const cookieOf = (cart: Cart, seal: Seal, secure: boolean): string =>
  `${COOKIE}=${seal.seal('cart', cart)}; Path=/shop/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export const countPieces = ({ lines }: Cart): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** With so many pieces of it, none included. What is too much is cut; a line too many is left out. */
export function setPieces(cart: Cart, sku: string, quantity: number): Cart {
  const pieces = Math.min(MAX_PIECES, quantity)
  const there = cart.lines.some((line) => line.sku === sku)
  const kept = cart.lines.flatMap((line) => (line.sku !== sku ? [line] : pieces < 1 ? [] : [{ sku, quantity: pieces }]))
  const added = !there && pieces >= 1 && kept.length < MAX_LINES ? [{ sku, quantity: pieces }] : []
  return { ...cart, lines: [...kept, ...added] }
}

export const piecesOf = (cart: Cart, sku: string): number => cart.lines.find((line) => line.sku === sku)?.quantity ?? 0
