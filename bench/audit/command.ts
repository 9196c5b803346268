// One run of the `myrmex` command in a fresh process: how long it took, when it first said something, and its peak memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { serverEnv } from '../measure/server-process.ts'

export interface CommandRun {
  readonly seconds: number
  /** until the first byte on standard output or error */
  readonly firstOutput: number
  readonly cpuSeconds: number
  readonly peakMegabytes: number
  readonly stdout: string
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

export async function runCommand(args: readonly string[]): Promise<CommandRun> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-bench-usage-'))
  try {
    const usage = join(folder, 'usage.json')
    const node = ['--import', path('usage-report.ts'), path('../../packages/myrmex/bin/myrmex.js')]
    const start = performance.now()
    const child = spawn(process.execPath, [...node, ...args], { env: { ...serverEnv(), BENCH_USAGE: usage } })
    const since = (): number => (performance.now() - start) / 1000
    let firstOutput = Number.NaN
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (Number.isNaN(firstOutput)) firstOutput = since()
        texts[name] += text
      })
    const [code] = await once(child, 'close')
    const seconds = since()
    if (code !== 0) throw new Error(`myrmex ${args.join(' ')} ended with ${code}: ${texts.stdout}${texts.stderr}`)
    return { seconds, firstOutput, stdout: texts.stdout, ...JSON.parse(readFileSync(usage, 'utf8')) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
