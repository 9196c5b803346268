/** The arguments that a tool mirrors into HTTP headers (`x-mcp-header`), as the 2026-07-28 revision writes them. */
import { valueAtPath } from '../../protocol/json.ts'
import type { HeaderParameter } from '../../tool/headers.ts'

/** What a header may hold as it is: no blanks at the ends, and nothing that looks like our own encoding. */
const PLAIN = /^(?!=\?base64\?)(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/

export function paramHeaders(parameters: readonly HeaderParameter[], args: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { header, path } of parameters) {
    const value = valueAtPath(args, path)
    if (value === undefined || value === null) continue
    const text = String(value)
    headers[header] = PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
  }
  return headers
}
