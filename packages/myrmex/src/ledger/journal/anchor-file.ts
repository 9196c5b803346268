/** Reads anchors that were stored elsewhere: a file with one signed mark a line. Any other line is an error. */
import { ToolError } from '../../protocol/errors.ts'
import { isObject, parseJson } from '../../protocol/json.ts'
import type { SignedMark } from './mark.ts'
import { openText } from './open-text.ts'

export async function readAnchors(path: string): Promise<SignedMark[]> {
  const file = await openText(path, `--anchors ${path}`)
  const anchors: SignedMark[] = []
  let number = 0
  try {
    for await (const line of file.readLines({ autoClose: false })) {
      number++
      if (line.trim() !== '') anchors.push(anchorOf(line, `${path}, line ${number}`))
    }
  } finally {
    await file.close()
  }
  if (anchors.length === 0) throw ToolError.of('ValidationError', `--anchors ${path} has no anchors.`)
  return anchors
}

function anchorOf(line: string, where: string): SignedMark {
  const anchor = parseJson(line)
  if (isObject(anchor) && [anchor.body, anchor.key_id, anchor.signature].every((part) => typeof part === 'string'))
    return anchor as unknown as SignedMark
  throw ToolError.of('ValidationError', `${where} is not an anchor.`)
}
