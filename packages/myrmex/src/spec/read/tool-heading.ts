/** Headings that start a tool, such as `## Tool: \`module.tool\` (v1.2.0)`, and what they say about it. */
import type { HeadingPiece } from './pieces.ts'

export interface ToolHeading {
  readonly name: string
  readonly version: string | undefined
  readonly title: string | undefined
  /** it says so itself; one that is only a name opens a tool if sections follow */
  readonly explicit: boolean
}

const NAME = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+`
const COUNT = /^\d{1,4}(?:\.\d{1,4})*[.):]?\s+/
const TOOL = /^(?:mcp\s+)?tool(?:\s+name)?(?:\s*#?\d{1,4})?\s*(:|-|–|—|\s(?=`))\s*/i
const VERSION = /^[\s,]*[([]?\s*(?:version\s*|v)?(\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?)\s*[)\]]?/i
const TITLE = /^\s*[:–—-]\s*(\S.*)$/s
const BARE = new RegExp(`^(${NAME})(?![\\w.-])`)
const WORD = /^([A-Za-z0-9_.-]+)$/
export const IS_NAME = new RegExp(`^${NAME}$`)

export function parseToolHeading({ node, text }: HeadingPiece): ToolHeading | undefined {
  const code = node.children.find((child) => child.type === 'inlineCode')?.value
  // In the words of a heading code has lost its backticks; here they tell where the name ends.
  const words = code === undefined || code === '' ? text : text.replace(code, () => `\`${code}\``)
  const uncounted = words.replace(COUNT, '')
  const tool = TOOL.exec(uncounted)
  const said = tool === null ? uncounted : uncounted.slice(tool[0].length)
  const quoted = code !== undefined && said.startsWith(`\`${code}\``) ? code : undefined
  const name = quoted ?? BARE.exec(said)?.[1] ?? (tool === null ? undefined : snake(said))
  if (name === undefined || (tool === null && !IS_NAME.test(name))) return undefined
  return { name, ...after(said.slice(quoted === undefined ? name.length : name.length + 2), tool !== null) }
}

/** A single word that is written as names are. */
const snake = (said: string): string | undefined => {
  const word = WORD.exec(said)?.[1]
  return word !== undefined && /[_.]|[a-z][A-Z]/.test(word) ? word : undefined
}

function after(rest: string, sure: boolean): Omit<ToolHeading, 'name'> {
  const version = VERSION.exec(rest)
  const more = version === null ? rest : rest.slice(version[0].length)
  return { version: version?.[1], title: TITLE.exec(more)?.[1]?.replaceAll('`', '').trim(), explicit: sure }
}
