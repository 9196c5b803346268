/** The rule about checks that take too long, see `TimeLimit`. */
import { type Rule, type RuleFinding, toolRule } from '../finding.ts'
import type { LintedTool } from '../linted-tool.ts'
import { TOO_SLOW } from '../time-limit.ts'

/** The last of all rules: the others have run into the slow checks by then. */
export const SLOW: readonly Rule[] = [
  toolRule('too-slow', 'error', 'Checking a schema, or an example against it, takes too long.', slowIn),
]

function* slowIn(tool: LintedTool): Iterable<RuleFinding> {
  yield* tool.slow
  for (const { side, block, schema } of [tool.input, tool.output]) {
    if (block === undefined || schema?.faults !== TOO_SLOW) continue
    yield { location: block.location, message: `the ${side} schema takes too long to compile. Make it simpler.` }
  }
  for (const judged of tool.examples.flatMap(({ input, outcomes }) => [
    input,
    ...outcomes.map(({ output }) => output),
  ])) {
    if (judged?.tooSlow !== true) continue
    const message =
      'checking the example against the schema takes too long. Look for a pattern with nested repetitions, or for references that branch repeatedly.'
    yield { location: judged.block.location, message }
  }
}
