/** What the tests of the brain think about: three tools, a goal, a plan for it that is right, and one result to judge. */
import type { PlanRequest, ReviseRequest } from '../../packages/myrmex/src/agent/brain/brain.ts'
import type { ToolView } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { JsonObject } from '../../packages/myrmex/src/protocol/json.ts'

const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const tool = (
  name: string,
  description: string,
  input: JsonObject,
  output: JsonObject,
  destructive = false,
): ToolView => ({
  agent: name.split('.')[0] as string,
  name,
  version: '1.0.0',
  hash: `sha256-${name}`,
  description,
  input,
  output,
  destructive,
  idempotent: !destructive,
  undo: false,
})

export const FIND = tool(
  'supplier.find_suppliers',
  'Finds suppliers of a product.',
  object({ product_id: { type: 'string', type_id: 'product_id' } }, 'product_id'),
  object(
    {
      suppliers: {
        type: 'array',
        items: object({ supplier_id: { type: 'string', type_id: 'supplier_id' } }, 'supplier_id'),
      },
      supplier_id: { type: 'string', type_id: 'supplier_id' },
    },
    'suppliers',
    'supplier_id',
  ),
)

export const NEGOTIATE = tool(
  'supplier.negotiate_price',
  'Negotiates a price with a supplier and gives a quote.',
  object(
    { supplier_id: { type: 'string', type_id: 'supplier_id' }, target_price: { type: 'number' } },
    'supplier_id',
    'target_price',
  ),
  object({ quote_id: { type: 'string', type_id: 'quote_id' } }, 'quote_id'),
  true,
)

export const WRITE_COPY = tool(
  'marketing.write_copy',
  'Writes copy for a product.',
  object(
    {
      product_name: { type: 'string' },
      max_words: { type: 'integer', minimum: 1, maximum: 200 },
      feedback: { type: 'array', items: { type: 'string' } },
      keywords: { type: 'array', items: { type: 'string' } },
      access_token: { type: 'string', 'x-secret': true },
    },
    'product_name',
  ),
  object({ text: { type: 'string' } }, 'text'),
  true,
)

export const TOOLS = [FIND, NEGOTIATE, WRITE_COPY]

export const planRequest = (tools: readonly ToolView[] = TOOLS): PlanRequest => ({
  goal: 'Negotiate a price of 4 for product p1',
  context: { known: { product_id: 'p1', target_price: 4 }, want: ['quote_id'], budget: { money: 100 } },
  tools,
})

/** As a model would answer: without goal and budget, which are not its business. */
export const GOOD_PLAN = {
  steps: [
    {
      id: 'find',
      agent: 'supplier',
      tool: 'supplier.find_suppliers',
      arguments: { product_id: 'p1' },
      needs: [],
      why: 'Somebody must be found to negotiate with.',
    },
    {
      id: 'deal',
      agent: 'supplier',
      tool: 'supplier.negotiate_price',
      arguments: { supplier_id: { $from: 'find', path: '/suppliers/0/supplier_id' }, target_price: 4 },
      needs: ['find'],
      why: 'The goal is a price of 4.',
    },
  ],
  assumptions: ['The first supplier will do.'],
  questions: [],
}

export const reviseRequest = (more: Partial<ReviseRequest> = {}): ReviseRequest => ({
  goal: 'Launch a coffee brand',
  step: {
    id: 'copy',
    agent: 'marketing',
    tool: WRITE_COPY.name,
    arguments: { product_name: 'Kaffa' },
    needs: [],
    why: 'It needs words.',
    criteria: [
      { name: 'length', max_words: 50 },
      { name: 'Keyword coverage', keywords: ['coffee', 'roast'] },
    ],
  },
  tool: WRITE_COPY,
  arguments: { product_name: 'Kaffa', access_token: 'tok-8c1f-secret' },
  data: { text: 'Kaffa. Kaffa. Kaffa.' },
  verdict: {
    verdict: 'revise',
    score: 0.3,
    judgements: [
      { criterion: 'clarity', score: 0.3, verdict: 'revise', evidence: [], suggestion: 'Use whole sentences.' },
      { criterion: 'tone', score: 0.9, verdict: 'pass', evidence: [], suggestion: 'Nothing to do.' },
    ],
    summary: 'Not clear.',
  },
  ...more,
})
