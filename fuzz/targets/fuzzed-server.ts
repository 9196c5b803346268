/** The server of fuzz.tools.ts on a real ledger. A fault of its own, which a caller sees only as an internal error, is kept. */
import { join } from 'node:path'
import { createServer, type Ledger, openLedger, type Server } from 'myrmex'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'
import { CaseFailure } from '../check-reply.ts'

export interface FuzzedServer {
  readonly server: Server
  readonly ledger: Ledger
  /** Throws what went wrong inside, if anything did. */
  assertNoFault(): void
  close(): Promise<void>
}

const TOOLS = join(import.meta.dirname, '..', 'fuzz.tools.ts')

export async function openFuzzedServer(folder: string): Promise<FuzzedServer> {
  const ledger = await openLedger(join(folder, 'ledger.db'))
  let fault: unknown
  const server = createServer({
    name: 'fuzz',
    version: '1.0.0',
    ledger,
    // An error of a tool is expected: it has the name of one.
    observe: ({ tool, thrown }) => {
      if (tool === '') fault ??= thrown
    },
  })
  server.add(await loadModule(TOOLS))
  return {
    server,
    ledger,
    assertNoFault() {
      if (fault === undefined) return
      const thrown = fault
      fault = undefined
      throw new CaseFailure(`an internal fault: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
    },
    async close() {
      server.close()
      await ledger.close()
    },
  }
}
