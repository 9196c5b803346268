/** Fields shared by the supplier and research agents, with descriptions and semantic types. */
import * as z from 'zod'

const ID = 64

export const product_id = z
  .string()
  .min(1)
  .max(ID)
  .meta({ type_id: 'product_id', description: 'Id of the product on the marketplace.' })

export const product_name = z
  .string()
  .min(1)
  .max(300)
  .meta({ type_id: 'product_name', description: 'Title of the product.' })

export const supplier_id = z
  .string()
  .min(1)
  .max(ID)
  .meta({ type_id: 'supplier_id', description: 'Id of the supplier.' })

export const target_price = z
  .number()
  .positive()
  .max(1_000_000)
  .meta({ type_id: 'target_price', description: 'Unit price to ask the supplier for.' })

export const amount = (description: string) => z.number().describe(`${description} In the currency of the shop.`)

export const share = (description: string) => z.number().min(0).max(1).describe(`${description} 0 to 1.`)

export const lead_days = z.number().int().describe('Days from the order to the customer.')

export const reliability = share('Expected share of units that arrive undamaged and on time.')
