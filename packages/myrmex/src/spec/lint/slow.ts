/** The rule on what takes too long to check: see `Patience`. */
import { verified } from './definition.ts'
import type { Fault, Rule } from './finding.ts'
import type { LintedTool } from './linted-tool.ts'
import { TOO_SLOW } from './patience.ts'

export const SLOW: readonly Rule[] = [
  {
    name: 'too-slow',
    severity: 'error',
    summary: 'Checking a schema, or an example against it, takes too long.',
    *check(document) {
      for (const tool of document.tools) for (const fault of slowIn(tool)) yield { ...fault, tool: tool.name }
      for (const { rule, ...fault } of verified(document)) if (rule === 'too-slow') yield fault
    },
  },
]

function* slowIn(tool: LintedTool): Iterable<Fault> {
  for (const { side, block, schema } of [tool.input, tool.output]) {
    if (block === undefined || schema?.faults !== TOO_SLOW) continue
    yield { place: block.place, message: `the ${side} schema takes too long to compile; make it simpler.` }
  }
  for (const judged of tool.examples.flatMap(({ input, output }) => [input, output])) {
    if (judged?.tooSlow !== true) continue
    const message =
      'holding the example against the schema takes too long; look for a pattern with repetitions inside repetitions, or references that branch again and again.'
    yield { place: judged.block.place, message }
  }
}
