/** Parameters a tool mirrors into HTTP headers (`x-mcp-header`, 2026-07-28), found and checked once per definition. */
import type { RpcError } from '../protocol/errors.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { withArticle } from '../protocol/text.ts'

export interface HeaderParameter {
  /** lower case, as Node gives header names: mcp-param-region */
  readonly header: string
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean'
}

/** The error of a request whose headers do not repeat its arguments; undefined if they do. */
export type HeaderMismatch = (parameters: readonly HeaderParameter[], args: unknown) => RpcError | undefined

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES = ['string', 'integer', 'boolean']

export function headerParameters(schema: JsonObject, refuse: (why: string) => never): readonly HeaderParameter[] {
  const found: HeaderParameter[] = []
  const visit = (node: unknown, path: string[]): void => {
    if (!isObject(node) || !isObject(node.properties)) return
    for (const [key, child] of Object.entries(node.properties)) {
      if (!isObject(child)) continue
      if (child['x-mcp-header'] !== undefined) found.push(marked(child, [...path, key], found, refuse))
      visit(child, [...path, key])
    }
  }
  visit(schema, [])
  if (countMarks(schema) !== found.length)
    refuse('x-mcp-header may only stand on properties reached through properties')
  return found
}

function marked(
  child: Record<string, unknown>,
  path: string[],
  found: readonly HeaderParameter[],
  refuse: (why: string) => never,
): HeaderParameter {
  const name = child['x-mcp-header']
  if (typeof name !== 'string' || !TOKEN.test(name))
    return refuse(`x-mcp-header ${JSON.stringify(name)} is no header name`)
  if (!TYPES.includes(child.type as string))
    refuse(`x-mcp-header ${name} stands on ${withArticle(String(child.type))}; it may be ${TYPES}`)
  const header = `mcp-param-${name.toLowerCase()}`
  if (found.some((other) => other.header === header)) refuse(`x-mcp-header ${name} is used twice`)
  return { header, path, type: child.type as HeaderParameter['type'] }
}

/** Without recursion, because a schema of an upstream may be nested to any depth. */
function countMarks(schema: unknown): number {
  let marks = 0
  const left: unknown[] = [schema]
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null) continue
    if (isObject(node) && 'x-mcp-header' in node && !isObject(node['x-mcp-header'])) marks++
    for (const child of Object.values(node)) left.push(child)
  }
  return marks
}
