/**
 * Checks the examples of a tool against its schemas, and runs them. A tool that changes state runs only in a scratch state of its
 * module; otherwise its dry run is used, if there is one.
 */

import { canonical } from '../../protocol/canonical.ts'
import type { ToolResult } from '../../protocol/envelope.ts'
import { ERROR_TYPES } from '../../protocol/errors.ts'
import type { Issue } from '../../protocol/issue.ts'
import { pointer } from '../../protocol/json.ts'
import type { Parsed, Schema } from '../../protocol/schema.ts'
import { toJson } from '../../protocol/serialise.ts'
import { clip } from '../../protocol/text.ts'
import type { Example, Tool } from '../tool.ts'
import type { VerifyFinding } from './finding.ts'

/** Everything that the examples are checked against. */
export interface ExampleContract {
  readonly input: Schema
  readonly output: Schema
  readonly errors: Readonly<Record<string, string>>
  readonly examples: readonly Example[]
}

export function verifyExamples({ input, output, errors, examples }: ExampleContract): VerifyFinding[] {
  if (examples.length === 0) {
    return [{ rule: 'no-examples', grade: 'note', where: '/examples', message: 'there is no example of a call.' }]
  }
  return examples.flatMap((example, index) => {
    const at = (...path: string[]): string => pointer(['examples', index, ...path])
    const findings: VerifyFinding[] = []
    const wrong = (where: string, message: string): void => {
      findings.push({ rule: 'wrong-example', grade: 'block', where, message })
    }
    const args = parsed(input, example.arguments)
    // An example of refused arguments must not fit.
    if (!args.success && example.error !== 'SchemaError')
      wrong(at('arguments'), `does not fit the input schema: ${issueList(args.issues)}.`)
    if (args.success && example.error === 'SchemaError')
      wrong(at('error'), 'promises a SchemaError, but the arguments fit.')
    if (example.data !== undefined && example.error !== undefined)
      wrong(at(), 'promises data and an error; a call ends with one.')
    if (example.data !== undefined) {
      const data = parsed(output, example.data)
      if (!data.success) wrong(at('data'), `does not fit the output schema: ${issueList(data.issues)}.`)
    }
    if (
      example.error !== undefined &&
      !Object.hasOwn(errors, example.error) &&
      !Object.hasOwn(ERROR_TYPES, example.error)
    ) {
      wrong(at('error'), `${JSON.stringify(example.error)} is none of the errors that the tool declares.`)
    }
    return findings
  })
}

/** An unusable schema is reported elsewhere. */
function parsed(schema: Schema, value: unknown): Parsed {
  try {
    return schema.parse(schema.validates === 'json' ? toJson(value) : value)
  } catch (error) {
    return { success: false, issues: [{ path: '', constraint: '', message: (error as Error).message, value: null }] }
  }
}

const issueList = (issues: readonly Issue[]): string =>
  issues.map(({ path, message }) => `${path || '/'} ${message}`).join('; ')

export interface ExampleRun {
  /** run: as they are. dry run: without their effect. not run: held against the schemas only, and `why` says why. */
  readonly mode: 'run' | 'scratch state' | 'dry run' | 'not run'
  readonly reason: string | null
  /** how many were tried */
  readonly count: number
  /** what each call returned, in the order of the examples; empty if they were not run */
  readonly results: readonly ToolResult[]
  readonly findings: VerifyFinding[]
}

/** One call of the tool, through all the gates. */
export type CallTool = (tool: Tool, args: Record<string, unknown>) => Promise<ToolResult>

/** Runs the work in its own scratch state. */
export type InScratch = <T>(work: () => Promise<T>) => Promise<T>

const ASKS = 'it asks its caller before it starts'
export const NOT_SAFE_TO_RUN = 'it changes state, and has neither a dry run nor a scratch state'

/** The tool as it may be run for a check, without questions and limits; or the reason why it may not run. */
export function safeToRun(tool: Tool, inScratch: boolean): Tool | string {
  if (tool.ask !== undefined) return ASKS
  const run = tool.destructive && !inScratch ? tool.dryRun : tool.run
  if (run === undefined) return NOT_SAFE_TO_RUN
  return Object.freeze({ ...tool, run, origin: 'own', destructive: false, task: false, limit: undefined } as const)
}

export async function runExamples(tool: Tool, call: CallTool, inScratch?: InScratch): Promise<ExampleRun> {
  const { examples } = tool
  const safe = safeToRun(tool, inScratch !== undefined)
  if (typeof safe === 'string' || examples.length === 0) {
    const reason = typeof safe === 'string' ? safe : 'there are none'
    return { mode: 'not run', reason, count: 0, results: [], findings: [] }
  }
  const findings: VerifyFinding[] = []
  const results: ToolResult[] = []
  for (const [index, example] of examples.entries()) {
    const made = () => call(safe, example.arguments)
    const result = await (inScratch === undefined ? made() : inScratch(made))
    results.push(result)
    const found = (rule: string, message: string | undefined): void => {
      if (message !== undefined) findings.push({ rule, grade: 'block', where: pointer(['examples', index]), message })
    }
    found('example-fails', differs(tool, example, result))
    found('wrong-error-details', wrongDetails(tool, result))
  }
  const how = inScratch !== undefined ? 'scratch state' : tool.destructive ? 'dry run' : 'run'
  return { mode: how, reason: null, count: examples.length, results, findings }
}

/** How the result of a call differs from the example. */
function differs(tool: Tool, example: Example, { status, data, error }: ToolResult): string | undefined {
  const got =
    error === null || status !== 'failure'
      ? `ended with ${status}`
      : `failed with ${error.error_type}: ${error.error_message}`
  if (example.error !== undefined) {
    return status === 'failure' && error?.error_type === example.error
      ? undefined
      : `promises ${example.error}, but the call ${got}.`
  }
  if (status === 'failure') return `the call ${got}`
  if (example.data === undefined) return undefined
  const promised = parsed(tool.output, example.data)
  const expected = canonical(promised.success ? toJson(promised.data) : example.data)
  const came = canonical(data)
  return expected === came ? undefined : `promises ${clipped(expected)}, but the call gave ${clipped(came)}.`
}

/** What breaks the form that the tool declares for the details of this error. */
function wrongDetails({ errorDetails }: Tool, { error }: ToolResult): string | undefined {
  if (error === null || !Object.hasOwn(errorDetails, error.error_type)) return undefined
  const details = parsed(errorDetails[error.error_type] as Schema, error.error_details ?? null)
  return details.success
    ? undefined
    : `the error_details of ${error.error_type} are not as declared: ${issueList(details.issues)}.`
}

const MAX_LENGTH = 200
const clipped = (text: string): string => clip(text, MAX_LENGTH)
