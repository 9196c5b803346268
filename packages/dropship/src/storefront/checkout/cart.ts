/**
 * The cart, which only the browser keeps, in a signed cookie. The shopper's id in it binds their order forms to it.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
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

/** Undefined: there is none, or its signature is wrong. */
export async function readCart(c: Context, seal: Seal): Promise<Cart | undefined> {
  const value = await getSignedCookie(c, seal.sign('cart', ''), COOKIE)
  if (typeof value !== 'string') return undefined
  const parsed = CartSchema.safeParse(JSON.parse(Buffer.from(value, 'base64url').toString()))
  return parsed.success ? parsed.data : undefined
}

export const writeCart = (c: Context, cart: Cart, seal: Seal, secure: boolean): Promise<void> =>
  setSignedCookie(c, COOKIE, Buffer.from(JSON.stringify(cart)).toString('base64url'), seal.sign('cart', ''), {
    path: '/shop/',
    maxAge: MAX_AGE_SECONDS,
    httpOnly: true,
    sameSite: 'Lax',
    secure,
  })

export const countPieces = ({ lines }: Cart): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Sets how many pieces of a product are in the cart; 0 removes it. Too many pieces are cut, and a line too many is ignored. */
export function setPieces(cart: Cart, sku: string, quantity: number): Cart {
  const pieces = Math.min(MAX_PIECES, quantity)
  const there = cart.lines.some((line) => line.sku === sku)
  const kept = cart.lines.flatMap((line) => (line.sku !== sku ? [line] : pieces < 1 ? [] : [{ sku, quantity: pieces }]))
  const added = !there && pieces >= 1 && kept.length < MAX_LINES ? [{ sku, quantity: pieces }] : []
  return { ...cart, lines: [...kept, ...added] }
}

export const piecesOf = (cart: Cart, sku: string): number => cart.lines.find((line) => line.sku === sku)?.quantity ?? 0
