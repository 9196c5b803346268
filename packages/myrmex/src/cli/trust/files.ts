/**
 * Tools from files: loaded, seen by the ledger, and their examples run through a real server. Client and server are loaded
 * only for that: most decisions are made from the ledger alone.
 */
import type { Ledger } from '../../ledger/ledger.ts'
import type { Tool } from '../../tool/tool.ts'
import { rehearsal, runExamples, type Tried } from '../../tool/verify/examples.ts'

export async function seeFiles(files: readonly string[] | undefined, ledger: Ledger): Promise<Tool[]> {
  if (files === undefined || files.length === 0) return []
  const { load, report } = await import('../load.ts')
  const { server, failures } = await load(files)
  report(failures)
  const tools = [...server.registry]
  await ledger.trust.see(tools)
  return tools
}

/**
 * Nothing that changes state is among the tools of this server. It has no trust of its own to ask, so that what is not
 * verified yet can be; every call is recorded in the ledger all the same.
 */
export async function tryExamples(tools: readonly Tool[], ledger: Ledger): Promise<Map<Tool, Tried>> {
  if (tools.length === 0) return new Map()
  const [{ connect }, { createServer }] = await Promise.all([
    import('../../client/connect.ts'),
    import('../../server/server.ts'),
  ])
  const safe = tools.map(rehearsal).filter((one) => typeof one !== 'string')
  const connection = await connect(
    createServer({ name: 'myrmex-verify', version: '0.1.0', tools: safe, recorder: ledger.audit }),
  )
  try {
    const tried = new Map<Tool, Tried>()
    for (const tool of tools) {
      const call = (it: Tool, args: Record<string, unknown>) => connection.call(it.name, args, { version: it.version })
      tried.set(tool, await runExamples(tool, call))
    }
    return tried
  } finally {
    await connection.close()
  }
}
