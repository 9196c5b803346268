/** The tools of a fleet by name, and hints for unknown names. */

import { listInWords } from '../../../english/words.ts'
import { didYouMean } from '../../../protocol/text.ts'
import { clipText, showValue } from '../../../schema/json-schema/show-value.ts'
import { nearest } from '../../../tool/nearest.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import type { Step } from '../plan.ts'
import type { Problems } from './problem.ts'

/** Comparing names takes time. After this many comparisons, messages have no hint. */
const MAX_COMPARISONS = 20_000

/** Hints for mistyped names, within a limit. One instance for each check of a plan. */
export class NameHints {
  #left = MAX_COMPARISONS

  /** ` Did you mean …?`, or nothing. */
  for(name: string, known: readonly string[]): string {
    if (known.length === 0 || known.length > this.#left) return ''
    this.#left -= known.length
    return didYouMean(nearest(name, known).map(clipText))
  }
}

/** The tool of each step. If a step names the wrong agent, the tool is still used. */
export function toolsOfSteps(
  steps: readonly Step[],
  views: readonly ToolView[],
  hints: NameHints,
  problems: Problems,
): (ToolView | undefined)[] {
  const byName = Map.groupBy(views, ({ name }) => name)
  return steps.map(({ id, tool, agent: given }, index) => {
    const named = byName.get(tool)
    const own = named?.find(({ agent }) => agent === given)
    if (named === undefined)
      problems.add('unknown-tool', id, ['steps', index, 'tool'], () => unknownTool(tool, [...byName.keys()], hints))
    else if (own === undefined)
      problems.add('wrong-agent', id, ['steps', index, 'agent'], () => {
        const agents = listInWords([...new Set(named.map(({ agent }) => agent))], 'or')
        return `${tool} is a tool of ${agents}, not of ${showValue(given)}`
      })
    return own ?? named?.[0]
  })
}

function unknownTool(name: string, known: readonly string[], hints: NameHints): string {
  if (known.length === 0) return `there is no tool ${showValue(name)}: the fleet has no tools`
  // The name without its module is the best hint.
  const meant = known.filter((one) => one.endsWith(`.${name}`)).slice(0, 3)
  const hint = meant.length > 0 ? didYouMean(meant) : hints.for(name, known)
  return `there is no tool ${showValue(name)}.${hint}`
}
