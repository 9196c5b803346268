/** The schemas of `error_details` in the section about errors, each below a label that names its error type. */
import type { DocumentError, JsonBlock } from '../../document.ts'
import { wordsOf } from '../../markdown/inline.ts'
import type { Lines } from '../../markdown/lines.ts'
import { isJson, nodesOf, nodesOfType } from '../../markdown/nodes.ts'
import type { Piece } from '../pieces.ts'
import { jsonBlock } from './json-block.ts'

const LABEL = /\bschema (?:for|of) (?:the )?error_details of (.+?)[\s:]*$/i

export function withDetails(errors: DocumentError[], pieces: readonly Piece[], lines: Lines): DocumentError[] {
  const found = new Map<string, JsonBlock>()
  let type: string | undefined
  for (const node of nodesOfType(nodesOf(pieces), 'paragraph', 'code')) {
    if (node.type === 'paragraph') type = LABEL.exec(wordsOf(node.children))?.[1]
    else if (type !== undefined && isJson(node)) found.set(type, jsonBlock(node, lines))
  }
  if (found.size === 0) return errors
  return errors.map((error) => {
    const details = found.get(error.type)
    return details === undefined ? error : { ...error, details }
  })
}
