/** The searchable text of a tool: its names, its description, and the names and descriptions of its parameters. */
import { isObject } from '../../protocol/json.ts'
import type { ListedTool } from '../../tool/registry.ts'

/** Longer texts of an upstream are cut. */
const MAX_LENGTH = 4000
/** Depth of nested parameters. */
const MAX_DEPTH = 4

export type ToolText = ReturnType<typeof searchableText>

/** The listed name may contain other words than the canonical name. */
const namesOf = ({ listedAs, tool }: ListedTool): string =>
  `${tool.name} ${listedAs.startsWith(tool.module) ? '' : listedAs}`

/** The text with nothing but the names, for a tool whose texts nobody has reviewed. */
export const nameText = (item: ListedTool): ToolText => ({
  id: item.tool.name,
  name: namesOf(item),
  title: '',
  description: '',
  parameters: '',
})

export function searchableText(item: ListedTool) {
  const { tool } = item
  return {
    id: tool.name,
    name: namesOf(item),
    title: (tool.title ?? '').slice(0, MAX_LENGTH),
    description: tool.description.slice(0, MAX_LENGTH),
    parameters: parametersOf(tool.input.json).slice(0, MAX_LENGTH),
  }
}

function parametersOf(schema: unknown, depth = 0): string {
  if (!isObject(schema) || depth > MAX_DEPTH) return ''
  const { properties, items } = schema
  const words: string[] = []
  let length = 0
  for (const [name, part] of isObject(properties) ? Object.entries(properties) : []) {
    const text = `${name} ${schemaTexts(part)} ${parametersOf(part, depth + 1)}`
    words.push(text)
    length += text.length
    if (length > MAX_LENGTH) break
  }
  return `${words.join(' ')} ${parametersOf(items, depth + 1)}`
}

/** The title, description and enum values of a schema. */
function schemaTexts(schema: unknown): string {
  if (!isObject(schema)) return ''
  const { title, description, enum: values } = schema
  const named = Array.isArray(values) ? values.slice(0, 50) : []
  return [title, description, ...named]
    .filter((text) => typeof text === 'string')
    .map((text) => text.slice(0, MAX_LENGTH))
    .join(' ')
}
