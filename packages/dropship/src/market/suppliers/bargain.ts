/**
 * How a supplier negotiates. Its next bid follows from the bids so far and from its hidden reserve, patience and temper, without dice. It
 * never goes below its reserve, never raises its price, and honours its offers.
 *
 * The concession curve is the time-dependent one of Faratin, Sierra and Jennings (1998): share given up after round r of R is
 * (r / R) ^ (1 / concession).
 */
import type { Bid } from '../../ports.ts'
import type { HiddenOffer } from '../world/hidden-parameters.ts'

export type BargainingSupplier = Pick<HiddenOffer, 'ask' | 'reserve' | 'patience' | 'concession' | 'offence'>

/** Days for which a supplier that has left does not negotiate about that product. */
export const TALKS_CLOSED_DAYS = 7
/** Days for which a quote is valid. */
export const QUOTE_DAYS = 21

const offersOf = (said: readonly Bid[], by: Bid['by']): number[] =>
  said.filter((bid) => bid.by === by && bid.says === 'offers').map((bid) => bid.price)

/** A bid that does not rise costs the supplier's patience two rounds. */
const roundsSpent = (bids: readonly number[]): number =>
  bids.reduce((spent, bid, at) => spent + (at > 0 && bid <= (bids[at - 1] ?? 0) ? 2 : 1), 0)

export const supplierReply = (hidden: BargainingSupplier, said: readonly Bid[]): Bid => {
  const bids = offersOf(said, 'buyer')
  const own = offersOf(said, 'supplier')
  const bid = bids.at(-1)
  const standing = own.at(-1) ?? hidden.ask
  if (bid === undefined) return { by: 'supplier', price: hidden.ask, says: 'offers' }
  if (bid >= standing) return { by: 'supplier', price: standing, says: 'accepts' }
  const insults = bids.filter((price) => price < hidden.offence * hidden.reserve).length
  const insulted = bid < hidden.offence * hidden.reserve
  // After the first insulting bid the supplier concedes nothing. The second ends the negotiation.
  if (insults > 1) return { by: 'supplier', price: standing, says: 'leaves' }
  if (insulted) return { by: 'supplier', price: standing, says: 'offers' }

  const spent = Math.min(hidden.patience, roundsSpent(bids) - insults)
  const given = (spent / hidden.patience) ** (1 / hidden.concession)
  const planned = Math.ceil(hidden.ask - (hidden.ask - hidden.reserve) * given)
  const price = Math.max(hidden.reserve, Math.min(standing, planned))
  if (bid >= price) return { by: 'supplier', price: bid, says: 'accepts' }
  if (roundsSpent(bids) > hidden.patience) return { by: 'supplier', price: standing, says: 'leaves' }
  return { by: 'supplier', price, says: 'offers' }
}
