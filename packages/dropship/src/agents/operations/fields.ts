/** Fields shared by the tools of this agent, with their semantic types. */
import * as z from 'zod'

const MOST = 1_000_000_000

export const sku = z.string().max(150).meta({ type_id: 'sku', description: 'SKU of the product.' })
export const productName = z.string().max(300).meta({ type_id: 'product_name', description: 'Title of the product.' })
export const count = z.int().min(-MOST).max(MOST)
export const amount = z.number().min(0).max(MOST)
export const day = z
  .string()
  .max(10)
  .regex(/^\d{4}-\d{2}-\d{2}$/)
