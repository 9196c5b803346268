/** Finds the schema among the blocks of a section, which may also have examples. A sample result is not an output schema. */
import type { Nodes } from 'mdast'
import { isObject } from '../../../protocol/json.ts'
import type { JsonBlock } from '../../document.ts'
import { wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import { isJson, nodesOf, nodesOfType } from '../../markdown/nodes.ts'
import type { Piece } from '../pieces.ts'
import { jsonBlock } from './json-block.ts'

interface Candidate {
  readonly block: JsonBlock
  /** its text looks like a schema, also if it is not JSON */
  readonly resembles: boolean
  /** the words that stand last before it */
  readonly said: string
}

export function schemaIn(pieces: readonly Piece[], lines: Lines, side: 'input' | 'output'): JsonBlock | undefined {
  const candidates = candidatesIn(nodesOf(pieces), lines)
  const named = candidates.filter(({ said }) => /schema/i.test(said))
  const stated =
    named.find(({ said }) => !/\b(errors?|failures?)\b/i.test(said)) ??
    named[0] ??
    candidates.find(({ block, resembles }) => (block.value === undefined ? resembles : looksLikeSchema(block.value)))
  if (stated !== undefined) return stated.block
  const others = candidates.filter(({ said }) => !/\bexamples?\b|\be\.g\b/i.test(said))
  // `null` stands for a tool without data. Other values in a section about results are samples.
  return (side === 'input' ? others[0] : others.find(({ block }) => block.value === null))?.block
}

/** The first object among the blocks of a section without a schema. */
export const sampleIn = (pieces: readonly Piece[], lines: Lines): JsonBlock | undefined =>
  candidatesIn(nodesOf(pieces), lines).find(({ block }) => isObject(block.value))?.block

function candidatesIn(nodes: readonly Nodes[], lines: Lines): Candidate[] {
  const found: Candidate[] = []
  let said = ''
  for (const node of nodesOfType(nodes, 'code', 'paragraph', 'heading')) {
    if (node.type !== 'code') said = wordsOf(node.children)
    else {
      if (isJson(node)) found.push({ block: jsonBlock(node, lines), resembles: SCHEMA_TEXT.test(node.value), said })
      said = ''
    }
  }
  return found
}

const SCHEMA_TEXT =
  /["']?(?:properties["']?\s*:\s*\{|\$(?:schema|ref|defs)["']?\s*:|type["']?\s*:\s*["'](?:object|array|string|integer|number|boolean)["'])/
const TYPES = new Set(['object', 'null', 'array', 'string', 'integer', 'number', 'boolean'])

/** Data can have members called `items` or `properties`, too: their values tell the two apart. */
export const looksLikeSchema = (value: unknown): boolean => {
  if (typeof value === 'boolean') return true
  if (!isObject(value)) return false
  const { type, properties, items, $ref, $schema, additionalProperties } = value
  return (
    (typeof type === 'string' && TYPES.has(type)) ||
    (Array.isArray(type) && type.length > 0 && type.every((one) => TYPES.has(one as string))) ||
    [$ref, $schema].some((one) => typeof one === 'string') ||
    (isObject(properties) && Object.values(properties).every(isSchemaValue)) ||
    (isObject(items) && looksLikeSchema(items)) ||
    isSchemaValue(additionalProperties) ||
    ['anyOf', 'oneOf', 'allOf'].some((key) => Array.isArray(value[key]) && value[key].every(isSchemaValue))
  )
}

const isSchemaValue = (value: unknown): boolean => isObject(value) || typeof value === 'boolean'
