/** Tools and plans made at random, right by the way they are made, and ways to damage one. Nothing of it is shipped. */
import fc from 'fast-check'
import type { ToolView } from '../../packages/myrmex/src/agent/fleet/tool-view.ts'
import type { Plan, Step } from '../../packages/myrmex/src/agent/plan/plan.ts'
import type { Json, JsonObject } from '../../packages/myrmex/src/protocol/json.ts'

/** Numbers from 0 to below the one given: everything here is decided by them, so that a failure can be shrunk. */
export type Dice = (below: number) => number

export const diceOf =
  (choose: fc.GeneratorValue): Dice =>
  (below) =>
    choose(fc.nat, { max: below - 1 })

export const pick = <T>(dice: Dice, list: readonly T[]): T => list[dice(list.length)] as T

/** The subjects of values in these plans. Only values of the same subject fit each other. */
const MATTERS: Readonly<Record<string, { readonly schema: JsonObject; readonly sample: (turn: number) => Json }>> = {
  item_id: { schema: { type: 'string', type_id: 'item_id', minLength: 1 }, sample: (turn) => `item-${turn}` },
  quote_id: { schema: { type: 'string', type_id: 'quote_id' }, sample: (turn) => `quote-${turn}` },
  amount: { schema: { type: 'number', minimum: 0, type_id: 'amount' }, sample: (turn) => turn / 4 },
  count: { schema: { type: 'integer', type_id: 'count' }, sample: (turn) => turn },
  flag: { schema: { type: 'boolean' }, sample: (turn) => turn % 2 === 0 },
  grade: { schema: { enum: ['high', 'low'] }, sample: (turn) => (turn % 2 === 0 ? 'high' : 'low') },
  tags: {
    schema: { type: 'array', items: { type: 'string', type_id: 'tag' } },
    sample: (turn) => Array.from({ length: turn % 3 }, (_, index) => `tag-${index}`),
  },
  address: {
    schema: {
      type: 'object',
      properties: { city: { type: 'string', type_id: 'city' }, zip: { type: ['string', 'null'] } },
      required: ['city'],
      additionalProperties: false,
    },
    sample: (turn) => (turn % 2 === 0 ? { city: 'Basel' } : { city: 'Bern', zip: null }),
  },
}
const NAMES = Object.keys(MATTERS)
const matterOf = (name: string) => MATTERS[name] as (typeof MATTERS)[string]

/** A tool with what the maker of a plan knows about it. */
interface Made {
  readonly view: ToolView
  readonly takes: readonly { readonly name: string; readonly matter: string; readonly required: boolean }[]
  /** paths at which a matter certainly is */
  readonly gives: readonly { readonly path: string; readonly matter: string }[]
  /** a result that keeps to the output schema */
  readonly result: (turn: number) => JsonObject
}

/** The ways a result can contain a subject, all of them certain. */
const WRAPPED: readonly ((
  key: string,
  matter: string,
) => { schema: JsonObject; path: string; sample: (turn: number) => Json })[] = [
  (key, matter) => ({ schema: matterOf(matter).schema, path: `/${key}`, sample: matterOf(matter).sample }),
  (key, matter) => ({
    schema: { type: 'array', items: { $ref: `#/$defs/${matter}` }, minItems: 2 },
    path: `/${key}/1`,
    sample: (turn) => Array.from({ length: 2 + (turn % 2) }, () => matterOf(matter).sample(turn)),
  }),
  (key, matter) => ({
    schema: { type: 'object', properties: { 'a/b': { $ref: `#/$defs/${matter}` } }, required: ['a/b'] },
    path: `/${key}/a~1b`,
    sample: (turn) => ({ 'a/b': matterOf(matter).sample(turn) }),
  }),
  (key, matter) => ({
    schema: {
      anyOf: [
        { type: 'object', properties: { is: { const: 1 }, it: matterOf(matter).schema }, required: ['is', 'it'] },
        { allOf: [{ type: 'object', required: ['it'] }, { properties: { it: { $ref: `#/$defs/${matter}` } } }] },
      ],
    },
    path: `/${key}/it`,
    sample: (turn) => ({ ...(turn % 2 === 0 ? { is: 1 } : {}), it: matterOf(matter).sample(turn) }),
  }),
  (key, matter) => ({
    schema: { type: 'array', prefixItems: [{ type: 'null' }, matterOf(matter).schema], minItems: 2 },
    path: `/${key}/1`,
    sample: (turn) => [null, matterOf(matter).sample(turn)],
  }),
]

