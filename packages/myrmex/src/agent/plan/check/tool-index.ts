/** The tools of a fleet by name, and hints for unknown names. */

import { listInWords } from '../../../english/words.ts'
import { clipText, showValue } from '../../../spec/json-schema/show-value.ts'
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
    return ` Did you mean ${listInWords(nearest(name, known).map(clipText), 'or')}?`
  }
}

export class ToolIndex {
  readonly #byName: ReadonlyMap<string, readonly ToolView[]>
  readonly #hints: NameHints

  constructor(views: readonly ToolView[], hints: NameHints) {
    this.#hints = hints
    this.#byName = Map.groupBy(views, ({ name }) => name)
  }

  /** The tool of a step. If the step names the wrong agent, the tool is still used. */
  find(step: Step, index: number, problems: Problems): ToolView | undefined {
    const named = this.#byName.get(step.tool)
    if (named === undefined) {
      problems.add('unknown-tool', step.id, ['steps', index, 'tool'], () => this.#unknown(step.tool))
      return undefined
    }
    const own = named.find(({ agent }) => agent === step.agent)
    if (own !== undefined) return own
    problems.add('wrong-agent', step.id, ['steps', index, 'agent'], () => {
      const agents = listInWords([...new Set(named.map(({ agent }) => agent))], 'or')
      return `${step.tool} is a tool of ${agents}, not of ${showValue(step.agent)}`
    })
    return named[0]
  }

  #unknown(name: string): string {
    const known = [...this.#byName.keys()]
    if (known.length === 0) return `there is no tool ${showValue(name)}: the fleet has no tools`
    // The name without its module is the best hint.
    const meant = known.filter((one) => one.endsWith(`.${name}`)).slice(0, 3)
    const hint = meant.length > 0 ? ` Did you mean ${listInWords(meant, 'or')}?` : this.#hints.for(name, known)
    return `there is no tool ${showValue(name)}.${hint}`
  }
}
