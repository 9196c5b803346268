/** The text of a section, as its author wrote it. */
import type { RootContent } from 'mdast'
import type { StatedValue } from '../../document.ts'
import type { Lines } from '../../markdown/lines.ts'
import { endOffset, locationOf, startOffset } from '../../markdown/nodes.ts'
import { readText } from '../../markdown/text.ts'

/** Blocks that do not follow each other in the source are joined as paragraphs. */
export function textOf(nodes: readonly RootContent[], { text }: Lines): StatedValue | undefined {
  const first = nodes[0]
  if (first === undefined) return undefined
  const runs: RootContent[][] = []
  for (const node of nodes) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    const follows = before !== undefined && text.slice(endOffset(before), startOffset(node)).trim() === ''
    if (run !== undefined && follows) run.push(node)
    else runs.push([node])
  }
  const value = runs.map((run) => readText(run, text)).join('\n\n')
  return value === '' ? undefined : { value, location: locationOf(first) }
}
