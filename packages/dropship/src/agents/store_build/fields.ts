/** Fields shared by the tools of this agent, with their semantic types. */
import * as z from 'zod'

export const pageId = z
  .string()
  .min(1)
  .max(40)
  .meta({ type_id: 'page_id', description: 'Id of the page, such as p_61.' })
export const sku = z.string().min(1).max(100).meta({ type_id: 'sku', description: 'SKU of the product.' })
export const productName = z.string().min(1).max(300)
export const price = z.number().positive().max(1_000_000)
export const html = z.string().max(500_000)
export const score = z.number().min(0).max(100)
export const keyword = z.string().max(80)
