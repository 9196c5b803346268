/** Fields shared by the tools of this agent, with their semantic types. */
import * as z from 'zod'
import * as field from '../field-types.ts'

const MAX = 1_000_000_000

export const sku = field.text(150, 'SKU of the product.', 'sku')
export const productName = field.text(300, 'Title of the product.', 'product_name')
export const count = z.int().min(-MAX).max(MAX)
export const amount = z.number().min(0).max(MAX)
export const day = field.text(10).regex(/^\d{4}-\d{2}-\d{2}$/)
