/** Fields shared by the supplier and research agents, with descriptions and semantic types. */
import * as z from 'zod'
import * as field from '../field-types.ts'

const ID = 64

export const product_id = field.filledText(ID, 'Id of the product on the marketplace.', 'product_id')

export const product_name = field.filledText(300, 'Title of the product.', 'product_name')

export const supplier_id = field.filledText(ID, 'Id of the supplier.', 'supplier_id')

export const target_price = z
  .number()
  .positive()
  .max(1_000_000)
  .meta({ type_id: 'target_price', description: 'Unit price to ask the supplier for.' })

export const amount = (description: string) => field.number(`${description} In the currency of the shop.`)

export const share = (description: string) => field.share(`${description} 0 to 1.`)

export const lead_days = field.integer('Days from the order to the customer.')

export const reliability = share('Expected share of units that arrive undamaged and on time.')
