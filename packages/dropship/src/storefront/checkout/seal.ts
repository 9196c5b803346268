/**
 * Signs values that a browser must return unchanged: an HMAC with a purpose, so that no signature can be used for another one.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Purpose = 'cart' | 'checkout' | 'order'

export class Seal {
  readonly #secret: string

  constructor(secret: string) {
    if (secret.length < 32)
      throw new Error(`The storefront's secret has ${secret.length} characters; it needs 32 or more.`)
    this.#secret = secret
  }

  /** The signature alone. */
  sign(purpose: Purpose, text: string): string {
    return createHmac('sha256', this.#secret).update(`${purpose}\n${text}`).digest('base64url')
  }

  verify(purpose: Purpose, text: string, seal: string): boolean {
    const wanted = Buffer.from(this.sign(purpose, text))
    const given = Buffer.from(seal)
    return wanted.length === given.length && timingSafeEqual(wanted, given)
  }

  /** A value with its signature, as text for a hidden field. */
  seal(purpose: Purpose, value: unknown): string {
    const text = Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${text}.${this.sign(purpose, text)}`
  }

  /** Undefined: it was not sealed here or not for this purpose, or it was changed. */
  open(purpose: Purpose, sealed: string): unknown {
    const dot = sealed.indexOf('.')
    if (dot < 0 || !this.verify(purpose, sealed.slice(0, dot), sealed.slice(dot + 1))) return undefined
    return JSON.parse(Buffer.from(sealed.slice(0, dot), 'base64url').toString())
  }
}
