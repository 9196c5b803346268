/**
 * One target in a process of its own, started by fuzz.ts: a crash or an endless loop in it ends this process only. The number of the
 * current case is in a file, where the parent finds it even if this process no longer answers.
 */
import { mkdtempSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { waitedMs } from '@myrmex/testing/processor-wait'
import { CaseFailure } from './check-reply.ts'
import type { RunningTarget } from './target.ts'
import { TARGETS } from './targets.ts'

export interface ProcessOrder {
  /** one after the other, each with so many messages */
  readonly targets: readonly { readonly name: string; readonly messages: number }[]
  readonly seed: number
  readonly folder: string
  /** the first case */
  readonly from: number
  /** ends after this case, if given */
  readonly to?: number
}

export interface TargetStats {
  readonly messages: number
  readonly cases: number
  readonly seconds: number
  readonly slowestMs: number
  readonly slowestCase: number
  /** bytes in use after garbage collection, at equal distances */
  readonly memory: readonly number[]
}

export type ProcessReport =
  | {
      readonly kind: 'failure'
      readonly target: string
      readonly what: 'wrong' | 'hang' | 'crash'
      readonly case: number
      readonly why: string
      readonly input: string
    }
  | { readonly kind: 'done'; readonly target: string; readonly stats: TargetStats }

const SAMPLES = 10
/** Fewer messages say nothing about memory, and looking at it takes longer than they do. */
const MEASURED_FROM = 2000
const HANG_MS = 1000
const STUCK_MS = 30_000
/** After this many, the cause is clear. */
const MOST_FAILURES = 5

const report = (said: ProcessReport): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined) resolve()
    else process.send(said, () => resolve())
  })

async function collectedMemory(running: RunningTarget): Promise<number> {
  if (running.memory !== undefined) return running.memory()
  for (let times = 0; times < 3; times++) {
    await globalThis.gc?.({ type: 'major', execution: 'async' })
    await new Promise(setImmediate)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function described(running: RunningTarget, number: number): string {
  try {
    return running.describe(number)
  } catch (thrown) {
    return `The input cannot be shown: ${thrown}`
  }
}

async function timed(
  running: RunningTarget,
  number: number,
  isExact = false,
): Promise<{ messages: number; ms: number }> {
  const pids = isExact ? [process.pid, ...(running.pids ?? [])] : []
  const waited = waitedMs(pids)
  const ownBefore = running.own?.ms ?? 0
  const before = performance.now()
  const promised = running.run(number)
  const messages = typeof promised === 'number' ? promised : await promised
  const ownMs = (running.own?.ms ?? 0) - ownBefore
  return { messages, ms: performance.now() - before - ownMs - (waitedMs(pids) - waited) }
}

interface CurrentCase {
  readonly target: string
  readonly running: RunningTarget
  number: number
  started: number
  failures: number
}

/** Undefined between two targets. */
let current: CurrentCase | undefined

async function failed(what: 'wrong' | 'hang' | 'crash', why: string): Promise<void> {
  const { target = '', number = -1, running } = current ?? {}
  if (current !== undefined) current.failures++
  const input = running === undefined ? '' : described(running, number)
  await report({ kind: 'failure', target, what, case: number, why, input })
}

const fatal = (thrown: unknown): void => {
  const why = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
  void failed('crash', why).then(() => process.exit(1))
}

/** A case that only waits is found here. One that blocks this thread is found by the parent. */
function watchForStuckCases(): void {
  setInterval(() => {
    if (current === undefined || performance.now() - current.started < STUCK_MS) return
    void failed('hang', `It was not answered within ${STUCK_MS / 1000} s.`).then(() => process.exit(1))
  }, HANG_MS).unref()
}

async function runTarget(
  name: string,
  most: number,
  { seed, from, to = Infinity, folder }: ProcessOrder,
): Promise<void> {
  const target = TARGETS.find((one) => one.name === name)
  if (target === undefined) throw new Error(`Unknown target ${name}.`)
  const files = mkdtempSync(join(folder, 'files-'))
  const running = await target.open({ seed, folder: files })
  const now: CurrentCase = { target: name, running, number: from, started: performance.now(), failures: 0 }
  current = now
  const started = performance.now()
  const memory: number[] = []
  let [messages, slowestMs, slowestCase, cases] = [0, 0, from, 0]
  for (; messages < most && now.failures < MOST_FAILURES && now.number <= to; now.number++) {
    writeSync(caseFile, `${now.number}\n`, 0)
    now.started = performance.now()
    if (most >= MEASURED_FROM && messages >= (memory.length * most) / SAMPLES)
      memory.push(await collectedMemory(running))
    cases++
    now.started = performance.now()
    try {
      let took = await timed(running, now.number)
      messages += took.messages
      // The machine may have been busy: only what is slow again, without the time that others had the processor, is slow.
      if (took.ms > HANG_MS) took = await timed(running, now.number, true)
      if (took.ms > HANG_MS) await failed('hang', `It took ${took.ms.toFixed(0)} ms, twice.`)
      if (took.ms > slowestMs) [slowestMs, slowestCase] = [took.ms, now.number]
    } catch (thrown) {
      if (thrown instanceof CaseFailure) await failed('wrong', thrown.message)
      else return fatal(thrown)
    }
  }
  const seconds = (performance.now() - started) / 1000
  memory.push(await collectedMemory(running))
  current = undefined
  await running.close()
  await report({ kind: 'done', target: name, stats: { messages, cases, seconds, slowestMs, slowestCase, memory } })
}

const order = JSON.parse(process.argv[2] ?? '{}') as ProcessOrder
const caseFile = openSync(join(order.folder, 'case'), 'w')
process.on('disconnect', () => process.exit(1))
process.on('uncaughtException', fatal).on('unhandledRejection', fatal)
watchForStuckCases()
for (const { name, messages } of order.targets) await runTarget(name, messages, order)
// Streams and timers of the targets may still be open.
process.exit(0)
