/** `myrmex tools`: lists a server's tools, for people or as JSON. */
import type { RemoteTool } from '../../client/connect.ts'
import { isObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import { clean, paint, print, wrap } from '../../serve/terminal.ts'
import { type ConnectTarget, connectTarget } from './connect-target.ts'

export async function tools(
  from: Omit<ConnectTarget, 'url'>,
  options: { url?: string; json?: boolean },
): Promise<void> {
  const connection = await connectTarget({ ...from, ...(options.url !== undefined && { url: options.url }) })
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
    typeof version === 'string' ? paint('dim', clean(version)) : '',
    tool.annotations?.destructiveHint === true && tool.annotations.readOnlyHint !== true
      ? paint('red', 'changes state')
      : '',
    deprecated(tool),
  ]
  const canonical = tool._meta?.[META.name]
  const head = [paint('bold', clean(typeof canonical === 'string' ? canonical : tool.name)), ...marks].filter(
    (part) => part !== '',
  )
  const lines = [head.join('  ')]
  if (tool.description) lines.push(wrap(clean(tool.description), 2))
  const { properties, required } = tool.inputSchema
  if (isObject(properties)) {
    const names = Object.keys(properties)
    const width = Math.max(0, ...names.map((name) => name.length))
    for (const name of names)
      lines.push(parameter(name, width, properties[name], Array.isArray(required) && required.includes(name)))
  }
  return lines.join('\n')
}

function deprecated({ _meta }: RemoteTool): string {
  const [since, instead] = [_meta?.[META.deprecatedIn], _meta?.[META.replacedBy]]
  if (typeof since !== 'string') return ''
  const use = typeof instead === 'string' ? `, use ${clean(instead)}` : ''
  return paint('yellow', `deprecated in ${clean(since)}${use}`)
}

function parameter(name: string, width: number, schema: unknown, required: boolean): string {
  const { type, description } = isObject(schema) ? schema : {}
  const kind = `${typeof type === 'string' ? type : 'any'}${required ? '' : '?'}`.padEnd(9)
  const head = `    ${paint('cyan', clean(name).padEnd(width))}  ${kind}`
  if (typeof description !== 'string') return head.trimEnd()
  // The first line is beside the name, the others are below it.
  const indent = 4 + width + 2 + kind.length + 2
  return `${head}  ${paint('dim', wrap(clean(description), indent).trimStart())}`
}
