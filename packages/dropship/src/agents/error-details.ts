/** The errors of tools with the fields of their details. Shops differ in what they add, so other fields may follow. */
import type { DescribedError } from 'myrmex'
import * as z from 'zod'

export const failure = (when: string, fields: z.ZodRawShape): DescribedError => ({
  when,
  details: z.looseObject(fields),
})

export const text = (description: string) => z.string().describe(description)
export const texts = (description: string) => z.array(z.string()).describe(description)
export const integer = (description: string) => z.int().min(0).max(1_000_000_000).describe(description)
export const amount = (description: string) => z.number().describe(description)
