/** Rules about the examples of section 7: they fit the schemas, the envelopes and the declared errors. */
import type * as z from 'zod'
import { ToolCallSchema, ToolResultSchema } from '../../../protocol/envelope.ts'
import { ERROR_TYPES } from '../../../protocol/errors.ts'
import { pointerSteps, valueAtPath } from '../../../protocol/json.ts'
import { zodFaults } from '../../../protocol/zod-issue.ts'
import type { JsonBlock } from '../../document.ts'
import type { CheckedExample, CheckedValue } from '../checked-example.ts'
import { type Rule, type RuleFinding, toolRule } from '../finding.ts'
import type { LintedTool } from '../linted-tool.ts'
import { quoteText, showPath } from '../show-value.ts'

export const EXAMPLES: readonly Rule[] = [
  toolRule('no-examples', 'warning', 'There is no example of a call.', function* (tool) {
    const section = tool.nonEmptySection('examples')
    if (section === undefined || tool.parsed.examples.length > 0) return
    yield { location: section.location, message: 'there is no example of a call. Add one in a ```json block.' }
  }),
  toolRule('example-breaks-input', 'error', 'The arguments of an example break the input schema.', function* (tool) {
    for (const one of tool.examples) {
      // An example of a SchemaError must break the schema.
      if (one.input === undefined || one.result?.error?.value === 'SchemaError') continue
      const advice = one.result?.failed === true ? '. Arguments that break the schema end in a SchemaError' : ''
      yield* misfits(one.input, 'input', advice)
    }
  }),
  toolRule('example-breaks-output', 'error', 'The result of an example breaks the output schema.', function* (tool) {
    for (const { output } of tool.examples.flatMap(({ outcomes }) => outcomes)) {
      if (output !== undefined) yield* misfits(output, 'output', '')
    }
  }),
  toolRule('example-envelope', 'error', 'A call or a result in an example is not a valid envelope.', function* (tool) {
    for (const { example, call, outcomes } of tool.examples) {
      if (call?.form === 'envelope') {
        // The rule name-mismatch compares the name.
        const isNamed = typeof call.toolName?.value === 'string' && call.toolName.path[0] === 'tool_name'
        const issues = issuesOf(ToolCallSchema, example.call).filter(({ path }) => !isNamed || path[0] !== 'tool_name')
        yield* envelopeFaults(example.call, issues, 'call', '{"tool_name", "arguments"}')
      }
      for (const { block, result } of outcomes) {
        if (result.form !== 'envelope') continue
        const issues = issuesOf(ToolResultSchema, block)
        yield* envelopeFaults(block, issues, 'result', '{"status", "data", "error", "explanation"}')
      }
    }
  }),
  toolRule(
    'example-wrong-error',
    'error',
    'An example fails with an error that the tool does not declare.',
    wrongErrors,
  ),
  toolRule('example-missing-success', 'warning', 'No example shows how the tool succeeds.', function* (tool) {
    const section = tool.nonEmptySection('examples')
    if (section === undefined || tool.examples.length === 0 || !tool.examples.every(onlyFailed)) return
    yield { location: section.location, message: 'every example fails. Add one that succeeds.' }
  }),
  toolRule('example-missing-failure', 'warning', 'No example shows how the tool fails.', function* (tool) {
    const section = tool.nonEmptySection('examples')
    if (section === undefined || tool.parsed.errors.length === 0 || tool.examples.length === 0) return
    if (tool.examples.some(hasFailed)) return
    const first = tool.parsed.errors[0]?.type ?? ''
    yield {
      location: section.location,
      message: `no example fails. Add one, such as a call that ends in ${quoteText(first)}.`,
    }
  }),
]

const hasFailed = ({ outcomes }: CheckedExample): boolean => outcomes.some(({ result }) => result.failed)
const onlyFailed = ({ outcomes }: CheckedExample): boolean =>
  outcomes.length > 0 && outcomes.every(({ result }) => result.failed)

function* misfits(
  { block, faults: all }: CheckedValue,
  side: 'input' | 'output',
  advice: string,
): Iterable<RuleFinding> {
  for (const { path, message, found: value } of all) {
    const where = path.length === 0 ? 'it' : showPath(path)
    const is = value === undefined ? '' : ` (here it is ${value})`
    yield {
      location: block.locationOf(path),
      message: `the example breaks the ${side} schema: ${where} ${message}${is}${advice}.`,
    }
  }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function issuesOf(schema: z.ZodType, { value }: JsonBlock): Issue[] {
  return zodFaults(schema, value).map(({ path, message }) => ({ path: pointerSteps(path), message }))
}

function* envelopeFaults(block: JsonBlock, issues: Issue[], what: string, form: string): Iterable<RuleFinding> {
  for (const { path, message } of issues) {
    const isMissing = path.length > 0 && valueAtPath(block.value, path) === undefined
    const where = path.length === 0 ? '' : `${showPath(path)}${isMissing ? ' ' : ': '}`
    const why = isMissing ? 'is missing' : message
    yield { location: block.locationOf(path), message: `the ${what} is not a valid ${form}: ${where}${why}.` }
  }
}

function* wrongErrors({ parsed, examples }: LintedTool): Iterable<RuleFinding> {
  const declared = new Set(parsed.errors.map(({ type }) => type))
  const all = examples.flatMap(({ example, input, outcomes }) =>
    outcomes.map((one) => ({ ...one, input: one.block === example.result ? input : undefined })),
  )
  for (const { block, result, input } of all) {
    if (typeof result.error?.value !== 'string') continue
    const { value, path } = result.error
    const place = block.locationOf(path)
    if (!declared.has(value) && !Object.hasOwn(ERROR_TYPES, value)) {
      yield {
        location: place,
        message: `${quoteText(value)} is neither listed in section 5 nor an error that every tool can return. List it.`,
      }
    } else if (value === 'SchemaError' && result.failed && input?.tooSlow === false && input.faults.length === 0) {
      yield {
        location: place,
        message:
          'the example ends in a SchemaError, but its arguments fit the input schema. Change the arguments or the result.',
      }
    }
  }
}
