/** A gate: given a tool and what comes after it, the step a call takes. It is bound once per tool, never per call. */
import type { Tool } from '../tool/tool.ts'
import type { Call } from './call.ts'
import type { CallEnd } from './outcome.ts'
import type { Pipeline } from './pipeline.ts'

/** Synchronous wherever it can be: a promise is made only by a tool or a gate that really waits. */
export type Step = (call: Call) => CallEnd | Promise<CallEnd>

/** Returns `next` itself where the gate has nothing to do for this tool, so that calls do not pay for it. */
export type Gate = (tool: Tool, next: Step, pipeline: Pipeline) => Step
