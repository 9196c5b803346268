/**
 * What the checker says of schemas, held against the validator of every call, over generated schemas and values. AGENT_RUNS says
 * how many.
 */

import { propertyRuns } from '@myrmex/testing/long'
import { anySchema, compileCheck, samplesOf, schemaPair } from '@myrmex/testing/spec/random-schemas'
import { Sampler } from '@myrmex/testing/spec/schema-sampler'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject, type Json, type JsonObject, valueAtPath } from '../../../protocol/json.ts'
import { readSchema, SchemaRefusal } from '../../../schema/containment/schema-document.ts'
import { judge, scopeOf } from '../../../schema/json-schema/judge.ts'
import { WITH_REFERENCES } from '../reference.ts'
import { AnalysedSchema } from './alternatives.ts'
import { MismatchFinder } from './find-mismatch.ts'
import { followPath } from './follow-path.ts'
import { fit } from './schema-fit.ts'

const RUNS = propertyRuns(50, 2000)
const LIMIT = 20_000 + RUNS * 100
const options = { numRuns: RUNS }

const valuesFor = (schema: JsonObject, seed: number): Json[] => {
  const sampler = new Sampler(schema, seed)
  return Array.from({ length: 8 }, () => sampler.value()).flatMap((value) => [value, sampler.near(value)])
}

/** A few schemas the validator itself misjudges; see containment/document.ts. */
const isReliable = (schema: JsonObject): boolean => {
  const document = readSchema(schema)
  return document instanceof SchemaRefusal || document.unprovable === undefined
}

test(
  'a value that is said to fit is accepted by the validator, and one that is said not to is refused',
  () => {
    const tally = { fits: 0, unknown: 0, not: 0 }
    fc.assert(
      fc.property(anySchema().filter(isReliable), fc.nat(), (schema, seed) => {
        const accepts = compileCheck(schema)
        for (const value of valuesFor(schema, seed)) {
          const judged = judge(schema, value, scopeOf(schema), WITH_REFERENCES)
          tally[typeof judged === 'object' ? 'not' : judged]++
          if (judged === 'unknown') continue
          expect(accepts(value).length === 0, `${JSON.stringify(value)} fits ${JSON.stringify(schema)}`).toBe(
            judged === 'fits',
          )
        }
      }),
      options,
    )
    const all = tally.fits + tally.unknown + tally.not
    expect(tally.fits / all, 'a fair share fits').toBeGreaterThan(0.1)
    expect(tally.unknown / all, 'few are unknown').toBeLessThan(0.3)
  },
  LIMIT,
)

/** Every part of a value, by the steps that lead there, and a few that lead nowhere. */
function* pathsIn(value: Json, path: string[] = []): Generator<string[]> {
  yield path
  for (const step of ['a', '0', '1', 'kind', 'nowhere']) yield [...path, step]
  if (typeof value === 'object' && value !== null && path.length < 4)
    for (const [key, item] of Object.entries(value)) yield* pathsIn(item as Json, [...path, key])
}

/** The same schema with a word about other properties wherever it has none: what is not said is read as closed. */
function outspoken<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(outspoken) as T
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [key, VALUES.has(key) ? item : outspoken(item)]),
  )
  const speaks = inner.type === 'object' || inner.properties !== undefined || inner.patternProperties !== undefined
  const silent = speaks && inner.additionalProperties === undefined
  return (silent ? { ...inner, additionalProperties: true } : inner) as T
}
const VALUES = new Set(['enum', 'const', 'required', 'dependentRequired'])

/** The same schema with everything required that has a name, and lists of at least two: more of it is certain. */
function insisting<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(insisting) as T
  if (!isObject(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [key, VALUES.has(key) ? item : insisting(item)]),
  )
  if (isObject(inner.properties)) inner.required = Object.keys(inner.properties)
  if (inner.type === 'array') inner.minItems = 2
  return inner as T
}

test(
  'a path that is certain is in every value, and one that is not there is in none',
  () => {
    const tally = { certain: 0, possible: 0, none: 0 }
    fc.assert(
      fc.property(anySchema(), fc.nat(), (given, seed) => {
        // Three of four insist: of those that do not hardly anything is certain.
        const schema = outspoken(seed % 4 === 0 ? given : insisting(given))
        const values = samplesOf(schema, 12, seed)
        const reading = new AnalysedSchema(schema)
        const paths = new Map(values.flatMap((value) => [...pathsIn(value)]).map((one) => [one.join('/'), one]))
        for (const path of paths.values()) {
          const found = followPath(reading, path)
          const said = found.found ? (found.doubt === undefined ? 'certain' : 'possible') : 'none'
          const holding = values.filter((value) => valueAtPath(value, path) !== undefined)
          const expected = { certain: values, possible: holding, none: [] }[said]
          expect(holding, `${path.join('/')} in ${JSON.stringify(schema)} is ${said}`).toEqual(expected)
          if (path.length > 0) tally[said]++
        }
      }),
      options,
    )
    expect(Math.min(tally.certain, tally.none), JSON.stringify(tally)).toBeGreaterThan(RUNS / 10)
  },
  LIMIT,
)

/** Null and the empty list fit by accident; see fit.ts. */
const isTelling = (value: unknown): boolean =>
  value !== null &&
  (typeof value !== 'object' ||
    ((Array.isArray(value) ? value.length > 0 : true) && Object.values(value).every(isTelling)))

test(
  'what never fits is never accepted, what surely fits always, and a value that may come and is refused does both',
  () => {
    const tally = { surely: 0, perhaps: 0, never: 0, refused: 0 }
    fc.assert(
      fc.property(schemaPair(), fc.nat(), (pair, seed) => {
        const [narrow, wide] = [outspoken(pair.narrow), outspoken(pair.wide)]
        const [source, target] = [new AnalysedSchema(narrow), new AnalysedSchema(wide)]
        const place = { schema: source, alternatives: source.alternativesOf(narrow) }
        const found = fit(place, { schema: target, alternatives: target.alternativesOf(wide) })
        tally[found.fit]++
        const accepts = compileCheck(wide)
        const values = samplesOf(narrow, 12, seed)
        const what = `${JSON.stringify(narrow)} in ${JSON.stringify(wide)}`
        const accepted = values.filter((value) => accepts(value).length === 0)
        if (found.fit === 'surely') expect(accepted, what).toEqual(values)
        if (found.fit === 'never') expect(accepted.filter(isTelling), what).toEqual([])
        const refused = new MismatchFinder().mismatch(place, target, wide)
        if (refused === undefined || refused.endsWith('…')) return
        tally.refused++
        expect(compileCheck(narrow)(JSON.parse(refused)), `${refused} comes of ${what}`).toEqual([])
        expect(accepts(JSON.parse(refused)), `${refused} is refused by ${what}`).not.toEqual([])
      }),
      options,
    )
    expect(Math.min(tally.surely, tally.never, tally.refused), JSON.stringify(tally)).toBeGreaterThan(RUNS / 40)
  },
  LIMIT,
)
