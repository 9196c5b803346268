/** A change to a tool as an author makes it, with what it is expected to be called and to ask for; and how such cases are put. */
import * as z from 'zod'
import type { JsonObject } from '../../../packages/myrmex/src/protocol/json.ts'
import type { ChangeKind, ChangeLevel } from '../../../packages/myrmex/src/spec/diff.ts'
import { type ToolDefinition, tool } from '../../../packages/myrmex/src/tool/tool.ts'
import { type ToolBody, toolBody } from '../../../packages/myrmex/src/tool/verify/verify-tool.ts'
import { toolDefaults } from '../../sample-tools.ts'

export type Changes = Partial<Omit<ToolDefinition, 'input' | 'output'>> & { input?: object; output?: object | 'text' }

const base = { ...toolDefaults, name: 'shop.refund', input: z.object({}), output: z.object({}), run: () => ({}) }
/** As if somebody else had defined it: an own tool may have no schema that leads out of itself. */
export const body = (changes: Changes): ToolBody =>
  toolBody(tool({ ...base, ...changes } as ToolDefinition, 'upstream'))

/** One parameter, or one output field, as Zod has it. */
export const withInput = (x: z.ZodType): Changes => ({ input: z.object({ x }) })
export const withOutput = (x: z.ZodType): Changes => ({ output: z.object({ x }) })
/** The same in JSON Schema. */
export const parameter = (x: JsonObject | boolean, more: JsonObject = {}): Changes => ({
  input: { type: 'object', properties: { x }, ...more },
})
export const field = (x: JsonObject | boolean, more: JsonObject = {}): Changes => ({
  output: { type: 'object', properties: { x }, required: ['x'], ...more },
})
export const inputOf = (more: JsonObject): Changes => ({ input: { type: 'object', ...more } })
export const outputOf = (more: JsonObject): Changes => ({ output: { type: 'object', ...more } })

export const number = { type: 'number' }
export const string = { type: 'string' }
export const node = z.object({
  name: z.string(),
  get below() {
    return z.array(node).optional()
  },
})
export const deeperNode = z.object({
  name: z.string().max(5),
  get below() {
    return z.array(deeperNode).optional()
  },
})

export const byCard = z.object({ card: z.string() })
export const byCheque = z.object({ cheque: z.number() })
export const inCash = z.object({ cash: z.boolean() })

export type ChangeCase = [name: string, before: Changes, after: Changes, level: ChangeLevel, kinds: ChangeKind[]]
