/** Names of tools as documents write them: what can be one, and what is a placeholder for one. */

/** A name with its module: `shop.price`. */
const DOTTED = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+`
export const IS_DOTTED_NAME = new RegExp(`^${DOTTED}$`)
/** A name with its module at the start of a text. */
export const DOTTED_START = new RegExp(`^(${DOTTED})(?![\\w.-])`)

/** strong: nobody writes a word of prose like this; weak: one lower-case word, which may be a name. */
export type NameShape = 'strong' | 'weak'

const JOINED = /^[a-z][A-Za-z0-9-]*_[A-Za-z0-9_-]*$/
const CAMEL = /^[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*$/
const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/
const WORD = /^[a-z][a-z0-9]*$/
const MAX_LENGTH = 128
const VERSION = /^v?\d+(?:\.\d+)+/i

/** Only endings that no tool would have: `git.log` and `shop.lock` are names. */
const FILE = /\.(?:md|mdx|txt|rst|py|pyi|ts|tsx|js|mjs|cjs|jsx|json|jsonc|ya?ml|toml|html?|cpp)$/i

/** `code`: the document marks it as code. Prose has words with hyphens, so only code with hyphens is a strong name. */
export function nameShape(text: string, code: boolean): NameShape | undefined {
  if (text.length > MAX_LENGTH || FILE.test(text) || VERSION.test(text)) return undefined
  if (IS_DOTTED_NAME.test(text) || JOINED.test(text) || CAMEL.test(text) || (code && KEBAB.test(text))) return 'strong'
  return WORD.test(text) || KEBAB.test(text) ? 'weak' : undefined
}

/** As the blanks of a template are written: `[ToolName]`, `<tool_name>`, `{{tool}}`, `your_tool`, `module.tool_name`. */
const BRACKETED = /^(?:\[[^[\]]+\]|<[^<>]+>|\{+[^{}]+\}+|\$\{?\w+\}?)$/
const BLANK_NAMES = [
  String.raw`(?:your|my|example|sample|placeholder|template)[_ -]?(?:mcp[_ -]?)?(?:tool|function)\d*`,
  String.raw`(?:(?:your|my|unique|new|example|sample)[_ -]?)?(?:mcp[_ -]?)?(?:tool|function)[_ -]?(?:invocation[_ -]?)?(?:name|id)\d*`,
]
const BLANK_NAME = new RegExp(`^(?:${BLANK_NAMES.join('|')})$`, 'i')
const BLANK_MODULE = /^(?:(?:your|my)[_ -]?module(?:[_ -]?name)?|module[_ -]name)$/i

export function isPlaceholder(name: string): boolean {
  const text = name.trim()
  if (text.length > MAX_LENGTH) return false
  if (BRACKETED.test(text) || /^(?:module\.tool|tbd|todo|xxx+|placeholder)$/i.test(text)) return true
  const dot = text.lastIndexOf('.')
  const [module, bare] = [text.slice(0, Math.max(0, dot)), text.slice(dot + 1)]
  return [module, bare].some((part) => BRACKETED.test(part)) || BLANK_NAME.test(bare) || BLANK_MODULE.test(module)
}

/** A text that somebody was to write: `[Brief description]`, `TODO: describe it`. */
export const isBlankText = (text: string): boolean =>
  /^\s*(?:(?:\[[^[\]]{1,500}\]|<[^<>]{1,200}>)\s*$|(?:TODO|TBD|FIXME|XXX)\b|[Ll]orem ipsum\b)/.test(text)

/** Names are the same if they differ only in the module that one of them leaves out. */
export const bareName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
