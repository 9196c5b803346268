/**
 * A gate: given a tool and the step after it, the step that a call takes. It is bound once per tool, never per call, and
 * returns `next` itself if it has nothing to do for the tool.
 */
import type { Tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import { type CallEnd, isPromise } from './outcome.ts'
import type { Pipeline } from './pipeline.ts'

/** Synchronous wherever possible: only a tool or a gate that really waits makes a promise. */
export type Step = (call: Call) => CallEnd | Promise<CallEnd>

export type Gate = (tool: Tool, next: Step, pipeline: Pipeline) => Step

/**
 * Does some work, then continues with its value, at once or when it arrives. This is the only place where gates deal with
 * "now or later", so a gate is its decision and no more. A thrown error goes to `failed`, by default as the end of the call.
 * Pass functions that are bound once per tool: then a call that waits for nothing allocates nothing here.
 */
export function proceed<T>(
  call: Call,
  work: (call: Call) => T | Promise<T>,
  then: (call: Call, value: T) => CallEnd | Promise<CallEnd>,
  failed: (call: Call, thrown: unknown) => CallEnd | Promise<CallEnd> = endWithError,
): CallEnd | Promise<CallEnd> {
  let value: T | Promise<T>
  try {
    value = work(call)
  } catch (thrown) {
    return failed(call, thrown)
  }
  if (!isPromise(value)) return then(call, value)
  return value.then(
    (late) => then(call, late),
    (thrown) => failed(call, thrown),
  )
}

const endWithError = (call: Call, thrown: unknown): CallEnd => call.endWith(thrown)

/** An async step whose errors end the call. */
export const guarded = (call: Call, work: (call: Call) => Promise<CallEnd>): CallEnd | Promise<CallEnd> =>
  proceed(call, work, unchanged)

const unchanged = (_call: Call, ended: CallEnd): CallEnd => ended
