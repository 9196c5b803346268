/**
 * A real host with several servers under mixed load, in rounds. After each round, when everything is quiet, it is measured. At the end every
 * answered call must have exactly one audit record, and the journal must verify.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type HeldResources, measureProcess, probeEnvironment } from '@myrmex/testing/measure-process'
import { CLI } from '@myrmex/testing/paths'
import { Problems } from '../crash/problems.ts'
import { SeededRandom } from '../crash/seeded-random.ts'
import { AuditReader } from '../crash/server/audit-reader.ts'
import { memoryGrowth } from '../fuzz/memory-growth.ts'
import { openLedger } from '../packages/myrmex/src/ledger/open.ts'
import { type HostProcess, hostArgs, startHost } from '../test/host/host-process.ts'
import { HostLoad } from './host-load.ts'
import { stdioClient } from './stdio-client.ts'
import { Tally } from './tally.ts'

export interface SoakOptions {
  readonly seconds: number
  readonly seed: number
  onRound?(round: number, held: HeldResources): void
}

export interface SoakResult {
  readonly tally: Tally
  readonly held: readonly HeldResources[]
  readonly records: number
  readonly problems: readonly string[]
}

const UPSTREAM = join(import.meta.dirname, '..', 'crash/host/fragile-upstream.ts')
const STEADY = ['steady_0', 'steady_1']
const VICTIMS = ['victim_0', 'victim_1']
const ASKING = 'asking'
const CLIENTS = 6
/** Short, because resident memory varies by itself: its slope means something only over many rounds. */
const ROUND_SECONDS = 10
const FEWEST_ROUNDS = 5
const KILL_EVERY_MS = 1500
const QUIET_MS = 1500
/** Files and handles that may be open at the moment of measuring: a server is being started again. */
const ALLOWED_MORE = 8

const entry = (trust: 'trusted' | 'ask') => ({
  command: process.execPath,
  args: [UPSTREAM],
  env: {},
  trust,
  start: 'eager' as const,
})

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-soak-'))
  try {
    return await soakIn(folder, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function soakIn(folder: string, { seconds, seed, onRound }: SoakOptions): Promise<SoakResult> {
  const servers = Object.fromEntries([
    ...[...STEADY, ...VICTIMS].map((name) => [name, entry('trusted')]),
    [ASKING, entry('ask')],
  ])
  const probe = join(folder, 'probe.json')
  const host = await startHost(folder, servers, probeEnvironment(probe))
  const address = join(folder, 'ledger.db')
  const ledger = await openLedger(address, { keyFile: join(folder, 'key') })
  const tally = new Tally()
  const load = new HostLoad({ url: host.url, steady: STEADY, victims: VICTIMS, asking: ASKING, ledger, tally })
  await load.open()

  const rounds = Math.max(FEWEST_ROUNDS, Math.round(seconds / ROUND_SECONDS))
  const held: HeldResources[] = []
  // A process may need more memory once and keep it. A leak goes on, so what seems to grow is measured for as long again.
  const isOver = (): boolean => held.length === 2 * rounds || (held.length === rounds && leaks(held).length === 0)
  for (let round = 0; !isOver(); round++) {
    const signal = AbortSignal.timeout((seconds * 1000) / rounds)
    const randomOf = (who: string): SeededRandom => new SeededRandom(seed, round, who)
    await Promise.all([
      ...Array.from({ length: CLIENTS }, (_, number) => load.run(randomOf(`client ${number}`), signal)),
      killVictims(load, randomOf('killer'), tally, signal),
      stdioClients(folder, servers, randomOf('stdio'), tally, signal),
    ])
    load.letGo()
    held.push(await measured(host, probe))
    onRound?.(round, held.at(-1) as HeldResources)
  }
  const problems = [...tally.problems, ...leaks(held.slice(-rounds))]
  await host.end().catch((thrown: Error) => problems.push(thrown.message))
  const records = await checkAudit(ledger, tally, problems)
  await ledger.close()
  await verify(folder, address).catch((thrown: Error) => problems.push(thrown.message))
  return { tally, held, records, problems }
}

async function killVictims(load: HostLoad, random: SeededRandom, tally: Tally, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await after(random.between(KILL_EVERY_MS / 2, KILL_EVERY_MS * 1.5), undefined, { signal }).catch(() => {})
    const [victim, pid] = random.pick([...load.victimPids]) ?? []
    if (victim === undefined || pid === undefined || signal.aborted) continue
    load.victimPids.delete(victim)
    try {
      process.kill(pid, 'SIGKILL')
      tally.count('servers killed')
    } catch {
      // It is gone already.
    }
  }
}

async function stdioClients(
  folder: string,
  servers: Parameters<typeof hostArgs>[1],
  random: SeededRandom,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const args = hostArgs(folder, servers)
  while (!signal.aborted) {
    await stdioClient(args, folder, 'steady_0.add', random, tally)
    await after(random.between(1000, 4000), undefined, { signal }).catch(() => {})
  }
}

async function measured({ pid, said }: HostProcess, probe: string): Promise<HeldResources> {
  await after(QUIET_MS)
  return measureProcess(pid, probe).catch((thrown: Error) => {
    throw new Error(`${thrown.message}. The host says: ${said()}`)
  })
}

/** Compared with the second round: the first one fills caches. */
export function leaks(held: readonly HeldResources[]): string[] {
  const found: string[] = []
  const heap = memoryGrowth(held.map(({ heapBytes }) => heapBytes))
  if (heap.isLeak) found.push(`heap: ${heap.text}`)
  const resident = memoryGrowth(
    held.map(({ residentBytes }) => residentBytes),
    { bytes: 32 * 2 ** 20, share: 0.2 },
  )
  if (resident.isLeak) found.push(`resident: ${resident.text}`)
  const [warm, last] = [held[1], held.at(-1)]
  if (warm === undefined || last === undefined) return [...found, 'it was measured only once']
  if (last.files > warm.files + ALLOWED_MORE) found.push(`${last.files} files are open; there were ${warm.files}`)
  for (const [kind, count] of Object.entries(last.handles)) {
    const before = warm.handles[kind] ?? 0
    if (count > before + ALLOWED_MORE)
      found.push(`there are ${count} handles of the kind ${kind}; there were ${before}`)
  }
  return found
}

async function checkAudit(
  ledger: Awaited<ReturnType<typeof openLedger>>,
  tally: Tally,
  problems: string[],
): Promise<number> {
  const twice = new Problems()
  const reader = new AuditReader(twice)
  await reader.read(ledger)
  let missing = 0
  for (const id of tally.answered) if (reader.byCall(id) === undefined) missing++
  if (missing > 0) problems.push(`${missing} of ${tally.answered.size} answered calls have no audit record`)
  if (twice.doubled > 0) problems.push(`${twice.doubled} calls have two audit records: ${twice.first}`)
  return reader.lines
}

/** As an operator does. Rejects with what the command says. */
async function verify(folder: string, address: string): Promise<void> {
  const args = [CLI, 'audit', 'verify', '--ledger', address, '--ledger-key', join(folder, 'key')]
  await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 })
}
