/** A few tools of a coffee shop and the words to make plans of them, for the tests of the checker. Nothing of it is shipped. */
import type { ToolView } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { Budget, Plan, Step } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { JsonObject } from '../../packages/myrmex/src/protocol/json.ts'

export const view = (name: string, input: JsonObject, output: JsonObject | undefined): ToolView => ({
  agent: name.slice(0, name.indexOf('.')),
  name,
  version: '1.0.0',
  hash: name,
  description: name,
  input,
  output,
  destructive: false,
  idempotent: true,
  undo: false,
})

export const object = (properties: JsonObject, required: string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
export const text: JsonObject = { type: 'string' }
export const number: JsonObject = { type: 'number' }

const offer = object(
  {
    supplier_id: { type: 'string', type_id: 'supplier_id' },
    price: number,
    grade: { enum: ['a', 'b'] },
    note: text,
    token: { type: 'string', 'x-secret': true },
  },
  ['supplier_id', 'price', 'grade', 'token'],
)

export const TOOLS: readonly ToolView[] = [
  view(
    'supplier.find_suppliers',
    object({ product: text, min_rating: { type: 'number', minimum: 0, maximum: 5 } }, ['product']),
    {
      ...object({
        suppliers: { type: 'array', items: { $ref: '#/$defs/offer' } },
        best: { $ref: '#/$defs/offer' },
        count: { type: 'integer', minimum: 0 },
        from: { anyOf: [object({ city: text }), object({ country: text })] },
        pair: { type: 'array', prefixItems: [text, number], minItems: 2, maxItems: 2 },
        more: { type: 'object', additionalProperties: number },
        maybe: { type: ['string', 'null'] },
      }),
      $defs: { offer },
    },
  ),
  view(
    'supplier.negotiate_price',
    object({
      supplier_id: { type: 'string', type_id: 'supplier_id' },
      target: object({ price: { type: 'number', exclusiveMinimum: 0 }, currency: { enum: ['EUR', 'USD'] } }, ['price']),
    }),
    object({ quote_id: { type: 'string', type_id: 'quote_id' }, price: number }),
  ),
  view(
    'marketing.create_campaign',
    object({ budget: { type: 'number', minimum: 0, 'x-cost': true }, platform: text }),
    undefined,
  ),
  view('marketing.grade', object({ grade: { enum: ['c', 'd'] } }, []), undefined),
  view('marketing.sign', object({ key: { type: 'string', 'x-secret': true, minLength: 30 } }), undefined),
  view('shop.open', { type: 'object', properties: { name: text }, required: ['name'] }, object({ url: text })),
]

export const step = (id: string, tool: string, args: Record<string, unknown>, needs: string[] = []): Step => ({
  id,
  agent: tool.slice(0, tool.indexOf('.')),
  tool,
  arguments: args,
  needs,
  why: 'because',
})
export const plan = (steps: Step[], budget: Budget = {}): Plan => ({
  goal: 'coffee',
  steps,
  budget,
  assumptions: [],
  questions: [],
})

export const find = step('s1', 'supplier.find_suppliers', { product: 'beans' })
export const from = (path: string, $from = 's1'): unknown => ({ $from, path })
export const negotiate = (supplier: unknown, price: unknown = 3): Step =>
  step('s2', 'supplier.negotiate_price', { supplier_id: supplier, target: { price } }, ['s1'])
export const campaign = (budget: unknown, id = 's2'): Step =>
  step(id, 'marketing.create_campaign', { budget, platform: 'x' })
