/** The kinds of fields that tool schemas have, each with its bounds, its description and, optionally, its semantic type. */
import * as z from 'zod'

const about = (description?: string, type_id?: string) => ({
  ...(type_id !== undefined && { type_id }),
  ...(description !== undefined && { description }),
})

export const text = (max: number, description?: string, type_id?: string) =>
  z.string().max(max).meta(about(description, type_id))

/** A text that must not be empty. */
export const filledText = (max: number, description?: string, type_id?: string) =>
  z.string().min(1).max(max).meta(about(description, type_id))

export const number = (description?: string, type_id?: string) => z.number().meta(about(description, type_id))

export const integer = (description?: string) => z.number().int().meta(about(description))

export const integerFrom = (min: number, max: number, description: string) =>
  z.number().int().min(min).max(max).describe(description)

export const count = (description?: string) => z.number().int().min(0).meta(about(description))

/** From 0 to 1. */
export const share = (description?: string) => z.number().min(0).max(1).meta(about(description))

export const list = <T extends z.ZodType>(max: number, description: string, item: T, type_id?: string) =>
  z.array(item).max(max).meta(about(description, type_id))

export const nullable = <T extends z.ZodType>(description: string, item: T, type_id?: string) =>
  item.nullable().meta(about(description, type_id))

/** An estimate with its interval. */
export const range = (
  description: string,
  [low, expected, high]: readonly [string, string, string],
  value = number(),
) => object(description, { low: value.describe(low), expected: value.describe(expected), high: value.describe(high) })

export const object = <T extends z.ZodRawShape>(description: string, shape: T) => z.object(shape).describe(description)
