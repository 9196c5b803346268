/**
 * What "compatible" promises: values that were accepted are, and values that come were promised. On generated pairs of schemas,
 * judged by the validator itself. `npm run test:spec` compares 4,000 pairs, `RUNS=10000 npm run test:spec` 10,000.
 */

import { propertyRuns } from '@myrmex/testing/long'
import { compileCheck, type SchemaPair, samplesOf, schemaPair } from '@myrmex/testing/spec/random-schemas'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { toolDifferences } from '../../tool/difference/tool-differences.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { CHANGES } from './change-kinds.ts'
import { memberStep } from './location-steps.ts'
import { judgeSchemaChanges, type Side } from './schema-changes.ts'
import { type ValueLocations, valueLocations } from './value-locations.ts'

const PAIRS = propertyRuns(50, 4000)
const SAMPLES = 12

const plain: ToolBody = {
  name: 'test.pair',
  version: '1.0.0',
  description: 'For tests.',
  inputSchema: {},
  outputSchema: {},
  errors: {},
  destructive: false,
  idempotent: true,
  security: 'None.',
  examples: [],
}

/** Without the members that `drops` names, place by place as `locations` has them. */
function less(value: Json, locations: ValueLocations, drops: (place: string, name: string) => boolean, at = ''): Json {
  const place = locations.recursions.get(at) ?? at
  if (Array.isArray(value)) return value.map((item) => less(item, locations, drops, `${place}/[]`))
  if (!isObject(value)) return value
  const below = (name: string): string =>
    locations.byLocation.has(memberStep(place, name)) ? memberStep(place, name) : `${place}/*`
  const kept = Object.entries(value).filter(([name]) => !drops(place, name))
  return Object.fromEntries(
    kept.map(([name, item]) => [name, less(item as Json, locations, drops, below(name))]),
  ) as Json
}

const isListed = (locations: ValueLocations, place: string, name: string): boolean =>
  locations.byLocation.get(place)?.properties.has(name) === true ||
  locations.byLocation.get(place)?.mentioned.has(name) === true

/** Only where nothing in the schema looks at the object as a whole. */
function ignores(locations: ValueLocations, place: string): boolean {
  const location = locations.byLocation.get(place)
  return location !== undefined && !location.map && !location.counted && !location.exact
}

/** As `compare` says it, but with one validator for all schemas. */
function compatible(before: JsonObject, after: JsonObject, side: Side): boolean {
  const [old, now] = [
    { ...plain, [side]: before },
    { ...plain, [side]: after },
  ]
  const { changes } = judgeSchemaChanges(old, now, side, toolDifferences(old, now), compileCheck)
  return changes.every(({ kind }) => CHANGES[kind].level !== 'major')
}

/** How often "compatible" was said, and how many values were tried for it. */
const said = { input: 0, output: 0, values: 0 }

function inputHolds({ narrow: before, wide: after }: SchemaPair, seed: number): void {
  if (!compatible(before, after, 'inputSchema')) return
  said.input++
  const [old, now] = [valueLocations(before), valueLocations(after)]
  const [took, takes] = [compileCheck(before), compileCheck(after)]
  // No caller has sent a name that only the new schema declares.
  const unheard = (place: string, name: string): boolean => isListed(now, place, name) && !isListed(old, place, name)
  for (const sample of samplesOf(before, SAMPLES, seed)) {
    const value = less(sample, now, unheard)
    if (took(value).length > 0) continue
    said.values++
    expect(takes(value), JSON.stringify({ before, after, value })).toEqual([])
  }
}

function outputHolds({ narrow: after, wide: before }: SchemaPair, seed: number): void {
  if (!compatible(before, after, 'outputSchema')) return
  said.output++
  const old = valueLocations(before)
  const promised = compileCheck(before)
  for (const value of samplesOf(after, SAMPLES, seed)) {
    said.values++
    if (promised(value).length === 0) continue
    // A reader ignores the names that the old schema does not declare.
    const read = less(value, old, (place, name) => ignores(old, place) && !isListed(old, place, name))
    expect(promised(read), JSON.stringify({ before, after, value, read })).toEqual([])
  }
}

test('where a change is said to be compatible, the values agree', { timeout: 60_000 + PAIRS * 400 }, () => {
  fc.assert(
    fc.property(schemaPair(), fc.nat(), (pair, seed) => {
      inputHolds(pair, seed)
      outputHolds(pair, seed)
    }),
    { numRuns: PAIRS },
  )
  expect(said.input).toBeGreaterThan(PAIRS / 20)
  expect(said.output).toBeGreaterThan(PAIRS / 20)
  expect(said.values).toBeGreaterThan(PAIRS)
})
