/** The tables of sections 3 and 4: one row for each parameter or field, nested ones below. */

import { isObject } from '../../protocol/json.ts'
import { fit } from '../../protocol/text.ts'
import { inCode, inLine } from '../markdown/text.ts'
import { table } from '../markdown/write-blocks.ts'
import { fieldsOf, type SchemaNode, typeInWords } from '../schema-view.ts'

const MAX_VALUE_LENGTH = 60

/** The schema below the table has the whole text. Thousands of fields can refer to one long text. */
const MAX_DESCRIPTION_LENGTH = 1000

const described = (schema: SchemaNode): string =>
  inLine(fit([schema.description, schema.title].find((text) => typeof text === 'string') ?? '', MAX_DESCRIPTION_LENGTH))

const valueInCode = (value: unknown): string => {
  const text = value === undefined ? '' : JSON.stringify(value)
  return text === '' || text.length > MAX_VALUE_LENGTH ? '' : inCode(text)
}

/** `examples` are the arguments of the tool's examples: where a schema shows no value, they may. */
export function parameterTable(schema: SchemaNode, examples: readonly Record<string, unknown>[]): string {
  const fields = fieldsOf(schema)
  // A schema that says nothing at all takes anything.
  if (fields.length === 0)
    return isObject(schema.properties) ? 'It takes no parameters.' : 'The schema names no parameters.'
  const shownFor = (name: string, node: SchemaNode): unknown =>
    Array.isArray(node.examples) && node.examples.length > 0
      ? node.examples[0]
      : examples.find((given) => Object.hasOwn(given, name))?.[name]
  return table(
    ['Parameter Name', 'Type', 'Required', 'Description', 'Default', 'Example Value'],
    fields.map(({ name, schema: node, required }) => [
      inCode(name),
      inCode(typeInWords(node, schema)),
      required ? 'Yes' : 'No',
      described(node),
      valueInCode(node.default),
      valueInCode(shownFor(name, node)),
    ]),
  )
}

export function fieldTable(schema: SchemaNode): string {
  if (schema.type === 'null') return 'It gives no data: `data` is `null`.'
  const fields = fieldsOf(schema)
  if (fields.length === 0) return 'The schema names no fields.'
  return table(
    ['Field Name', 'Type', 'Always there', 'Description'],
    fields.map(({ name, schema: node, required }) => [
      inCode(name),
      inCode(typeInWords(node, schema)),
      required ? 'Yes' : 'No',
      described(node),
    ]),
  )
}
