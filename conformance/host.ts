/**
 * The host under test: the fixtures' server (server.ts) as an upstream child on stdio, presented over HTTP on 127.0.0.1. Its only line
 * on stdout is its URL. Started with an IPC channel, it ends when its parent does.
 */
import { fileURLToPath } from 'node:url'
import { listenHttp } from 'myrmex'
import { openHost } from '../packages/myrmex/src/host/host.ts'

/** Named as the module of the fixtures: a server of one module lists the names that the suites look for. */
const host = await openHost({
  name: 'myrmex-conformance',
  version: '1.0.0',
  log: (level, line) => void process.stderr.write(`${level} ${line}\n`),
  settings: [
    {
      name: 'conformance',
      endpoint: {
        where: 'child',
        command: process.execPath,
        args: [fileURLToPath(new URL('./server.ts', import.meta.url)), '--stdio'],
        env: {},
        cwd: process.cwd(),
      },
      start: 'eager',
      idleMs: 0,
      openMs: 30_000,
      timeoutMs: 30_000,
      healthMs: 30_000,
      hungMs: 10_000,
      trust: 'trusted',
      tools: [],
      roots: [],
      instructions: true,
      secrets: [],
      digest: 'conformance',
    },
  ],
})
const { url } = await listenHttp(host.server)
process.on('disconnect', async () => {
  await host.close()
  process.exit()
})
process.stdout.write(`${url}\n`)
