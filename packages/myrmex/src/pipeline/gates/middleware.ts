/**
 * middleware: the functions of the server's author (`use`) around the rest of the pipeline. A result that one of them returns in the place of
 * another is checked against the output schema like the tool's own. It comes after the gates that decide whether a request may pass, and
 * before a person is asked. `record` encloses it: nothing that it does goes around the audit or the filter of secrets.
 */

import type { ErrorDetail, ToolResult } from '../../protocol/envelope.ts'
import { ToolResultSchema } from '../../protocol/envelope.ts'
import { ToolError } from '../../protocol/errors.ts'
import { issueTexts } from '../../protocol/issue.ts'
import { toJson } from '../../protocol/serialise.ts'
import { zodFaults } from '../../protocol/zod-issue.ts'
import type { Call } from '../call.ts'
import { type Gate, guarded, type Step } from '../gate.ts'
import { jsonOutput } from '../json-output.ts'
import { type Middleware, SeenCall, seenResult } from '../middleware.ts'
import { type CallEnd, failure, isHidden, Outcome } from '../outcome.ts'

export const middleware: Gate = (_tool, next, { use }) =>
  use.length === 0 ? next : (call) => guarded(call, () => new Passage(call, use, next).enter())

/** One request on its way through all middleware. */
class Passage {
  readonly #call: Call
  readonly #use: readonly Middleware[]
  readonly #next: Step
  readonly #seen: SeenCall
  /** the outcome behind each result that a middleware was given */
  readonly #outcomes = new Map<unknown, Outcome>()

  constructor(call: Call, use: readonly Middleware[], next: Step) {
    this.#call = call
    this.#use = use
    this.#next = next
    this.#seen = new SeenCall(call)
  }

  async enter(): Promise<CallEnd> {
    return this.#outcomes.get(await this.#layer(0)) as Outcome
  }

  /** Questions to the client and JSON-RPC errors are thrown: no result can express them. */
  async #layer(index: number): Promise<ToolResult> {
    const use = this.#use[index]
    if (use === undefined) return this.#rest()
    let inner: Promise<ToolResult> | undefined
    let isOver = false
    const next = (): Promise<ToolResult> => {
      if (inner !== undefined) return Promise.reject(new Error(`${nameOf(use, index)} called next() twice`))
      if (isOver) return Promise.reject(new Error(`${nameOf(use, index)} called next() after it had returned`))
      inner = this.#layer(index + 1)
      return inner
    }
    try {
      const returned = await use(this.#seen, next)
      return this.#outcomes.has(returned) ? returned : this.#given(this.#replaced(returned, nameOf(use, index)))
    } catch (thrown) {
      throw this.#named(thrown, nameOf(use, index))
    } finally {
      isOver = true
      // A middleware may not wait for it. The call ends, and is recorded, when its tool has.
      await inner?.catch(() => undefined)
    }
  }

  async #rest(): Promise<ToolResult> {
    const ended = await this.#next(this.#call)
    if (ended instanceof Outcome) return this.#given(ended)
    throw ended
  }

  /** The log has the thrown error. The caller learns which part of the server failed: it was not the tool. */
  #named(thrown: unknown, who: string): unknown {
    if (!isHidden(thrown)) return thrown
    this.#call.endWith(thrown)
    return ToolError.of(
      'ToolExecutionError',
      `${who} of the server failed. The log has the cause under call ${this.#call.id}.`,
      { call_id: this.#call.id },
      { cause: thrown },
    )
  }

  #given(outcome: Outcome): ToolResult {
    const result = seenResult(outcome)
    this.#outcomes.set(result, outcome)
    return result
  }

  #replaced(returned: unknown, who: string): Outcome {
    const { tool } = this.#call
    const parsed = ToolResultSchema.safeParse(returned)
    if (!parsed.success) {
      const reasons = zodFaults(ToolResultSchema, returned)
        .map(({ path, message }) => `${path || '/'}: ${message}`)
        .join('; ')
      throw new Error(`${who} returned no ToolResult for ${tool.name}: ${reasons}`)
    }
    const { status, data, error, explanation } = parsed.data
    if (status === 'failure') return failure(error as ErrorDetail, explanation)
    if (tool.name.includes(':'))
      throw new Error(`${who} replaced the result of ${tool.name}. Only results of tools can be replaced.`)
    const judged = jsonOutput(tool).parse(toJson(data))
    if (judged.success) return new Outcome(status, toJson(judged.data) as Outcome['data'], error, explanation, null)
    throw ToolError.of(
      'ToolExecutionError',
      `A middleware of the server gave ${tool.name} data that breaks its output schema: ${issueTexts(judged.issues)}`,
      { tool: tool.name, issues: judged.issues.map(({ path, constraint }) => ({ path, constraint })) },
    )
  }
}

const nameOf = (use: Middleware, index: number): string =>
  use.name === '' ? `The middleware number ${index + 1}` : `The middleware ${use.name}`
