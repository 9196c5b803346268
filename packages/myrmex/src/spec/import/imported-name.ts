/** Names of tools for code: `module.tool` in lower case, digits and `_`, made from the name or the title in a document. */
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { PLAN_NAME } from '../../tool/name.ts'

const MAX_LENGTH = 128

/** `Read File`, `read-file` and `readFile` all become `read_file`. Empty if there is nothing to make a name of. */
export const nameSegment = (text: string): string =>
  text
    .slice(0, 4 * MAX_LENGTH)
    .normalize('NFKD')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')

/** A valid name. One without a module gets `module`. */
export function importedName(text: string, module: string): string {
  if (text === PLAN_NAME) return `${PLAN_NAME}_tool`
  if (TOOL_NAME_PATTERN.test(text) && text.length <= MAX_LENGTH) return text
  const parts = text
    .split(/[./:]+/)
    .map(nameSegment)
    .filter((part) => part !== '')
  const bare = (parts.at(-1) ?? 'tool').slice(0, MAX_LENGTH / 2)
  const modules = parts.slice(0, -1)
  const above = (modules.length > 0 ? modules.join('.') : module).slice(0, MAX_LENGTH / 2 - 1).replace(/\.$/, '')
  return `${above}.${bare}`
}

/** Whether `--module` can be the first part of a name. */
export const isModule = (text: string): boolean => TOOL_NAME_PATTERN.test(`${text}.x`)

/** The module of bare names where nobody gave one: the folder of the document. */
export function moduleOf(file: string): string {
  const folder = file.split(/[\\/]/).at(-2) ?? ''
  const name = nameSegment(folder)
  return name === '' ? 'imported' : name
}
