/** Finds the schema among the blocks of a section, which may also have examples. */
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
  /** the words that stand last before it */
  readonly said: string
}

export function schemaIn(pieces: readonly Piece[], lines: Lines): JsonBlock | undefined {
  const candidates = candidatesIn(nodesOf(pieces), lines)
  const named = candidates.filter(({ said }) => /schema/i.test(said))
  return (
    named.find(({ said }) => !/\b(errors?|failures?)\b/i.test(said)) ??
    named[0] ??
    candidates.find(({ block }) => looksLikeSchema(block.value)) ??
    candidates.find(({ said }) => !/\bexamples?\b|\be\.g\b/i.test(said))
  )?.block
}

function candidatesIn(nodes: readonly Nodes[], lines: Lines): Candidate[] {
  const found: Candidate[] = []
  let said = ''
  for (const node of nodesOfType(nodes, 'code', 'paragraph', 'heading')) {
    if (node.type !== 'code') said = wordsOf(node.children)
    else {
      if (isJson(node)) found.push({ block: jsonBlock(node, lines), said })
      said = ''
    }
  }
  return found
}

const KEYWORDS = ['$schema', '$ref', 'properties', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'items']
const TYPES = new Set(['object', 'null', 'array', 'string', 'integer', 'number', 'boolean'])

const looksLikeSchema = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (isObject(value) &&
    (KEYWORDS.some((key) => key in value) || (typeof value.type === 'string' && TYPES.has(value.type))))
