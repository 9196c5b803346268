import { expect, test } from 'vitest'
import * as z from 'zod'
import { parseStrictly } from './operator-file.ts'
import { lazySchema } from './operator-schema.ts'

test('the JSON Schema, which takes a while to make, is made once for all unknown keys', () => {
  const { schema, jsonSchema } = lazySchema(() =>
    z.strictObject({ items: z.array(z.strictObject({ known: z.number() })) }),
  )
  let made = 0
  const counted = () => {
    made++
    return jsonSchema()
  }
  const items = Array.from({ length: 50 }, (_, number) => ({ known: 1, [`odd_${number}`]: 1 }))
  const parse = (value: unknown) =>
    parseStrictly(value, { name: 'file', schema: schema(), jsonSchema: counted, secrets: new Set() })
  expect(() => parse({ items })).toThrow(/^The file is not valid. \/items\/0\/odd_0 is not known here.*and 40 more$/s)
  expect(made).toBe(1)
  expect(parse({ items: [] })).toEqual({ items: [] })
  expect(made).toBe(1)
})
