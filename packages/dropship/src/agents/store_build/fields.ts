/** Fields shared by the tools of this agent, with their semantic types. */
import * as z from 'zod'
import * as field from '../field-types.ts'

export const pageId = field.filledText(40, 'Id of the page, such as p_61.', 'page_id')
export const sku = field.filledText(100, 'SKU of the product.', 'sku')
export const productName = field.filledText(300)
export const price = z.number().positive().max(1_000_000)
export const html = field.text(500_000)
export const score = z.number().min(0).max(100)
export const keyword = field.text(80)
