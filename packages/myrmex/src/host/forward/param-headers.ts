/** Arguments that a tool mirrors into HTTP headers (`x-mcp-header`), encoded as revision 2026-07-28 requires. */
import { valueAtPath } from '../../protocol/json.ts'
import type { HeaderParameter } from '../../tool/headers.ts'

/** Values that can be sent unencoded: no blanks at either end, and nothing that looks like the base64 encoding. */
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
