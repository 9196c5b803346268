/** Our server, started as its users start it, with a tap before it and a judge that reads along. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { MessageChecker } from '@myrmex/testing/message-checker/message-checker'
import { tapHttp } from './http-tap.ts'

export const TRANSPORTS = ['stdio', 'http'] as const
export type Transport = (typeof TRANSPORTS)[number]

/** What a client connects to. */
export type Target =
  | { kind: 'stdio'; command: string; args: string[]; env?: Record<string, string> }
  | { kind: 'http'; url: string }

export interface TappedServer {
  readonly target: Target
  readonly judge: MessageChecker
  /** Breaks off what streams there are. */
  cut(): void
  /** After it nothing runs any more and the judge has heard everything. Throws where the server did not end well. */
  close(): Promise<void>
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const BIN = here('../../packages/myrmex/bin/myrmex.js')

/** The fixture as `myrmex serve` serves it. */
export const TOOLS_SERVER = [
  BIN,
  'serve',
  ...['interop', 'waiting', 'asking', 'data'].map((name) => here(`./${name}.tools.ts`)),
  // The client passes on no variables of ours, and the tools are in the checkout.
  ...['--ledger', join('.myrmex', 'ledger.db')],
]

/** A server that changes while it runs: see living.ts. */
export const CHANGING_SERVER = [here('./changing-server.ts')]

/** `program` serves stdio, or HTTP with `--http 0` after it, saying where on stderr. */
export async function startTapped(program: readonly string[], transport: Transport): Promise<TappedServer> {
  const judge = new MessageChecker()
  const { target, cut, close } = await (transport === 'stdio' ? onStdio(program, judge) : onHttp(program, judge))
  let closed: Promise<void> | undefined
  return {
    target,
    judge,
    cut,
    close() {
      closed ??= close()
      return closed
    },
  }
}

type Opened = Pick<TappedServer, 'target' | 'cut' | 'close'>

/** The client starts the server itself, through the tap, as often as it likes. */
function onStdio(program: readonly string[], judge: MessageChecker): Opened {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-interop-'))
  const args = [here('./stdio-tap.ts'), folder, process.execPath, ...program]
  return {
    target: { kind: 'stdio', command: process.execPath, args },
    // One pipe: broken off, it is the end.
    cut: () => {},
    async close() {
      const logs = readdirSync(folder)
      await Promise.all(logs.map((log) => ended(Number.parseInt(log, 10))))
      for (const log of logs) {
        const conversation = judge.conversation()
        for (const line of readFileSync(join(folder, log), 'utf8').split('\n')) {
          if (line.startsWith('>')) conversation.fromClient(line.slice(1))
          else if (line !== '') conversation.fromServer(line.slice(1))
        }
      }
      rmSync(folder, { recursive: true })
    },
  }
}

async function onHttp(program: readonly string[], judge: MessageChecker): Promise<Opened> {
  const server = spawn(process.execPath, [...program, '--http', '0'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const tap = await tapHttp(await urlOf(server), judge)
  return {
    target: { kind: 'http', url: tap.url },
    cut: tap.cut,
    async close() {
      server.kill('SIGTERM')
      const [code] = server.exitCode === null ? await once(server, 'exit') : [server.exitCode]
      await tap.close()
      if (code !== 0) throw new Error(`the server ended with exit code ${code}`)
    },
  }
}

function urlOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.stderr?.on('data', (chunk: Buffer) => {
      said += chunk
      const url = /tools at (http:\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
    server.once('exit', (code) => reject(new Error(`the server ended with exit code ${code} before it began: ${said}`)))
  })
}

const MAX_SHUTDOWN_MS = 30_000

/** A server whose client has gone goes too. */
async function ended(pid: number): Promise<void> {
  const latest = performance.now() + MAX_SHUTDOWN_MS
  while (runs(pid)) {
    if (performance.now() > latest) {
      process.kill(pid, 'SIGKILL')
      throw new Error(`process ${pid} still ran ${MAX_SHUTDOWN_MS} ms after its client had gone`)
    }
    await after(10)
  }
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
