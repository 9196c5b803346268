/** The rule on what takes too long to check: see `Patience`. */
import { type Rule, type RuleFinding, toolRule } from '../finding.ts'
import type { LintedTool } from '../linted-tool.ts'
import { TOO_SLOW } from '../time-limit.ts'

/** It stands last among the rules: the others have met what is slow by then. */
export const SLOW: readonly Rule[] = [
  toolRule('too-slow', 'error', 'Checking a schema, or an example against it, takes too long.', slowIn),
]

function* slowIn(tool: LintedTool): Iterable<RuleFinding> {
  yield* tool.slow
  for (const { side, block, schema } of [tool.input, tool.output]) {
    if (block === undefined || schema?.faults !== TOO_SLOW) continue
    yield { location: block.location, message: `the ${side} schema takes too long to compile; make it simpler.` }
  }
  for (const judged of tool.examples.flatMap(({ input, outcomes }) => [
    input,
    ...outcomes.map(({ output }) => output),
  ])) {
    if (judged?.tooSlow !== true) continue
    const message =
      'holding the example against the schema takes too long; look for a pattern with repetitions inside repetitions, or references that branch again and again.'
    yield { location: judged.block.location, message }
  }
}
