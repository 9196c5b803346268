/** `myrmex tools`: what a server offers, for people to read or as JSON. */
import type { RemoteTool } from '../client/connect.ts'
import { isObject } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import { type Reached, reach } from './reach.ts'
import { paint, print } from './terminal.ts'

export async function tools(from: Omit<Reached, 'url'>, options: { url?: string; json?: boolean }): Promise<void> {
  const connection = await reach({ ...from, ...(options.url !== undefined && { url: options.url }) })
  try {
    const list = await connection.tools()
    if (options.json) print(JSON.stringify(list, null, 2))
    else print(list.length === 0 ? 'no tools' : list.map(describe).join('\n\n'))
  } finally {
    await connection.close()
  }
}

function describe(tool: RemoteTool): string {
  const version = tool._meta?.[META.version]
  const marks = [
    typeof version === 'string' ? paint('dim', version) : '',
    tool.annotations?.destructiveHint === true && tool.annotations.readOnlyHint !== true
      ? paint('red', 'changes state')
      : '',
  ]
  const canonical = tool._meta?.[META.name]
  const head = [paint('bold', typeof canonical === 'string' ? canonical : tool.name), ...marks].filter(
    (part) => part !== '',
  )
  const lines = [head.join('  ')]
  for (const line of (tool.description ?? '').split('\n').slice(0, 3))
    if (line.trim() !== '') lines.push(`  ${line.trim()}`)
  const { properties, required } = tool.inputSchema
  if (isObject(properties)) {
    const names = Object.keys(properties)
    const width = Math.max(0, ...names.map((name) => name.length))
    for (const name of names)
      lines.push(parameter(name, width, properties[name], Array.isArray(required) && required.includes(name)))
  }
  return lines.join('\n')
}

function parameter(name: string, width: number, schema: unknown, required: boolean): string {
  const { type, description } = isObject(schema) ? schema : {}
  const kind = `${typeof type === 'string' ? type : 'any'}${required ? '' : '?'}`
  const about = typeof description === 'string' ? `  ${paint('dim', description)}` : ''
  return `    ${paint('cyan', name.padEnd(width))}  ${kind.padEnd(9)}${about}`
}
