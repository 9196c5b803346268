// The servers that are measured, as data: how each is started for stdio, for HTTP and with a thousand tools, and which
// module connects to it in process. A target that lacks a way simply has no entry for it.
import { existsSync } from 'node:fs'
import type { Command } from './measure/server-process.ts'

export type TargetName = 'ours' | 'sdk2' | 'tmcp' | 'bare'

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

export const targets: Record<TargetName, Target> = {
  ours: {
    stdio: { args: [cli, 'serve', ourTools] },
    http: (port) => ({ args: [cli, 'serve', ourTools, '--http', String(port)] }),
    manyTools: { args: [cli, 'serve', ourTools], env: manyEnv },
    inProcess: path('servers/ours-inproc.ts'),
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
