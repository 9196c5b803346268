/** The document of a server that somebody else wrote: what it lists, asked of it. */
import { foreignDefinition } from '../../client/foreign-definition.ts'
import { renderDocument } from '../../spec/render.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import { type ConnectTarget, connectTarget } from '../tools/connect-target.ts'

export async function serverDocument(
  from: ConnectTarget,
  title?: string,
): Promise<{ bodies: ToolBody[]; document: string }> {
  const connection = await connectTarget(from)
  try {
    const info = connection.client.getServerVersion()
    const tools = await connection.tools()
    const bodies = tools.map((tool) => foreignDefinition(tool, info?.version ?? '0.0.0'))
    const name = info === undefined ? connection.peer : `${info.name} ${info.version}`
    return { bodies, document: renderDocument(bodies, { title: title ?? name, server: name }) }
  } finally {
    await connection.close()
  }
}
