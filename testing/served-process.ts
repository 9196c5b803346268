/** A real `myrmex serve --http 0` in a process of its own, with a policy: its address, its memory, and whether it still lives. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LedgerFile, ledgerFile } from './gated-server.ts'
import { CLI } from './paths.ts'

export interface ServedProcess {
  readonly origin: string
  readonly url: string
  readonly process: ChildProcess
  readonly file: LedgerFile
  /** what it wrote to stderr so far */
  stderr(): string
  /** its resident memory in MB */
  rss(): number
  isAlive(): boolean
}

/** `tools` are its arguments: files of tools, and options. It ends with the test. */
export async function serveProcess(
  tools: readonly string[],
  policy: object = {},
  env: Readonly<Record<string, string>> = {},
): Promise<ServedProcess> {
  const file = ledgerFile()
  const rules = join(file.folder, 'myrmex.policy.json')
  writeFileSync(rules, JSON.stringify(policy))
  const args = ['serve', ...tools, '--http', '0', '--ledger', file.path, '--policy', rules]
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let said = ''
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The server did not start: ${said}`)))
  })
  return {
    origin,
    url: `${origin}/mcp`,
    process: child,
    file,
    stderr: () => said,
    rss: () => residentMegabytes(child.pid ?? 0),
    isAlive: () => child.exitCode === null && child.signalCode === null,
  }
}

/** The resident memory of a process, from /proc. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}
