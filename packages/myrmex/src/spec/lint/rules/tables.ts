/** Rules about the tables of sections 3 and 4: they must agree with the schemas. */
import { canonical } from '../../../protocol/canonical.ts'
import { isObject } from '../../../protocol/json.ts'
import type { Table, TableRow } from '../../document.ts'
import {
  columnsOf,
  type FieldColumns,
  isNoName,
  statedYesOrNo,
  withoutBranches,
} from '../../read/sections/table-columns.ts'
import type { SchemaNode } from '../../schema-view.ts'
import { formRule, type Rule, type RuleFinding, toolRule } from '../finding.ts'
import type { LintedTool, SchemaPart } from '../linted-tool.ts'
import { clipped, quoteText, showValue } from '../show-value.ts'
import { findField, type TableField } from './table-field.ts'
import { typeDiffers } from './table-type.ts'

export const TABLES: readonly Rule[] = [
  formRule('missing-table', 'warning', 'Section 3 or 4 has no table of its parameters or fields.', function* (tool) {
    for (const { side, schema } of [tool.input, tool.output]) {
      const section = tool.nonEmptySection(side)
      if (section === undefined || schema === undefined || tableOf(tool, side) !== undefined) continue
      const names = namesOf(schema.json)
      const what = side === 'input' ? 'parameters' : 'fields'
      if (names.length === 0) continue
      yield {
        location: section.location,
        message: `there is no table of the ${what} (${clipped(names.join(', '))}). Add one.`,
      }
    }
  }),
  toolRule('table-disagrees', 'error', 'A table contradicts the schema below it.', function* (tool) {
    for (const part of [tool.input, tool.output]) {
      const table = tableOf(tool, part.side)
      const { schema } = part
      if (table === undefined || schema === undefined) continue
      yield* tool.withinTimeLimit(part, () => [...disagreements(table, part, schema.json)])
    }
  }),
]

const tableOf = ({ parsed }: LintedTool, side: SchemaPart['side']): Table | undefined =>
  side === 'input' ? parsed.inputTable : parsed.outputTable

const namesOf = ({ properties }: SchemaNode): string[] => (isObject(properties) ? Object.keys(properties) : [])

const cellOf = ({ cells }: TableRow, column: number): string => (cells[column] ?? '').trim()

/** The name without tree branches before it and without a mark for optional or required fields. */
function nameIn(cell: string, root: SchemaNode): string {
  const bare = withoutBranches(cell)
  const readings = [cell, bare, bare.replace(/[?*]$/, '')]
  return readings.find((name) => findField(name, root) !== 'none') ?? cell
}

function* disagreements(table: Table, { side, block }: SchemaPart, root: SchemaNode): Iterable<RuleFinding> {
  const columns = columnsOf(table)
  const what = side === 'input' ? 'parameter' : 'field'
  const seen = new Map<string, number>()
  for (const row of table.rows) {
    const name = nameIn(cellOf(row, columns.name), root)
    if (isNoName(name)) continue
    const before = seen.get(name)
    if (before !== undefined) {
      yield {
        location: row.location,
        message: `the ${what} ${quoteText(name)} already has a row in line ${before}. Merge the two.`,
      }
      continue
    }
    seen.set(name, row.location.line)
    const field = findField(name, root)
    if (field === 'none') {
      const message = `the ${what} ${quoteText(name)} is in the table, but not in the schema. Remove the row, or add it to the schema.`
      yield { location: row.location, message }
    } else if (field !== 'unknown') yield* rowFaults(row, columns, field, name, root)
  }
  for (const name of namesOf(root)) {
    if (seen.has(name)) continue
    const message = `the ${what} ${quoteText(name)} is in the schema, but not in the table. Add a row for it.`
    yield { location: block?.locationOf(['properties', name]) ?? table.location, message }
  }
}

function* rowFaults(
  row: TableRow,
  columns: FieldColumns,
  field: TableField,
  name: string,
  root: SchemaNode,
): Iterable<RuleFinding> {
  const { location } = row
  const type = columns.type === -1 ? '' : cellOf(row, columns.type)
  const words = type === '' ? undefined : typeDiffers(type, field.schema, root)
  if (words !== undefined) {
    yield {
      location,
      message: `the table says that ${quoteText(name)} is ${quoteText(type)}, the schema says ${quoteText(words)}. Make them agree.`,
    }
  }
  const stated = columns.required === -1 ? undefined : statedYesOrNo(cellOf(row, columns.required))
  if (stated !== undefined && field.required !== undefined && (stated !== columns.inverted) !== field.required) {
    const says = field.required ? 'required' : 'optional'
    const instead = field.required ? 'optional' : 'required'
    yield {
      location,
      message: `the table says that ${quoteText(name)} is ${instead}, the schema says ${says}. Make them agree.`,
    }
  }
  if (columns.default !== -1) yield* defaultFaults(row, cellOf(row, columns.default), field.schema.default, name)
}

const NO_DEFAULT = /^[\s–—-]*$|^(?:none|null|n\/a|no default|required|undefined)\.?$/i
/** The renderer omits longer ones. */
const MAX_DEFAULT_LENGTH = 60

function* defaultFaults({ location }: TableRow, cell: string, is: unknown, name: string): Iterable<RuleFinding> {
  const isSame = NO_DEFAULT.test(cell)
    ? is === undefined || is === null || JSON.stringify(is).length > MAX_DEFAULT_LENGTH
    : cell.includes('…') || cell.endsWith('...') || (is !== undefined && readings(cell).includes(canonical(is)))
  if (isSame) return
  const says = NO_DEFAULT.test(cell) ? 'has none' : `says ${quoteText(cell)}`
  const schemaSays = is === undefined ? 'has none' : `says ${showValue(is)}`
  yield {
    location,
    message: `the default of ${quoteText(name)}: the table ${says}, the schema ${schemaSays}. Make them agree.`,
  }
}

/** The possible values of a cell: JSON, a text without quotation marks, a Python literal. */
function readings(cell: string): string[] {
  const texts = [cell, cell.replace(/^'(.*)'$/s, '$1'), cell.replace(/^“(.*)”$/s, '$1')]
  const python: Readonly<Record<string, unknown>> = { True: true, False: false, None: null }
  const values: unknown[] = [...texts, ...(Object.hasOwn(python, cell) ? [python[cell]] : [])]
  try {
    values.push(JSON.parse(cell))
  } catch {
    // The cell is a text.
  }
  return values.map((value) => canonical(value))
}
