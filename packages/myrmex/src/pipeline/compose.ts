/** Puts the gates around a tool, outermost first. This is the whole engine of the pipeline. */
import type { Tool } from '../tool/tool.ts'
import type { Gate, Step } from './gate.ts'
import type { Pipeline } from './pipeline.ts'

const unreachable: Step = () => {
  throw new Error('the last gate runs the tool and has no next step')
}

export function compose(gates: readonly Gate[], tool: Tool, pipeline: Pipeline): Step {
  return gates.reduceRight<Step>((next, gate) => gate(tool, next, pipeline), unreachable)
}
