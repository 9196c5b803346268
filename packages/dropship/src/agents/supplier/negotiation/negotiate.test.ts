import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'
import { expect, test } from 'vitest'
import { exchangeBids } from '../../../embedded/suppliers/negotiate.ts'
import { type BargainingSupplier, supplierReply } from '../../../market/suppliers/bargain.ts'
import type { BuyerStrategy, Quote, Suppliers } from '../../../ports.ts'
import { negotiateQuote, transcript } from './negotiate.ts'

/** A supplier of the market's own kind, with hidden figures of one's choice; after a talk that failed its door is shut. */
function supplierWith(hidden: BargainingSupplier) {
  const open = new Map<string, Quote>()
  let made = 0
  let shut = false
  const negotiate = async (supplier_id: string, product_id: string, buyer: BuyerStrategy) => {
    if (shut) throw new Error('the door is shut')
    const { said, price } = exchangeBids(buyer, (so_far) => supplierReply(hidden, so_far))
    if (price === undefined) {
      shut = true
      return { said, quote: undefined }
    }
    const dates = { made_on: '2026-11-01', expires_on: '2026-11-22' }
    const quote = { quote_id: `q_${++made}`, supplier_id, product_id, unit: price, ...dates }
    open.set(quote.quote_id, quote)
    return { said, quote }
  }
  const withdrawQuote = async (quote_id: string) => void open.delete(quote_id)
  return { open, suppliers: { negotiate, withdrawQuote } as unknown as Suppliers }
}

const generator = xorshift128plus(7)
const between = (low: number, high: number): number => low + ((generator.next() >>> 0) / 2 ** 32) * (high - low)

function randomSupplier(): BargainingSupplier {
  const ask = Math.round(between(300, 9000))
  const reserve = Math.round(ask * between(0.72, 0.95))
  const [patience, concession, offence] = [Math.floor(between(3, 10)), between(0.4, 2), between(0.5, 0.82)]
  return { ask, reserve, patience, concession, offence }
}

test('over 200 hidden policies it gets at least 60 % of what lies between list and reserve in the mean', async () => {
  const parts: number[] = []
  for (let i = 0; i < 200; i++) {
    const hidden = randomSupplier()
    const { open, suppliers } = supplierWith(hidden)
    const stance = { opening: Math.round(hidden.ask * 0.7), limit: hidden.ask, list: hidden.ask }
    const { quote, talks } = await negotiateQuote({ suppliers }, 's', 'p', stance, undefined)
    expect(talks.length).toBeLessThanOrEqual(3)
    expect([...open.values()]).toEqual(quote === undefined ? [] : [quote])
    parts.push(quote === undefined ? 0 : (hidden.ask - quote.unit) / (hidden.ask - hidden.reserve))
  }
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
  const none = parts.filter((part) => part === 0).length
  expect(mean, `${none} of 200 without a deal`).toBeGreaterThan(0.6)
})

test('it never agrees to more than its limit, whatever the supplier', async () => {
  for (let i = 0; i < 200; i++) {
    const hidden = randomSupplier()
    const limit = Math.round(hidden.ask * between(0.6, 1))
    const { suppliers } = supplierWith(hidden)
    const stance = { opening: Math.round(limit * 0.9), limit, list: hidden.ask }
    const { quote } = await negotiateQuote({ suppliers }, 's', 'p', stance, undefined)
    if (quote !== undefined) expect(quote.unit).toBeLessThanOrEqual(limit)
    if (limit < hidden.reserve) expect(quote).toBeUndefined()
  }
})

test('a deal in hand stands when the supplier has had enough', async () => {
  // It yields all at once: the first talk ends at the reserve, and nothing more is to be had.
  const hidden = { ask: 1000, reserve: 900, patience: 3, concession: 2, offence: 0.5 }
  const { open, suppliers } = supplierWith(hidden)
  const { quote, talks } = await negotiateQuote(
    { suppliers },
    's',
    'p',
    { opening: 700, limit: 1000, list: 1000 },
    undefined,
  )
  expect(talks.at(-1)?.at(-1)?.says).toBe('leaves')
  expect(quote?.unit).toBeLessThan(1000)
  expect([...open.keys()]).toEqual([quote?.quote_id])
})

test('the transcript says who said what', () => {
  const said = [
    { by: 'buyer', price: 700, says: 'offers' },
    { by: 'supplier', price: 900, says: 'offers' },
    { by: 'buyer', price: 900, says: 'accepts' },
  ] as const
  const left = [{ by: 'supplier', price: 900, says: 'leaves' }] as const
  expect(transcript([said, left], 'Nord', (price) => `${price / 100}`)).toEqual([
    'We offer 7.',
    'Nord asks for 9.',
    'We accept 9.',
    'Asked again, with that deal agreed.',
    'Nord leaves the table at 9.',
  ])
})
