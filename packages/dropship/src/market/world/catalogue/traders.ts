/** Invented names of suppliers and sellers, and where suppliers are. */
import { type Dice, pick, pickByShare } from '../../random.ts'

/** Countries of suppliers: delivery days, shipping in cents by weight, and a factor for labour cost. */
export const ORIGINS = [
  { country: 'CN', share: 0.42, lead: [9, 18], shipping: [190, 480], price: 0.9 },
  { country: 'VN', share: 0.08, lead: [9, 17], shipping: [210, 500], price: 0.92 },
  { country: 'IN', share: 0.08, lead: [8, 16], shipping: [210, 520], price: 0.93 },
  { country: 'TR', share: 0.08, lead: [5, 9], shipping: [260, 560], price: 1 },
  { country: 'PL', share: 0.12, lead: [3, 6], shipping: [290, 590], price: 1.08 },
  { country: 'CZ', share: 0.07, lead: [3, 6], shipping: [290, 600], price: 1.09 },
  { country: 'DE', share: 0.09, lead: [2, 4], shipping: [340, 650], price: 1.18 },
  { country: 'NL', share: 0.06, lead: [2, 4], shipping: [330, 640], price: 1.16 },
] as const

export type Origin = (typeof ORIGINS)[number]

const FIRST =
  'Alder, Amber, Bluefield, Brightwater, Cedar, Clearway, Copperline, Eastgate, Fairwind, Fernhill, Goldleaf, Harbour, Highland, Ironbridge, Juniper, Kingfisher, Lantern, Longreach, Maple, Meridian, Northgate, Oakridge, Orchard, Pinecrest, Quayside, Redstone, Riverbend, Saltmarsh, Silverbirch, Southport, Stonefield, Summit, Tideway, Upland, Valley, Westbrook, Willow, Windmill, Yarrow, Zephyr'.split(
    ', ',
  )
const SUPPLIER = 'Trading, Supply, Works, Export, Goods, Manufacturing, Wholesale, Factory Direct'.split(', ')
const SELLER = 'Store, Shop, Home, Living, Market, Corner, Outlet, Finds, Depot, Bazaar'.split(', ')

const named = (dice: Dice, second: readonly string[], taken: Set<string>): string => {
  for (let tries = 0; tries < 20; tries++) {
    const name = `${pick(dice, FIRST)} ${pick(dice, second)}`
    if (!taken.has(name)) {
      taken.add(name)
      return name
    }
  }
  const name = `${pick(dice, FIRST)} ${pick(dice, FIRST)} ${pick(dice, second)} ${taken.size + 1}`
  taken.add(name)
  return name
}

export const supplierName = (dice: Dice, taken: Set<string>): string => named(dice, SUPPLIER, taken)
export const sellerName = (dice: Dice, taken: Set<string>): string => named(dice, SELLER, taken)

export const originOf = (dice: Dice): Origin => pickByShare<Origin>(dice, ORIGINS)