const DEFS: JsonObject = Object.fromEntries(NAMES.map((name) => [name, matterOf(name).schema]))

function madeTool(dice: Dice, index: number): Made {
  const takes = NAMES.filter(() => dice(3) === 0).map((matter) => ({
    name: `in_${matter}`,
    matter,
    required: dice(2) === 0,
  }))
  const given = Array.from({ length: 1 + dice(4) }, (_, place) => {
    const matter = pick(dice, NAMES)
    return { matter, key: `out_${place}`, ...pick(dice, WRAPPED)(`out_${place}`, matter) }
  })
  const agent = `agent_${index % 3}`
  const view: ToolView = {
    agent,
    name: `${agent}.tool_${index}`,
    version: '1.0.0',
    hash: String(index),
    description: 'made at random',
    input: {
      type: 'object',
      properties: Object.fromEntries(takes.map(({ name, matter }) => [name, { $ref: `#/$defs/${matter}` }])),
      required: takes.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
      $defs: DEFS,
    },
    output: {
      type: 'object',
      properties: Object.fromEntries(given.map(({ key, schema }) => [key, schema])),
      required: given.map(({ key }) => key),
      additionalProperties: false,
      $defs: DEFS,
    },
    destructive: false,
    idempotent: true,
    undo: false,
  }
  const result = (turn: number): JsonObject => Object.fromEntries(given.map(({ key, sample }) => [key, sample(turn)]))
  return { view, takes, gives: given, result }
}

export interface RandomPlan {
  readonly plan: Plan
  readonly tools: readonly ToolView[]
  /** a result of a step that keeps to its tool's output schema */
  readonly resultOf: (step: string, turn: number) => JsonObject
}

export function randomPlan(dice: Dice): RandomPlan {
  const made = Array.from({ length: 1 + dice(5) }, (_, index) => madeTool(dice, index))
  const done: { readonly id: string; readonly tool: Made }[] = []
  const steps: Step[] = []
  for (let left = 1 + dice(8); left > 0; left--) {
    const tool = pick(dice, made)
    const id = `s${left}`
    const needs = new Set<string>(done.length > 0 && dice(2) === 0 ? [pick(dice, done).id] : [])
    const args = Object.fromEntries(
      tool.takes
        .filter(({ required }) => required || dice(2) === 0)
        .map(({ name, matter }) => [name, argument(dice, matter, done, needs)]),
    )
    // The order in the list means nothing.
    const step = {
      id,
      agent: tool.view.agent,
      tool: tool.view.name,
      arguments: args,
      needs: [...needs],
      why: 'why not',
    }
    steps.splice(dice(steps.length + 1), 0, step)
    done.push({ id, tool })
  }
  return {
    plan: { goal: 'at random', steps, budget: { calls: steps.length }, assumptions: [], questions: [] },
    tools: made.map(({ view }) => view),
    resultOf: (step, turn) => done.find(({ id }) => id === step)?.tool.result(turn) ?? {},
  }
}

/** A reference where an earlier result has it, or the value itself. */
function argument(
  dice: Dice,
  matter: string,
  done: readonly { readonly id: string; readonly tool: Made }[],
  needs: Set<string>,
): unknown {
  const sources = done.flatMap(({ id, tool }) =>
    tool.gives.filter((given) => given.matter === matter).map(({ path }) => ({ $from: id, path })),
  )
  if (sources.length === 0 || dice(3) === 0) return matterOf(matter).sample(dice(10))
  const source = pick(dice, sources)
  needs.add(source.$from)
  return source
}
