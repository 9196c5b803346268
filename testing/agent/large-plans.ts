/** Plans and tools by the hundred, to see how long checking takes. Nothing of it is shipped. */
import type { ToolView } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { Plan, Step } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { JsonObject } from '../../packages/myrmex/src/protocol/json.ts'

/** Tools that each take what others give: ids, an amount, a list, an address. No two have the same schema. */
export function manyTools(count: number): ToolView[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `module_${index % 7}.tool_${index}`
    return {
      agent: `module_${index % 7}`,
      name,
      version: '1.0.0',
      hash: name,
      description: `Tool number ${index}.`,
      input: inputOf(index),
      output: outputOf(index),
      destructive: index % 3 === 0,
      idempotent: true,
      undo: false,
    }
  })
}

const inputOf = (index: number): JsonObject => ({
  type: 'object',
  properties: {
    item_id: { type: 'string', type_id: 'item_id', minLength: 1 },
    amount: { type: 'number', minimum: 0, maximum: 1_000_000 + index },
    mode: { enum: ['fast', 'careful', `mode_${index}`] },
    when: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string', maxLength: 40 }, maxItems: 10 },
    address: { $ref: '#/$defs/address' },
    spend: { type: 'number', minimum: 0, 'x-cost': true },
  },
  required: ['item_id', 'amount'],
  additionalProperties: false,
  $defs: { address: ADDRESS },
})

const ADDRESS: JsonObject = {
  type: 'object',
  properties: {
    street: { type: 'string' },
    city: { type: 'string' },
    zip: { type: 'string', pattern: '^[0-9]{4,5}$' },
  },
  required: ['street', 'city'],
  additionalProperties: false,
}

const outputOf = (index: number): JsonObject => ({
  type: 'object',
  properties: {
    item_id: { type: 'string', type_id: 'item_id', minLength: 1 },
    total: { type: 'number', minimum: 0, maximum: 1000 + index },
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: { item_id: { type: 'string', type_id: 'item_id' }, score: { type: 'number' } },
        required: ['item_id', 'score'],
        additionalProperties: false,
      },
    },
    place: { anyOf: [{ $ref: '#/$defs/address' }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['item_id', 'total', 'rows', 'place', 'tags'],
  additionalProperties: false,
  $defs: { address: ADDRESS },
})

/** Chains side by side, ten wide, with a step here and there that takes from several. */
export function manySteps(count: number, tools: readonly ToolView[]): Plan {
  const steps = Array.from({ length: count }, (_, index): Step => {
    const { agent, name } = tools[index % tools.length] as ToolView
    const from = (back: number, path: string): unknown => ({ $from: `s${index - back}`, path })
    const first = index < 10
    return {
      id: `s${index}`,
      agent,
      tool: name,
      arguments: {
        item_id: first ? `item-${index}` : from(10, '/item_id'),
        amount: first ? index : from(10, '/total'),
        mode: 'careful',
        when: '2026-11-16',
        tags: ['coffee', first ? 'new' : from(10, '/rows/0/item_id')],
        address: { street: 'Main 1', city: 'Basel', zip: '4051' },
        ...(index % 50 === 11 ? { spend: 1 } : {}),
      },
      needs: first ? [] : [`s${index - 10}`],
      why: 'It is needed by the next.',
    }
  })
  return { goal: 'A thousand steps', steps, budget: { money: 1000, calls: 20_000 }, assumptions: [], questions: [] }
}
