/** A host with a hostile upstream in a real child process, of either era. Each case is one call of a client; every call is answered. */
import { join } from 'node:path'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { connectDirect, openLedger } from 'myrmex'
import { SeededRandom } from '../../crash/seeded-random.ts'
import { openHost } from '../../packages/myrmex/src/host/host.ts'
import { CaseFailure, checkOwnMessage, checkReply, shown } from '../check-reply.ts'
import { hostileLines } from '../generate/hostile-upstream-messages.ts'
import { type Era, INITIALIZE, toRequest } from '../generate/valid-messages.ts'
import { OwnTime, type RunningTarget, type Target, type TargetOptions } from '../target.ts'

/** Below the second that no case may take. */
const CALL_MS = 800

const PROGRAM = join(import.meta.dirname, 'hostile-upstream.ts')

export const upstreamTarget = (era: Era, share: number): Target => ({
  name: `upstream ${era}`,
  share,
  open: (options) => open(era, options),
})

async function open(era: Era, { seed, folder }: TargetOptions): Promise<RunningTarget> {
  const ledger = await openLedger(join(folder, 'ledger.db'))
  let fault: unknown
  const endpoint = {
    where: 'child',
    command: process.execPath,
    args: [PROGRAM, era, String(seed)],
    env: {},
    cwd: folder,
  } as const
  // An upstream may take its time, as a task that it says to ask about later does: the time limit of a call ends that.
  const settings = serverSettings('hostile', endpoint, { timeoutMs: CALL_MS })
  const host = await openHost({
    settings: [settings],
    ledger,
    observe: ({ tool, thrown }) => {
      if (tool === '') fault ??= thrown
    },
  })
  const connection = connectDirect(host.server, (message) => {
    checkOwnMessage(message)
    if ('id' in message && message.id !== undefined && 'method' in message)
      connection.send({ jsonrpc: '2.0', id: message.id, result: { action: 'decline', roots: [] } })
  })
  await connection.send(toRequest('init', INITIALIZE('2025-11-25'), 'legacy'))
  const linesOf = (number: number): Buffer[] => hostileLines(new SeededRandom(seed, `upstream ${era}`, number), 0)
  const own = new OwnTime()
  return {
    // Its server waits for a processor too.
    get pids() {
      return host.servers().flatMap(({ pid }) => pid ?? [])
    },
    own,
    async run(number) {
      const call = { method: 'tools/call', params: { name: 'hostile.target', arguments: { case: number } } }
      const reply = await connection.send(toRequest(number, call, 'legacy'))
      // An error of the upstream is passed on, its code included.
      checkReply({ kind: 'one', id: number }, reply, { mayBeInternal: true })
      if (fault !== undefined) {
        const thrown = fault
        fault = undefined
        throw new CaseFailure(`an internal fault: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
      }
      const [server] = host.servers()
      if (server?.state !== 'ready') throw new CaseFailure(`the upstream was dropped: ${shown(server)}`)
      return own.of(() => linesOf(number).length)
    },
    describe: (number) =>
      linesOf(number)
        .map((line) => shown(line.toString()))
        .join('\n'),
    async close() {
      connection.close()
      await host.close()
      await ledger.close()
    },
  }
}
