/**
 * Finds the tools of a document: by their headings, by their sections, by blocks of code that define them, and in tables and lists
 * of tools. A tool ends at the next one or at a heading of its own level or above.
 */
import type { Lines } from '../markdown/lines.ts'
import { findHeadingTools } from './heading-tools.ts'
import { HeadingTree } from './heading-tree.ts'
import { findListedTools } from './listed-tools.ts'
import type { Piece } from './pieces.ts'
import { type BlockDefinition, definitionsIn } from './sections/definition-block.ts'
import { findTitledTools } from './titled-tools.ts'
import { isPlaceholder } from './tool-name.ts'
import type { Definitions, FoundTools, ToolOutline } from './tool-outline.ts'

export function outlineTools(pieces: readonly Piece[], lines: Lines): ToolOutline[] {
  const tree = new HeadingTree(pieces)
  const definitions = definitionBlocks(pieces, lines)
  const found = findHeadingTools(pieces, tree, definitions)
  findTitledTools(pieces, found)
  findDefinedTools(pieces, definitions, found)
  findListedTools(pieces, tree, lines, found)
  return [...found].sort(([a], [b]) => a - b).flatMap(([, { outlines }]) => outlines)
}

function definitionBlocks(pieces: readonly Piece[], lines: Lines): Definitions {
  const found: [number, ReturnType<typeof definitionsIn>][] = []
  for (const [index, { node }] of pieces.entries()) {
    const blocks = node.type === 'code' ? definitionsIn(node, lines) : []
    if (blocks.length > 0) found.push([index, blocks])
  }
  return new Map(found)
}

/** Blocks that define tools outside of the sections of tools. One for a placeholder shows the format. */
function findDefinedTools(pieces: readonly Piece[], definitions: Definitions, found: FoundTools): void {
  const hasSections = found.size > 0
  let end = 0
  for (const index of pieces.keys()) {
    end = Math.max(end, found.get(index)?.end ?? 0)
    if (index < end) continue
    const blocks = (definitions.get(index) ?? []).filter(
      // Beside tools with sections, functions are examples.
      ({ name, signature }) => !isPlaceholder(name.value) && !(hasSections && signature !== undefined),
    )
    if (blocks.length > 0) found.set(index, { outlines: blocks.map(definedTool), end: index + 1 })
  }
}

const definedTool = (definition: BlockDefinition): ToolOutline => ({
  origin: 'definition',
  location: definition.name.location,
  heading: undefined,
  name: definition.name,
  version: undefined,
  title: undefined,
  before: [],
  parts: [],
  definition,
  signature: undefined,
})
