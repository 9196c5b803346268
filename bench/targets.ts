// The servers that are measured, as data: how each is started for stdio, for HTTP and with a thousand tools, and which
// module connects to it in process. A target that lacks a way simply has no entry for it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Command } from './measure/server-process.ts'

export type TargetName = 'ours' | 'unrecorded' | 'sdk2' | 'tmcp' | 'bare'

export type Target = {
  stdio: Command
  http: (port: number) => Command
  manyTools?: Command
  inProcess?: string
}

export const manyToolsCount = 1000

const path = (relative: string) => new URL(relative, import.meta.url).pathname
const manyEnv = { BENCH_TOOLS: String(manyToolsCount) }

function script(file: string): Target {
  return {
    stdio: { args: [file] },
    http: (port) => ({ args: [file, '--http', String(port)] }),
    manyTools: { args: [file], env: manyEnv },
    inProcess: file,
  }
}

const cli = path('../packages/myrmex/bin/myrmex.js')
const ourTools = path('servers/ours.tools.ts')
/** `myrmex serve` with its defaults, on a ledger that is deleted after the benchmark. */
const folder = mkdtempSync(join(tmpdir(), 'myrmex-bench-'))
export const removeLedgers = (): void => rmSync(folder, { recursive: true, force: true })
process.once('exit', removeLedgers)
const serve = [cli, 'serve', ourTools, '--ledger', join(folder, 'ledger.db')]

/** The same on another ledger. */
export const serveOn = (ledger: string, keyFile: string): string[] => [
  ...[cli, 'serve', ourTools],
  ...['--ledger', ledger, '--ledger-key', keyFile],
]

const unrecorded = [path('servers/unrecorded.ts'), join(folder, 'unrecorded.db')]

export const targets: Record<TargetName, Target> = {
  ours: {
    stdio: { args: serve },
    http: (port) => ({ args: [...serve, '--http', String(port)] }),
    manyTools: { args: serve, env: manyEnv },
    inProcess: path('servers/ours-inproc.ts'),
  },
  /** Ourselves without the record gate, which no option of the command can take away. */
  unrecorded: {
    stdio: { args: unrecorded },
    http: (port) => ({ args: [...unrecorded, '--http', String(port)] }),
  },
  sdk2: script(path('peers/sdk2.js')),
  tmcp: script(path('peers/tmcp.js')),
  bare: {
    stdio: { args: [path('servers/bare-stdio.ts')] },
    http: (port) => ({ args: [path('servers/bare-http.ts'), '--http', String(port)] }),
  },
}

/** Whether our own server is there to be measured; the peers are measured without it all the same. */
export function oursIsThere(): boolean {
  return existsSync(cli)
}
