/** Which block of a section is its schema, where examples and the like stand beside it. */
import type { Code, Nodes } from 'mdast'
import { isObject } from '../../../protocol/json.ts'
import type { JsonBlock } from '../../document.ts'
import { wordsOf } from '../markdown/inline.ts'
import type { Lines } from '../markdown/lines.ts'
import { isJson, nodesOf } from '../markdown/nodes.ts'
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
  const todo = [...nodes].reverse()
  let said = ''
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (node.type === 'code') {
      if (isJson(node as Code)) found.push({ block: jsonBlock(node, lines), said })
      said = ''
    } else if (node.type === 'paragraph' || node.type === 'heading') said = wordsOf(node.children)
    else if ('children' in node)
      for (let at = node.children.length - 1; at >= 0; at--) todo.push(node.children[at] as Nodes)
  }
  return found
}

const KEYWORDS = ['$schema', '$ref', 'properties', 'anyOf', 'oneOf', 'allOf', 'additionalProperties', 'items']
const TYPES = new Set(['object', 'null', 'array', 'string', 'integer', 'number', 'boolean'])

const looksLikeSchema = (value: unknown): boolean =>
  typeof value === 'boolean' ||
  (isObject(value) &&
    (KEYWORDS.some((key) => key in value) || (typeof value.type === 'string' && TYPES.has(value.type))))
