/** Blocks that say what a tool takes without a heading that says so: a table or a list of parameters, or that there are none. */
import type { List, Paragraph, RootContent, Table } from 'mdast'
import { wordsOf } from '../markdown/inline.ts'

const NAME_COLUMN = /^(?:parameters?|params?|arguments?|args?|inputs?|fields?|options?|property|name|key)(?: names?)?$/i
const ABOUT_COLUMN = /^(?:data ?)?types?$|^required\??$|^optional\??$|^defaults?(?: values?)?$/i
const NOTHING_TAKEN =
  /^(?:(?:this|the) tool )?(?:(?:takes|has|requires|accepts|needs) )?no (?:(?:input|required) )?(?:parameters|arguments|inputs?)\b/i
const TYPE_IN_BRACKETS = /^\s*[([][^()[\]\n]{1,120}/

/** Whether a table has a column for names and one for types, or for what is required. */
export function isParameterTable({ children: [head] }: Table): boolean {
  const columns = (head?.children ?? []).map(({ children }) => wordsOf(children).trim())
  return NAME_COLUMN.test(columns[0] ?? '') && columns.slice(1).some((column) => ABOUT_COLUMN.test(column))
}

/** Whether every item is `name` (type): words. */
const isParameterList = ({ children }: List): boolean =>
  children.length > 0 &&
  children.every(({ children: [first] }) => {
    if (first?.type !== 'paragraph') return false
    const [name, next] = first.children
    return name?.type === 'inlineCode' && next?.type === 'text' && TYPE_IN_BRACKETS.test(next.value)
  })

const saysNone = ({ children }: Paragraph): boolean => NOTHING_TAKEN.test(wordsOf(children).trim())

export function isAboutParameters(node: RootContent): boolean {
  if (node.type === 'table') return isParameterTable(node)
  if (node.type === 'list') return isParameterList(node)
  return node.type === 'paragraph' && saysNone(node)
}
