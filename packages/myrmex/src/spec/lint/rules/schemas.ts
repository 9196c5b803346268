/** Rules about the schemas of sections 3 and 4, and about every block that should be JSON. */
import { isObject } from '../../../protocol/json.ts'
import type { JsonBlock } from '../../document.ts'
import { formRule, type Rule, type RuleFinding, toolRule } from '../finding.ts'
import { isParsed, type LintedTool, type SchemaPart } from '../linted-tool.ts'
import { isTooDeep, showPath, showValue } from '../show-value.ts'
import { TOO_SLOW } from '../time-limit.ts'

export const SCHEMAS: readonly Rule[] = [
  formRule('missing-schema', 'error', 'Section 3 or 4 has no JSON Schema.', function* (tool) {
    for (const { side, block } of [tool.input, tool.output]) {
      const section = tool.nonEmptySection(side)
      if (block !== undefined || section === undefined) continue
      if (side === 'output' && GIVES_NOTHING.test(tool.textOf(section))) continue
      // The section says that there are no parameters.
      if (side === 'input' && tool.parsed.inputFields?.length === 0) continue
      const what = side === 'input' ? '`arguments`' : '`data`'
      yield {
        location: section.location,
        message: `there is no JSON Schema for ${what}. Add one in a \`\`\`json block.`,
      }
    }
  }),
  toolRule('json-invalid', 'error', 'A block that should be JSON is not.', function* (tool) {
    for (const [what, block] of blocksOf(tool)) {
      const broken = block.faults.filter(({ tolerated }) => !tolerated)
      const [first] = broken
      if (first !== undefined) yield { location: first.location, message: `${what} is not JSON: ${first.message}` }
      else if (block.value === undefined)
        yield { location: block.location, message: `${what} is not JSON: it is empty.` }
    }
  }),
  toolRule(
    'json-relaxed',
    'warning',
    'A block has comments or trailing commas, which JSON does not allow.',
    function* (tool) {
      for (const [what, block] of blocksOf(tool)) {
        if (!isParsed(block)) continue
        for (const { location, message } of block.faults) {
          yield { location, message: `${what} is not plain JSON, and most parsers reject it: ${message}` }
        }
      }
    },
  ),
  toolRule('schema-invalid', 'error', 'A schema is not valid JSON Schema, or cannot be used.', function* (tool) {
    for (const part of [tool.input, tool.output]) yield* invalid(part)
  }),
  toolRule(
    'schema-not-object',
    'error',
    'The schema of a tool has a type that is not allowed there.',
    function* (tool) {
      for (const { side, block, schema } of [tool.input, tool.output]) {
        if (block === undefined || schema === undefined) continue
        const type = Object.hasOwn(schema.json, 'type') ? schema.json.type : undefined
        if (type === 'object' || (side === 'output' && type === 'null')) continue
        const is = type === undefined ? 'has no "type"' : `is of type ${showValue(type)}`
        const message = `the ${side} schema ${is}. It must be "object"${side === 'output' ? ', or "null" for a tool without data' : ''}.`
        yield { location: block.locationOf(['type']), message }
      }
    },
  ),
]

/** Phrases that say, without a schema, that a tool returns no data. */
const GIVES_NOTHING = /\bnull\b|\bnothing\b|\bno (?:data|output|return value)\b|\bnone\b/i

/** Every block that should be JSON, each with its name for messages. */
export function blocksOf({ parsed }: LintedTool): [what: string, block: JsonBlock][] {
  const blocks: [string, JsonBlock | undefined][] = [
    ['the input schema', parsed.inputSchema],
    ['the output schema', parsed.outputSchema],
    ...parsed.examples.flatMap(({ call, result, otherResults }, index): [string, JsonBlock | undefined][] => [
      [`the call of example ${index + 1}`, call],
      [`the result of example ${index + 1}`, result],
      ...otherResults.map((block): [string, JsonBlock] => [`a result of example ${index + 1}`, block]),
    ]),
  ]
  return blocks.filter((one): one is [string, JsonBlock] => one[1] !== undefined)
}

function* invalid({ side, block, schema }: SchemaPart): Iterable<RuleFinding> {
  if (block === undefined || !isParsed(block) || isTooDeep(block.value)) return
  if (schema === undefined) {
    const { value } = block
    const what = isObject(value) ? '' : `is ${showValue(value)}, which is not a JSON Schema. Write an object.`
    if (what !== '') yield { location: block.locationOf([]), message: `the ${side} schema ${what}` }
    return
  }
  const { faults } = schema
  if (faults === TOO_SLOW) return
  for (const { path, message } of faults) {
    const where = path.length === 0 ? '' : ` at ${showPath(path)}`
    yield { location: block.locationOf(path), message: `the ${side} schema cannot be used${where}: ${message}.` }
  }
}
