/**
 * Upstreams crash and hang by the dozen while callers keep all of them busy. Those that are well lose no call; afterwards no process
 * is left of those that went, and the host holds no more than before.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type Disruption, disrupt, HANGS } from './disrupt.ts'
import { planned, type Round, split } from './disruption-plan.ts'
import { leakedResources } from './find-problems.ts'
import type { HeldResources } from './host-process.ts'
import { HostUnderTest, settingsOf } from './host-under-test.ts'
import { markedProcesses } from './marked-processes.ts'
import { Traffic } from './traffic.ts'

export interface CrashOptions extends Round {
  /** what happens before anything is held against it: what a host needs for its work, it then has */
  readonly warm: Round
  /** so often is it looked at while it is quiet */
  readonly rounds: number
  /** so many servers share it: each that goes down often is waited for ever longer */
  readonly victims: number
  readonly steady: number
  /** Servers that are well answer so many calls, at the least, for each that goes wrong. */
  readonly callsEach: number
  readonly seed: number
  onProgress?(done: number): void
}

export interface CrashFindings {
  crashes: number
  hangs: number
  /** of the servers that were well */
  readonly calls: number
  readonly lost: number
  readonly slowestMs: number
  /** of the victims: answered with a word that they are not there */
  readonly without: number
  /** until another one answers in the place of one that went: the median, and the longest */
  readonly recoveryMs: number
  readonly longestRecoveryMs: number
  /** when it was warm, and after each round */
  readonly holdings: readonly HeldResources[]
  readonly orphans: number
  readonly problems: readonly string[]
}

/** node, its shell, and what that waits for */
const PROCESSES_EACH = 3
/** A process that was just ended may still be seen. */
const GONE_MS = 10_000
const CALLERS = { steady: 4, victim: 1 }

export async function crashHost(wanted: CrashOptions): Promise<CrashFindings> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-host-'))
  const mark = `${process.pid}-${wanted.seed}`
  try {
    return await crashIn(folder, mark, wanted)
  } finally {
    for (const { pid } of markedProcesses(mark)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const named = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${kind}_${number}`)

async function crashIn(folder: string, mark: string, wanted: CrashOptions): Promise<CrashFindings> {
  const steady = named('steady', wanted.steady)
  const victims = named('victim', wanted.victims)
  const settings = [
    ...steady.map((name) => settingsOf(name, 'steady', mark, folder)),
    ...victims.map((name) => settingsOf(name, 'victim', mark, folder)),
  ]
  const host = new HostUnderTest({ folder, settings })
  const problems: string[] = []
  const note = (what: string): void => void problems.push(what)
  await host.ready()

  const traffic = new Traffic(host)
  const recoveries: number[] = []
  const done = { crashes: 0, hangs: 0 }
  const suffer = async (victim: string, way: Disruption): Promise<void> => {
    const calls = traffic.tally(steady).calls + wanted.callsEach
    await disrupt(host, traffic, victim, way).then(
      (ms) => void recoveries.push(ms),
      (thrown: Error) => note(`after ${way}: ${thrown.message}`),
    )
    await traffic.reached(steady, calls)
    done[isHang(way) ? 'hangs' : 'crashes']++
    wanted.onProgress?.(done.crashes + done.hangs)
  }
  const holdings: HeldResources[] = []
  for (const lists of planned([wanted.warm, ...split(wanted, wanted.rounds)], wanted.victims, wanted.seed)) {
    traffic.start(steady, CALLERS.steady)
    traffic.start(victims, CALLERS.victim)
    await Promise.all(
      victims.map(async (victim, number) => {
        for (const way of lists[number] ?? []) await suffer(victim, way)
      }),
    )
    await traffic.stop()
    holdings.push(await settledHolding(host, holdings[0]))
  }
  const strays = markedProcesses(mark).length - settings.length * PROCESSES_EACH
  if (strays > 0) note(`${strays} processes of servers that went down are left while the host runs`)
  const code = await host.end()
  if (code !== 0) note(`the host ended with ${code}: ${host.said}`)
  const orphans = await leftOver(mark)

  const [well, others] = [traffic.tally(steady), traffic.tally(victims)]
  problems.push(...[...well.wrong, ...others.wrong].slice(0, 5))
  return {
    crashes: done.crashes - wanted.warm.crashes,
    hangs: done.hangs - wanted.warm.hangs,
    calls: well.calls,
    lost: well.without + well.wrong.length,
    slowestMs: well.slowestMs,
    without: others.without,
    recoveryMs: recoveries.sort((a, b) => a - b)[recoveries.length >> 1] ?? 0,
    longestRecoveryMs: recoveries.at(-1) ?? 0,
    holdings,
    orphans,
    problems,
  }
}

const isHang = (way: Disruption): boolean => (HANGS as readonly Disruption[]).includes(way)

/** Some of what it holds is let go of by timers: it is given a while to come back to what it was. */
async function settledHolding(host: HostUnderTest, before: HeldResources | undefined): Promise<HeldResources> {
  let now = await host.measure()
  for (const latest = performance.now() + GONE_MS; performance.now() < latest; now = await host.measure()) {
    if (before === undefined || leakedResources(before, now).length === 0) break
  }
  return now
}

async function leftOver(mark: string): Promise<number> {
  for (const latest = performance.now() + GONE_MS; performance.now() < latest; await after(50)) {
    if (markedProcesses(mark).length === 0) return 0
  }
  return markedProcesses(mark).length
}

/** The host is killed while all of them run: how many of their processes are there before, and how many after. */
export async function killHost(servers: number, seed: number): Promise<{ before: number; orphans: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-host-'))
  const mark = `${process.pid}-${seed}-killed`
  try {
    const settings = named('server', servers).map((name) => settingsOf(name, 'steady', mark, folder))
    const host = new HostUnderTest({ folder, settings })
    await host.ready()
    const before = markedProcesses(mark).length
    await host.kill()
    return { before, orphans: await leftOver(mark) }
  } finally {
    for (const { pid } of markedProcesses(mark)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
