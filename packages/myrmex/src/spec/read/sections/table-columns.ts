/** The columns of a table of parameters or fields, and what their cells say. */
import type { Table } from '../../document.ts'

/** The index of each column; -1 if there is none. */
export interface FieldColumns {
  readonly name: number
  readonly type: number
  readonly required: number
  /** the column is about optional fields, not about required ones */
  readonly inverted: boolean
  readonly default: number
  readonly description: number
}

export function columnsOf({ columns }: Pick<Table, 'columns'>): FieldColumns {
  const find = (pattern: RegExp): number => columns.findIndex((text) => pattern.test(text))
  const required = find(/\brequired\b|\bmandatory\b|\balways\b/i)
  const optional = find(/^optional\b/i)
  const name = Math.max(0, find(/\b(?:name|parameter|field|property|argument|key)\b/i))
  const type = find(/\btype\b/i)
  return {
    name,
    type,
    required: required === -1 ? optional : required,
    inverted: required === -1 && optional !== -1,
    default: find(/\bdefault\b/i),
    description: columns.findIndex(
      (text, index) =>
        index !== name && index !== type && /descri|meaning|notes?$|contract|behaviou?r|purpose|details/i.test(text),
    ),
  }
}

/** A cell that stands for no field at all. */
export const isNoName = (cell: string): boolean => /^[\s–—-]*$|^\(?(?:none|no \w+|n\/a|nothing)\)?\.?$/i.test(cell)

const BRANCHES = /^[↳└├│─→›»•·\s]+/

/** The name without tree branches before it. */
export const withoutBranches = (cell: string): string => cell.replace(BRANCHES, '')

/** The name without marks, and whether a mark says that the field is required (`*`) or optional (`?`). */
export function withoutMarks(cell: string): [name: string, required: boolean | undefined] {
  const bare = withoutBranches(cell).replaceAll('`', '').trim()
  if (bare.endsWith('*')) return [bare.slice(0, -1), true]
  return bare.endsWith('?') ? [bare.slice(0, -1), false] : [bare, undefined]
}

const YES = /^(?:yes|y|true|required|mandatory|always|✓|✔️?|✅|☑️?)$/iu
const NO = /^(?:no|n|false|optional|never|sometimes|not required|not always|✗|✘|❌|✖️?|[–—-])$/iu

export function statedYesOrNo(cell: string): boolean | undefined {
  const words = cell.replace(/[.*]+$/, '').trim()
  return YES.test(words) ? true : NO.test(words) ? false : undefined
}
