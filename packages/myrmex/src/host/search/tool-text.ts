/** What is looked at when a tool is searched for: its names, its words, and the names and words of its parameters. */
import { isObject } from '../../protocol/json.ts'
import type { ListedTool } from '../../tool/registry.ts'

export interface ToolText {
  /** canonical name */
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly parameters: string
}

/** An upstream may say as much as it likes; this much of it is read. */
const LONGEST = 4000
/** Parameters within parameters, this far down. */
const DEEPEST = 4

export function searchableText({ listedAs, tool }: ListedTool): ToolText {
  return {
    id: tool.name,
    // The name it is called by may have words of its own, where the canonical one had to be worded.
    name: `${tool.name} ${listedAs.startsWith(tool.module) ? '' : listedAs}`,
    title: (tool.title ?? '').slice(0, LONGEST),
    description: tool.description.slice(0, LONGEST),
    parameters: parametersOf(tool.input.json).slice(0, LONGEST),
  }
}

function parametersOf(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > DEEPEST) return ''
  const { properties, items } = schema
  const words: string[] = []
  let length = 0
  for (const [name, part] of isObject(properties) ? Object.entries(properties) : []) {
    const said = `${name} ${describing(part)} ${parametersOf(part, depth + 1)}`
    words.push(said)
    length += said.length
    if (length > LONGEST) break
  }
  return `${words.join(' ')} ${parametersOf(items, depth + 1)}`
}

/** What a schema says in words, and the values that it names. */
function describing(schema: unknown): string {
  if (!isObject(schema)) return ''
  const { title, description, enum: values } = schema
  const named = Array.isArray(values) ? values.slice(0, 50) : []
  return [title, description, ...named]
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, LONGEST))
    .join(' ')
}
