/** Changes that are judged by how names are read: where a name more or less is more than a name. */
import type { JsonObject } from '../../../packages/myrmex/src/protocol/json.ts'
import { type ChangeCase, field, inputOf, node, number, outputOf, parameter, string } from './change-case.ts'

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })

export const PROPERTY_NAMES: ChangeCase[] = [
  [
    'a field added to a closed output that must not be empty',
    outputOf({ properties: { a: string }, additionalProperties: false, minProperties: 1 }),
    outputOf({ properties: { a: string, b: string }, additionalProperties: false, required: ['b'], minProperties: 1 }),
    'major',
    ['output-widened', 'output-field-added'],
  ],
  [
    'a field that tells elements apart which the old schema could not',
    field({ type: 'array', uniqueItems: true, items: { properties: { a: string }, additionalProperties: false } }),
    field({
      type: 'array',
      uniqueItems: true,
      items: { properties: { a: string, b: string }, additionalProperties: false },
    }),
    'major',
    ['output-widened', 'output-field-added'],
  ],
  [
    'a parameter named that a pattern above it speaks of too',
    inputOf({
      properties: { ab: { type: 'object', properties: {} } },
      patternProperties: { '^a': { properties: { x: number } } },
    }),
    inputOf({
      properties: { ab: { type: 'object', properties: { x: string } } },
      patternProperties: { '^a': { properties: { x: number } } },
    }),
    'major',
    ['input-narrowed', 'parameter-added'],
  ],
  [
    'a parameter named that an allowed value has',
    parameter({ enum: [{ n: 1 }, { m: 1 }], properties: {} }),
    parameter({ enum: [{ n: 1 }, { m: 1 }], properties: { n: string } }),
    'major',
    ['input-narrowed', 'parameter-added'],
  ],
  [
    'a parameter named that had to be absent',
    inputOf({ properties: {}, not: { required: ['x'] } }),
    inputOf({ properties: { x: string } }),
    'minor',
    ['parameter-added', 'input-widened'],
  ],
  [
    'an optional parameter added to a tree',
    { input: node },
    {
      input: {
        type: 'object',
        properties: {
          name: string,
          note: string,
          below: { type: 'array', items: { $ref: '#' } },
        },
        required: ['name'],
      },
    },
    'minor',
    ['parameter-added'],
  ],
  [
    'a parameter named in a tree that was named only far below before',
    inputOf({ properties: { below: object({ below: { ...object({ x: number }), additionalProperties: false } }) } }),
    inputOf({ properties: { x: string, below: { $ref: '#' } } }),
    'major',
    ['input-narrowed', 'input-narrowed', 'parameter-type-widened', 'parameter-added'],
  ],
]
