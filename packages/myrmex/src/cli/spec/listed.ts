/** The document of a server that somebody else wrote: what it lists, asked of it. */
import { foreignBody } from '../../client/foreign.ts'
import { renderDocument } from '../../spec/render.ts'
import type { Body } from '../../tool/verify.ts'
import { type Reached, reach } from '../reach.ts'

export async function ofServer(from: Reached, title?: string): Promise<{ bodies: Body[]; document: string }> {
  const connection = await reach(from)
  try {
    const info = connection.client.getServerVersion()
    const tools = await connection.tools()
    const bodies = tools.map((tool) => foreignBody(tool, info?.version ?? '0.0.0'))
    const name = info === undefined ? connection.peer : `${info.name} ${info.version}`
    return { bodies, document: renderDocument(bodies, { title: title ?? name, server: name }) }
  } finally {
    await connection.close()
  }
}
