/** A tool that is specified in one part of a document and listed in another is one tool. */
import type { DocumentTool } from '../document.ts'
import { bareName } from './tool-name.ts'

const RANK = { section: 0, definition: 1, listing: 2 } as const

/** Without the rows and blocks of tools that are specified elsewhere. The description of a row counts if there is no other. */
export function mergeTools(tools: readonly DocumentTool[]): DocumentTool[] {
  const best = new Map<string, DocumentTool>()
  for (const tool of tools) {
    for (const name of namesOf(tool)) {
      const before = best.get(name)
      if (before === undefined || RANK[tool.origin] < RANK[before.origin]) best.set(name, tool)
    }
  }
  const described = new Map<DocumentTool, DocumentTool['description']>()
  const kept = tools.filter((tool) => {
    const other = namesOf(tool)
      .map((name) => best.get(name))
      .find((one) => one !== undefined && one !== tool)
    const isRepeated = other !== undefined && tool.origin !== 'section'
    if (isRepeated && tool.description !== undefined && !described.has(other)) described.set(other, tool.description)
    return !isRepeated
  })
  return kept.map((tool) =>
    tool.description === undefined && described.has(tool) ? { ...tool, description: described.get(tool) } : tool,
  )
}

const namesOf = ({ headingName, invocationName }: DocumentTool): string[] =>
  [headingName, invocationName].flatMap((said) => (said === undefined ? [] : [bareName(said.value)]))
