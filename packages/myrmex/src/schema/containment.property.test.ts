/**
 * Containment on generated pairs of schemas: whatever is said must be true of the validator. RUNS sets how many pairs,
 * SEED which ones.
 */

import { propertyRuns } from '@myrmex/testing/long'
import { anySchema, compileCheck, type SchemaPair, samplesOf, schemaPair } from '@myrmex/testing/spec/random-schemas'
import { Sampler } from '@myrmex/testing/spec/schema-sampler'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromJsonSchema } from '../protocol/json-schema.ts'
import { Evaluator } from './containment/evaluate.ts'
import { SchemaInterner } from './containment/formula/interned-schema.ts'
import { readSchema, SchemaRefusal } from './containment/schema-document.ts'
import { WorkLimit } from './containment/search/work-limit.ts'
import { checkContainment } from './containment.ts'

const PAIRS = propertyRuns(100, 4000)
const LIMIT = 60_000 + PAIRS * 400
const options = { numRuns: PAIRS }

test(
  'what is said to be contained accepts no value that the other refuses, and every witness is one',
  () => {
    const tally = { contained: 0, 'not contained': 0, undecided: 0, values: 0 }
    fc.assert(
      fc.property(schemaPair(), fc.nat(), ({ narrow, wide }: SchemaPair, seed) => {
        const found = checkContainment(narrow, wide, compileCheck)
        tally[found.verdict]++
        if (found.verdict === 'not contained') {
          expect(compileCheck(narrow)(found.witness as never), 'the first accepts the witness').toEqual([])
          expect(compileCheck(wide)(found.witness as never), 'the second refuses it').not.toEqual([])
        }
        if (found.verdict !== 'contained') return
        const accepts = compileCheck(wide)
        for (const value of samplesOf(narrow, 20, seed)) {
          tally.values++
          expect(accepts(value), `the second accepts ${JSON.stringify(value)}`).toEqual([])
        }
      }),
      options,
    )
    const decided = tally.contained + tally['not contained'] + tally.undecided
    expect(tally.contained / decided, 'a fair share is contained').toBeGreaterThan(0.3)
    expect(tally['not contained'] / decided, 'and a fair share is not').toBeGreaterThan(0.15)
    expect(tally.undecided / decided, 'few are undecided').toBeLessThan(0.05)
    expect(tally.values / tally.contained, 'there were values to try').toBeGreaterThan(3)
  },
  LIMIT,
)

test(
  'every schema is contained in itself, and in itself with other words about it',
  () => {
    fc.assert(
      fc.property(anySchema(), (schema) => {
        expect(checkContainment(schema, structuredClone(schema), compileCheck)).toEqual({ verdict: 'contained' })
        expect(checkContainment(schema, { ...schema, title: 'the same', 'x-other': true }, compileCheck)).toEqual({
          verdict: 'contained',
        })
      }),
      options,
    )
  },
  LIMIT,
)

test(
  'a part of a schema is judged as the validator judges it',
  () => {
    fc.assert(
      fc.property(anySchema(), fc.nat(), (schema, seed) => {
        const document = readSchema(schema)
        if (document instanceof SchemaRefusal || document.unprovable !== undefined) return
        const nodes = new SchemaInterner()
        const evaluator = new Evaluator(new WorkLimit(1e6))
        const sampler = new Sampler(schema, seed)
        const accepts = compileCheck(schema)
        for (let turn = 0; turn < 5; turn++) {
          const value = sampler.near(sampler.value())
          const verdict = evaluator.accepts(nodes.intern(document.root, document), value)
          if (verdict !== undefined) expect(verdict, JSON.stringify(value)).toBe(accepts(value).length === 0)
        }
      }),
      options,
    )
  },
  LIMIT,
)

test('the shared validator of these tests judges as ours does', () => {
  fc.assert(
    fc.property(anySchema(), fc.nat(), (schema, seed) => {
      const ours = fromJsonSchema(schema, 'output')
      const accepts = compileCheck(schema)
      const sampler = new Sampler(schema, seed)
      for (let turn = 0; turn < 5; turn++) {
        const value = sampler.near(sampler.value())
        expect(ours.parse(value).success).toBe(accepts(value).length === 0)
      }
    }),
    { numRuns: 20 },
  )
})

test('it never throws, whatever stands under the keywords', () => {
  const keyword = fc.constantFrom(
    'type',
    'enum',
    'const',
    'items',
    'prefixItems',
    'properties',
    'required',
    'not',
    'anyOf',
    '$ref',
    '$defs',
    'pattern',
    'minimum',
    'contains',
    'dependentRequired',
    'if',
    'format',
    '$schema',
    '$id',
    'multipleOf',
    'additionalProperties',
    'maxContains',
  )
  const junk = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 'string', '(', '#', '#/$defs/a', [], {}, Number.NaN, undefined),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(keyword, tie('value'), { maxKeys: 4 }),
  })).object
  fc.assert(
    fc.property(junk, junk, (narrow, wide) => {
      expect(['contained', 'not contained', 'undecided']).toContain(
        checkContainment(narrow as never, wide as never, compileCheck).verdict,
      )
    }),
    options,
  )
})
