/**
 * Schemas of an upstream: read when a tool is listed, used to check values, compared with an earlier definition. And schemas of our own
 * tools with the same hostile values. The only error that may come out is a ToolError.
 */

import { ToolError } from '../../packages/myrmex/src/protocol/errors.ts'
import { isObject, type JsonObject } from '../../packages/myrmex/src/protocol/json.ts'
import { fromForeignSchema, fromJsonSchema } from '../../packages/myrmex/src/protocol/json-schema.ts'
import { checkContainment } from '../../packages/myrmex/src/schema/containment.ts'
import { tool } from '../../packages/myrmex/src/tool/tool.ts'
import { CaseFailure, shown } from '../check-reply.ts'
import { hostileInstance, hostileSchema, validSchema } from '../generate/hostile-schema.ts'
import { type RunningTarget, randomOf, type Target, type TargetOptions } from '../target.ts'

/** Compiling a schema takes as long as checking many values. */
const VALUES = 48
/** Of the cases, this part also compares the schema with another one, which is slow. */
const COMPARED = 0.05

export const schemaTarget = (share: number): Target => ({ name: 'schemas', share, open })

/** Runs it, and returns whether it ended well. An error of our own kind is an answer like any other. */
function answered(work: () => unknown, mayBeTooDeep = false): boolean {
  try {
    work()
    return true
  } catch (thrown) {
    if (thrown instanceof ToolError) return false
    // The validate gate answers with a SchemaError: the value is nested too deeply.
    if (mayBeTooDeep && thrown instanceof RangeError) return false
    throw new CaseFailure(
      `threw something else than a ToolError: ${thrown instanceof Error ? thrown.stack : String(thrown)}`,
    )
  }
}

function listTool(schema: JsonObject): void {
  tool(
    {
      name: 'fuzz.listed',
      version: '1.0.0',
      description: 'Listed by an upstream.',
      input: schema,
      output: schema,
      errors: {},
      idempotent: true,
      destructive: false,
      security: 'None.',
      examples: [],
      run: () => ({}),
    },
    'upstream',
  )
}

function open(options: TargetOptions): RunningTarget {
  return {
    run(number) {
      const random = randomOf('schemas', options, number)
      const schema = hostileSchema(random)
      if (!isObject(schema)) return 1
      answered(() => listTool(schema as JsonObject))
      // A hostile schema never belongs to a tool of our own, whose schemas Ajv compiles.
      const isForeign = random.often(0.9)
      const side = random.often(0.5) ? 'input' : 'output'
      const compiled = isForeign
        ? fromForeignSchema(schema as JsonObject, side)
        : fromJsonSchema(validSchema(random) as JsonObject, side)
      // One that does not compile is compiled again with every value, so one value is enough.
      let values = 1
      if (answered(() => compiled.parse(hostileInstance(random)), true))
        for (; values < VALUES; values++) answered(() => compiled.parse(hostileInstance(random)), true)
      if (random.often(COMPARED)) {
        const other = validSchema(random) as JsonObject
        answered(() => checkContainment(schema as JsonObject, other))
        answered(() => checkContainment(other, schema as JsonObject))
      }
      return 1 + values
    },
    describe: (number) => shown(hostileSchema(randomOf('schemas', options, number))),
    close() {},
  }
}
