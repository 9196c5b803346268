/** Runs targets, two at a time, each in a process of its own, and finds out what became of it: crashes, hangs, wrong answers, memory. */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryGrowth } from './memory-growth.ts'
import type { ProcessOrder, ProcessReport, TargetStats } from './target-process.ts'
import { TARGETS } from './targets.ts'

export interface FuzzOptions {
  readonly seed: number
  /** over all targets */
  readonly messages: number
  /** names of targets; default: all */
  readonly only?: readonly string[]
  /** the first case, and the last: to repeat one */
  readonly from?: number
  readonly to?: number
  /** processes at a time */
  readonly parallel: number
  /** the targets share so many processes; default: each has its own, so that a crash ends no other */
  readonly processes?: number
}

export interface Failure {
  readonly target: string
  readonly what: 'wrong' | 'hang' | 'crash' | 'memory'
  readonly case: number
  readonly why: string
  readonly input: string
}

export interface TargetResult {
  readonly target: string
  readonly stats: TargetStats | undefined
  readonly failures: readonly Failure[]
}

const PROGRAM = fileURLToPath(new URL('target-process.ts', import.meta.url))
/** A case that takes this long hangs for good. */
const STUCK_MS = 60_000
const CHECK_MS = 500

export function unknownTargets(only: readonly string[] = []): string[] {
  return only.filter((wanted) => !TARGETS.some(({ name }) => name === wanted))
}

export async function fuzz(options: FuzzOptions): Promise<TargetResult[]> {
  const chosen = TARGETS.filter(({ name }) => options.only?.includes(name) ?? true)
  const whole = chosen.reduce((sum, { share }) => sum + share, 0)
  const processes = Math.min(options.processes ?? chosen.length, chosen.length)
  const waiting = Array.from({ length: processes }, (_, process) =>
    chosen
      .filter((_target, index) => index % processes === process)
      .map(({ name, share }) => ({ name, messages: Math.ceil((options.messages * share) / whole) })),
  )
  const results: TargetResult[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results.push(...(await runTargets(next, options)))
    }
  }
  await Promise.all(Array.from({ length: options.parallel }, work))
  const order = chosen.map(({ name }) => name)
  return results.sort((a, b) => order.indexOf(a.target) - order.indexOf(b.target))
}

async function runTargets(targets: ProcessOrder['targets'], options: FuzzOptions): Promise<TargetResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-fuzz-'))
  const { seed, from = 0, to } = options
  try {
    return await inProcess({ targets, seed, folder, from, ...(to !== undefined && { to }) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function currentCase(folder: string): number {
  try {
    const number = Number.parseInt(readFileSync(join(folder, 'case'), 'utf8'), 10)
    return Number.isNaN(number) ? -1 : number
  } catch {
    return -1
  }
}

function inProcess(order: ProcessOrder): Promise<TargetResult[]> {
  const { targets, folder } = order
  return new Promise((resolve) => {
    const failures: Failure[] = []
    const stats = new Map<string, TargetStats>()
    // The target that it is at, as far as this process knows.
    const target = (): string => targets.find(({ name }) => !stats.has(name))?.name ?? ''
    let said = ''
    const child = fork(PROGRAM, [JSON.stringify(order)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: ['--expose-gc', '--max-old-space-size=1024'],
      cwd: folder,
      env: { ...process.env, MYRMEX_LOG: 'silent' },
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000)
    })
    let [last, since] = [-1, performance.now()]
    const watch = setInterval(() => {
      const now = currentCase(folder)
      if (now !== last) [last, since] = [now, performance.now()]
      if (performance.now() - since < STUCK_MS) return
      clearInterval(watch)
      const why = `It did not end within ${STUCK_MS / 1000} s.`
      failures.push({ target: target(), what: 'hang', case: now, why, input: '' })
      child.kill('SIGKILL')
    }, CHECK_MS)
    child.on('message', (report: ProcessReport) => {
      if (report.kind === 'done') stats.set(report.target, report.stats)
      else failures.push(report)
    })
    child.once('close', (code, signal) => {
      clearInterval(watch)
      if (target() !== '' && failures.length === 0) {
        const why = `The process ended with ${code ?? signal}: ${said}`
        failures.push({ target: target(), what: 'crash', case: currentCase(folder), why, input: '' })
      }
      resolve(targets.map(({ name }) => resultOf(name, stats.get(name), failures)))
    })
  })
}

function resultOf(target: string, stats: TargetStats | undefined, all: readonly Failure[]): TargetResult {
  const failures = all.filter((failure) => failure.target === target)
  const growth = stats && memoryGrowth(stats.memory)
  if (growth?.isLeak) failures.push({ target, what: 'memory', case: stats?.cases ?? 0, why: growth.text, input: '' })
  return { target, stats, failures }
}
