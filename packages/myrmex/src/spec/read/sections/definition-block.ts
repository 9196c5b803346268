/**
 * Blocks of code that define a tool by themselves: an entry of `tools/list` with name and schema, the function format of
 * model APIs, YAML with the same fields, or a Python function with a decorator for tools.
 */
import type { Code } from 'mdast'
import { isObject, type Json } from '../../../protocol/json.ts'
import type { JsonBlock, StatedValue, TextLocation } from '../../document.ts'
import { type Lines, locationAt, splitLines } from '../../markdown/lines.ts'
import { isJson, locationOf } from '../../markdown/nodes.ts'
import { jsonBlock } from './json-block.ts'
import { looksLikeSchema } from './schema.ts'

export interface BlockDefinition {
  readonly name: StatedValue
  readonly title: StatedValue | undefined
  readonly description: StatedValue | undefined
  readonly inputSchema: JsonBlock | undefined
  readonly outputSchema: JsonBlock | undefined
  /** the parameters of a function, as code */
  readonly signature: StatedValue | undefined
  /** the format of a block of which only the name was read */
  readonly unread: 'YAML' | undefined
}

export function definitionsIn(node: Code, lines: Lines): BlockDefinition[] {
  // JSON is often marked as the language of the program around it.
  if (isJson(node) || /^\s*[{[]/.test(node.value)) {
    return mayDefine(node.value) ? jsonDefinitions(jsonBlock(node, lines)) : []
  }
  if (/^ya?ml$/i.test(node.lang ?? '')) return yamlDefinitions(node)
  return /^(?:py|python3?)$/i.test(node.lang ?? '') ? pythonDefinitions(node) : []
}

/** Most blocks are something else, and need not be parsed to know. */
const mayDefine = (text: string): boolean =>
  /"name"\s*:/.test(text) && /"(?:parameters|inputSchema|input_schema)"\s*:/.test(text)
const MAX_DEFINITIONS = 1000

function jsonDefinitions(block: JsonBlock): BlockDefinition[] {
  return entriesOf(block.value)
    .slice(0, MAX_DEFINITIONS)
    .flatMap(({ value, path }, index) => jsonDefinition(block, value, path, index === 0) ?? [])
}

interface Entry {
  readonly value: Json | undefined
  readonly path: readonly PropertyKey[]
}

/** One definition, a list of them, or an object with a list `tools`. */
function entriesOf(value: Json | undefined): Entry[] {
  if (Array.isArray(value)) return value.map((one, index) => ({ value: one, path: [index] }))
  if (!isObject(value)) return []
  const { tools } = value as { tools?: Json }
  if (Array.isArray(tools)) return tools.map((one, index) => ({ value: one, path: ['tools', index] }))
  return [{ value: value as Json, path: [] }]
}

const INPUT = ['inputSchema', 'input_schema', 'parameters'] as const
const OUTPUT = ['outputSchema', 'output_schema', 'returns'] as const

function jsonDefinition(
  block: JsonBlock,
  given: Json | undefined,
  at: readonly PropertyKey[],
  isFirst: boolean,
): BlockDefinition | undefined {
  if (!isObject(given)) return undefined
  const isFunction = isObject(given.function) && typeof given.function.name === 'string'
  const value = (isFunction ? given.function : given) as Record<string, Json>
  const path = isFunction ? [...at, 'function'] : at
  const { name } = value
  const input = INPUT.find((key) => isSchemaMember(value, key))
  if (typeof name !== 'string' || input === undefined) return undefined
  const output = OUTPUT.find((key) => isSchemaMember(value, key))
  const said = (key: string): StatedValue | undefined => {
    const text = value[key]
    return typeof text === 'string' ? { value: text, location: block.locationOf([...path, key]) } : undefined
  }
  return {
    name: { value: name, location: block.locationOf([...path, 'name']) },
    title: said('title'),
    description: said('description'),
    // Faults of the whole block are reported once.
    inputSchema: inside(block, [...path, input], value[input], isFirst),
    outputSchema: output === undefined ? undefined : inside(block, [...path, output], value[output], false),
    signature: undefined,
    unread: undefined,
  }
}

/** `parameters` may also be the arguments of a call; then it is no schema. */
const isSchemaMember = (value: Record<string, Json>, key: string): boolean => {
  const schema = value[key]
  if (!isObject(schema)) return false
  return key === 'inputSchema' || key === 'input_schema' || looksLikeSchema(schema)
}

const inside = (
  block: JsonBlock,
  path: readonly PropertyKey[],
  value: Json | undefined,
  withFaults: boolean,
): JsonBlock => ({
  location: block.locationOf(path),
  value,
  faults: withFaults ? block.faults : [],
  locationOf: (further) => block.locationOf([...path, ...further]),
})

const YAML_NAME = /^name:[ \t]*["']?([^\s"'#]+)["']?[ \t]*(?:#[^\n]*)?$/m
const YAML_INPUT = /^(?:parameters|inputSchema|input_schema|arguments|inputs?):/m
const YAML_DESCRIPTION = /^description:[ \t]*([^\n|>][^\n]*)$/m

function yamlDefinitions(node: Code): BlockDefinition[] {
  const name = YAML_NAME.exec(node.value)
  if (name === null || !YAML_INPUT.test(node.value)) return []
  const inBlock = splitLines(node.value)
  const said = (found: RegExpExecArray): StatedValue => ({
    value: unquoted(found[1] as string),
    location: below(node, inBlock, found.index),
  })
  const description = YAML_DESCRIPTION.exec(node.value)
  const words = description === null ? undefined : said(description)
  return [{ ...EMPTY, name: said(name), description: words, unread: 'YAML' }]
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2')

const PYTHON_TOOL = /^@[\w.]*tool\b[^\n]*\n(?:[^\n]*\n){0,12}?(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(/gm

function pythonDefinitions(node: Code): BlockDefinition[] {
  const inBlock = splitLines(node.value)
  return [...node.value.matchAll(PYTHON_TOOL)].slice(0, MAX_DEFINITIONS).map((found) => {
    const location = below(node, inBlock, found.index + found[0].lastIndexOf('def'))
    const from = found.index + found[0].length
    return {
      ...EMPTY,
      name: { value: found[1] as string, location },
      signature: { value: node.value.slice(from, closing(node.value, from)), location },
    }
  })
}

const MAX_SIGNATURE = 5000

/** Where the bracket that is open here closes. */
function closing(text: string, from: number): number {
  let open = 1
  const end = Math.min(text.length, from + MAX_SIGNATURE)
  for (let at = from; at < end; at++) {
    if ('([{'.includes(text[at] as string)) open++
    else if (')]}'.includes(text[at] as string) && --open === 0) return at
  }
  return end
}

const EMPTY = {
  title: undefined,
  description: undefined,
  inputSchema: undefined,
  outputSchema: undefined,
  signature: undefined,
  unread: undefined,
} as const

/** The line of an offset in a block, below its fence. */
function below(node: Code, inBlock: Lines, offset: number): TextLocation {
  const { line, column } = locationOf(node)
  return { line: line + locationAt(inBlock, offset).line, column }
}
