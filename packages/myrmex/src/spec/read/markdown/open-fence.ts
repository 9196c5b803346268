/** A fence that runs to the end of the document: somebody forgot to close it, or the file was cut off. */
import type { Nodes, RootContent } from 'mdast'
import type { MarkdownFault } from '../../document.ts'
import type { Lines } from './lines.ts'
import { endOffset, locationOf, startOffset } from './nodes.ts'

export function openFence(nodes: readonly RootContent[], { text }: Lines): MarkdownFault | undefined {
  let last: Nodes | undefined = nodes.at(-1)
  while (last !== undefined && 'children' in last) last = last.children.at(-1)
  if (last?.type !== 'code' || text.slice(endOffset(last)).trim() !== '') return undefined
  const source = text.slice(startOffset(last), endOffset(last)).trimEnd()
  const [fence] = /^(?:`{3,}|~{3,})/.exec(source) ?? []
  if (fence === undefined || isClosed(source, fence)) return undefined
  const message = `The fence that opens here is never closed, so all that follows is taken for code. Close it with ${fence}.`
  return { location: locationOf(last), rule: 'open-fence', message }
}

function isClosed(source: string, fence: string): boolean {
  const from = Math.max(source.lastIndexOf('\n'), source.lastIndexOf('\r'))
  if (from < 0) return false
  const marks = source.slice(from + 1).replace(/^[ \t>]+/, '')
  return marks.length >= fence.length && marks === (fence[0] as string).repeat(marks.length)
}
