/** Headings that start a tool, such as `## Tool: \`module.tool\` (v1.2.0)`, and what they say about it. */
import type { PhrasingContent } from 'mdast'
import type { HeadingPiece } from './pieces.ts'
import { undecorated } from './section-names.ts'
import { DOTTED_START, type NameShape, nameShape } from './tool-name.ts'

export interface ToolHeading {
  /** more than one: several tools share what is below */
  readonly names: readonly [string, ...string[]]
  readonly version: string | undefined
  readonly title: string | undefined
  /** it says so itself; one that is only a name opens a tool if what is around it agrees */
  readonly explicit: boolean
  readonly shape: NameShape
  /** the heading has the name as code */
  readonly code: boolean
  /** what is between the brackets of `name(a: str)` */
  readonly signature: string | undefined
}

const COUNT = /^\d{1,4}(?:\.\d{1,4})*[.):]?\s+/
const TOOL = /^(?:mcp\s+)?tool(?:\s+name)?(?:\s*#?\d{1,4})?\s*(:|-|–|—|\s(?=`))\s*/i
const VERSION = /^[\s,]*[([]?\s*(?:version\s*|v)?(\d+\.\d+(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?)\s*[)\]]?/i
const TITLE = /^\s*[:–—-]\s*(\S.*)$/s
const WORD = /^([A-Za-z0-9_.-]+)$/
const CODE = /^`([^`]+)`/
/** `a` / `b`, `a` and `b`, `a`, `b` */
const NEXT_NAME = /^\s*(?:\/|,|&|\+|and|or)\s*`([^`]+)`/
/** `### Look up the weather (\`get_weather\`)` */
const NAME_LAST = /^([^`]+?)\s*(?:[:–—-]\s*|\()`([^`]+)`\)?$/
const CALL = /^([A-Za-z0-9_.-]+)\(([^`]*)\)\s*(?:->.*)?$/
const BARE_NAME = /^([a-z][A-Za-z0-9_-]*)(?=\s*(?:$|[:–—(]|-\s))/
/** A title that belongs to the document: `# shop_tools — MCP Tool Specification`. */
const OF_DOCUMENT = /\b(?:specifications?|documentation|reference|tools|mcp|api|module|overview|guide)\b/i
/** `## Python module: \`shop.prices\`` names something else. */
const NAMES_OTHER =
  /\b(?:modules?|class(?:es)?|models?|packages?|files?|librar(?:y|ies)|namespaces?|schemas?|types?|interfaces?|fields?|parameters?|arguments?|options?|variables?|settings?|errors?|exceptions?|events?|steps?|scripts?|servers?|resources?|prompts?)\b/i
const MAX_HEADING = 300

export function parseToolHeading({ node }: HeadingPiece): ToolHeading | undefined {
  const words = undecorated(markedWords(node.children).trim())
  if (words.length > MAX_HEADING) return undefined
  const uncounted = words.replace(COUNT, '')
  const tool = TOOL.exec(uncounted)
  if (tool !== null) return explicitHeading(uncounted.slice(tool[0].length))
  return codeHeading(uncounted) ?? titledHeading(uncounted) ?? bareHeading(uncounted)
}

/** The words of a heading. Code keeps its backticks, because they tell where a name ends. */
function markedWords(nodes: readonly PhrasingContent[]): string {
  let words = ''
  for (const node of nodes) {
    if (node.type === 'inlineCode') words += `\`${node.value.replaceAll('`', '')}\``
    else if (node.type === 'text') words += node.value
    else if ('children' in node) words += markedWords(node.children)
  }
  return words
}

/** `Tool: …`: whatever is called a tool is one, if there is a name. */
function explicitHeading(said: string): ToolHeading | undefined {
  const code = CODE.exec(said)?.[1]
  if (code !== undefined) return { ...named(code, true), ...after(said.slice(code.length + 2)), explicit: true }
  const bare = DOTTED_START.exec(said)?.[1] ?? snake(said)
  if (bare !== undefined) return { ...named(bare, false), ...after(said.slice(bare.length)), explicit: true }
  const last = NAME_LAST.exec(said)
  if (last === null) return undefined
  return { ...named(last[2] as string, true), ...NOTHING_AFTER, title: last[1] as string, explicit: true }
}

function codeHeading(said: string): ToolHeading | undefined {
  const code = CODE.exec(said)?.[1]
  if (code === undefined) return undefined
  const first = named(code, true)
  if (!isName(first.names[0], true)) return undefined
  const names: [string, ...string[]] = [first.names[0]]
  let rest = said.slice(code.length + 2)
  for (let next = NEXT_NAME.exec(rest); next !== null; next = NEXT_NAME.exec(rest)) {
    const name = next[1] as string
    if (!isName(name, true)) return undefined
    names.push(name)
    rest = rest.slice(next[0].length)
  }
  return heading({ ...first, names }, rest)
}

function titledHeading(said: string): ToolHeading | undefined {
  const [, title = '', code = ''] = NAME_LAST.exec(said) ?? []
  if (nameShape(code, true) !== 'strong' || NAMES_OTHER.test(title)) return undefined
  return { ...named(code, true), ...NOTHING_AFTER, title, explicit: false }
}

function bareHeading(said: string): ToolHeading | undefined {
  const name = DOTTED_START.exec(said)?.[1] ?? BARE_NAME.exec(said)?.[1]
  if (name === undefined || !isName(name, false)) return undefined
  const rest = said.slice(name.length)
  const call = CALL.exec(said)
  if (call !== null && call[1] === name) return heading({ ...named(name, false), signature: call[2] }, '')
  return heading(named(name, false), rest)
}

const isName = (name: string, code: boolean): boolean => nameShape(name, code) !== undefined

/** Not a tool if the rest of the heading is neither a version nor a title, or the title of the document. */
function heading(first: Omit<ToolHeading, 'version' | 'title' | 'explicit'>, rest: string): ToolHeading | undefined {
  const more = after(rest)
  const isWhole = rest.trim() === '' || more.version !== undefined || more.title !== undefined || /^\s*\(/.test(rest)
  if (!isWhole || OF_DOCUMENT.test(more.title ?? '')) return undefined
  return { ...first, ...more, explicit: false }
}

function named(text: string, code: boolean): Omit<ToolHeading, 'version' | 'title' | 'explicit'> {
  const call = CALL.exec(text)
  const name = call?.[1] ?? text
  // A heading that says "Tool" may give any name.
  return { names: [name], shape: nameShape(name, code) ?? 'weak', code, signature: call?.[2] }
}

/** A single word that is written as names are. */
const snake = (said: string): string | undefined => {
  const word = WORD.exec(said)?.[1]
  return word !== undefined && /[_.]|[a-z][A-Z]/.test(word) ? word : undefined
}

const NOTHING_AFTER = { version: undefined, title: undefined }

function after(rest: string): Pick<ToolHeading, 'version' | 'title'> {
  const version = VERSION.exec(rest)
  const more = version === null ? rest : rest.slice(version[0].length)
  return { version: version?.[1], title: TITLE.exec(more)?.[1]?.replaceAll('`', '').trim() }
}
