/**
 * Verifies an export made with --proof, without its ledger. The file may be hostile: everything in it must be as we write it and
 * covered by a signature, memory stays bounded, and nothing in it can make the check throw.
 */
import { DefectError, firstDefect } from './defect.ts'
import { FileCheck, type FileOptions } from './file-check.ts'
import { openText } from './open-text.ts'
import { MAX_GROUP_BYTES } from './read-groups.ts'
import type { VerifyReport } from './verify-report.ts'

export async function verifyFile(lines: AsyncIterable<string>, options: FileOptions = {}): Promise<VerifyReport> {
  const check = new FileCheck(options)
  const defect = await firstDefect(async () => {
    for await (const line of lines) {
      const checking = check.take(line)
      if (checking !== undefined) await checking
    }
    check.end()
  })
  return check.report(defect)
}

/** The lines of a file. They end with a newline only: readline would split at U+2028 too, which JSON may contain. */
export async function* linesOfFile(path: string): AsyncGenerator<string> {
  const file = await openText(path)
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest: string[] = []
  let length = 0
  try {
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      const [first = '', ...others] = decode(decoder, chunk).split('\n')
      rest.push(first)
      length += first.length
      for (const text of others) {
        yield rest.join('')
        rest = [text]
        length = text.length
      }
      if (length > MAX_GROUP_BYTES)
        throw new DefectError('file', 'the file has a line that is longer than any that we write')
    }
    rest.push(decode(decoder))
  } finally {
    await file.close()
  }
  const last = rest.join('')
  if (last !== '') yield last
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw new DefectError('file', 'the file has bytes that are not UTF-8')
  }
}
