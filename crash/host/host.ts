/**
 * Upstreams crash and hang by the dozen while callers keep all of them busy. Those that are well lose no call; afterwards no process
 * is left of those that went, and the host holds no more than before.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Chance } from '../chance.ts'
import { CRASHES, HANGS, harm, type Way } from './harm.ts'
import type { Holding } from './host-process.ts'
import { HostUnderTest, settingsOf } from './host-under-test.ts'
import { marked } from './marked.ts'
import { type Tally, Traffic } from './traffic.ts'
import { handlesOf } from './verdict.ts'

export interface Harm {
  readonly crashes: number
  readonly hangs: number
  /** so many servers share it: each that goes down often is waited for ever longer */
  readonly victims: number
  readonly steady: number
  readonly seed: number
  onProgress?(done: number): void
}

export interface Found {
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
  readonly before: Holding
  readonly after: Holding
  readonly orphans: number
  readonly problems: readonly string[]
}

/** node, its shell, and what that waits for */
const PROCESSES_EACH = 3
/** A process that was just ended may still be seen. */
const GONE_MS = 10_000

export async function crashHost(wanted: Harm): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-host-'))
  const mark = `${process.pid}-${wanted.seed}`
  try {
    return await crashIn(folder, mark, wanted)
  } finally {
    for (const { pid } of marked(mark)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

const named = (kind: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${kind}_${number}`)

/** Each victim's own list; every way comes up, in an order of chance. */
function planned({ crashes, hangs, victims, seed }: Harm): Way[][] {
  const chance = new Chance(seed)
  const ways: Way[] = [
    ...Array.from({ length: crashes }, (_, number) => CRASHES[number % CRASHES.length] as Way),
    ...Array.from({ length: hangs }, (_, number) => HANGS[number % HANGS.length] as Way),
  ]
  const mixed = chance.some(ways, ways.length)
  return Array.from({ length: victims }, (_, victim) => mixed.filter((_way, number) => number % victims === victim))
}

async function crashIn(folder: string, mark: string, wanted: Harm): Promise<Found> {
  const steady = named('steady', wanted.steady)
  const victims = named('victim', wanted.victims)
  const settings = [
    ...steady.map((name) => settingsOf(name, 'steady', mark, folder)),
    // One more, with which everything happens once before anything is measured.
    ...[...victims, 'warm'].map((name) => settingsOf(name, 'victim', mark, folder)),
  ]
  const host = new HostUnderTest({ folder, settings })
  const problems: string[] = []
  const note = (what: string): void => void problems.push(what)
  await host.ready()

  const traffic = new Traffic(host)
  const rest = await quiet(host, traffic, ['exit', 'mute', 'kill', 'garbage'])
  for (const name of steady) traffic.add(name, 2)
  for (const name of victims) traffic.add(name, 1)

  let [crashes, hangs] = [0, 0]
  const recoveries: number[] = []
  const lists = planned(wanted)
  await Promise.all(
    victims.map(async (victim, number) => {
      for (const way of lists[number] ?? []) {
        await harm(host, traffic, victim, way).then(
          (ms) => void recoveries.push(ms),
          (thrown: Error) => note(`after ${way}: ${thrown.message}`),
        )
        if ((HANGS as readonly Way[]).includes(way)) hangs++
        else crashes++
        wanted.onProgress?.(crashes + hangs)
      }
    }),
  )
  await traffic.stop()
  const strays = marked(mark).length - settings.length * PROCESSES_EACH
  if (strays > 0) note(`${strays} processes of servers that went down are left while the host runs`)
  const holding = await settledHolding(host, rest)
  const code = await host.end()
  if (code !== 0) note(`the host ended with ${code}: ${host.said}`)
  const orphans = await leftOver(mark)

  const tallies = [...traffic.tallies]
  const those = (prefix: string): Tally[] =>
    tallies.flatMap(([name, tally]) => (name.startsWith(prefix) ? [tally] : []))
  const well = those('steady')
  const sum = (of: readonly Tally[], what: 'calls' | 'without'): number => of.reduce((all, one) => all + one[what], 0)
  for (const { wrong } of tallies.map(([, tally]) => tally)) problems.push(...wrong.slice(0, 3))
  return {
    crashes,
    hangs,
    calls: sum(well, 'calls'),
    lost: sum(well, 'without') + well.reduce((all, { wrong }) => all + wrong.length, 0),
    slowestMs: Math.max(...well.map(({ slowestMs }) => slowestMs)),
    without: sum(those('victim'), 'without'),
    recoveryMs: recoveries.sort((a, b) => a - b)[recoveries.length >> 1] ?? 0,
    longestRecoveryMs: recoveries.at(-1) ?? 0,
    before: rest,
    after: holding,
    orphans,
    problems,
  }
}

/** What it holds when everything has happened once and is well again. */
async function quiet(host: HostUnderTest, traffic: Traffic, ways: readonly Way[]): Promise<Holding> {
  for (const way of ways) await harm(host, traffic, 'warm', way)
  for (let call = 0; call < 200; call++) await traffic.once('warm', call)
  return host.measure()
}

/** Some of what it holds is let go of by timers: it is given a while to come back to what it was. */
async function settledHolding(host: HostUnderTest, before: Holding): Promise<Holding> {
  let now = await host.measure()
  for (const latest = performance.now() + GONE_MS; performance.now() < latest; now = await host.measure()) {
    if (now.files <= before.files && handlesOf(now) <= handlesOf(before)) break
    await after(200)
  }
  return now
}

async function leftOver(mark: string): Promise<number> {
  for (const latest = performance.now() + GONE_MS; performance.now() < latest; await after(50)) {
    if (marked(mark).length === 0) return 0
  }
  return marked(mark).length
}

/** The host is killed while all of them run: how many of their processes are there before, and how many after. */
export async function killHost(servers: number, seed: number): Promise<{ before: number; orphans: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-crash-host-'))
  const mark = `${process.pid}-${seed}-killed`
  try {
    const settings = named('server', servers).map((name) => settingsOf(name, 'steady', mark, folder))
    const host = new HostUnderTest({ folder, settings })
    await host.ready()
    const before = marked(mark).length
    await host.kill()
    return { before, orphans: await leftOver(mark) }
  } finally {
    for (const { pid } of marked(mark)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
