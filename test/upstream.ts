/** An upstream with a real child, a folder in which the child writes down what happens to it, and an end to all of it. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Keeper } from '../packages/myrmex/src/host/child/keeper.ts'
import type { UpstreamAround, UpstreamSettings } from '../packages/myrmex/src/host/upstream/around.ts'
import { Remembered } from '../packages/myrmex/src/host/upstream/remembered.ts'
import { Upstream } from '../packages/myrmex/src/host/upstream/upstream.ts'

const SERVER = fileURLToPath(new URL('fixtures/host/upstream-server.mjs', import.meta.url))

export interface Supervised {
  readonly upstream: Upstream
  readonly folder: string
  readonly settings: UpstreamSettings
  /** every line that was told */
  readonly told: string[]
  /** the lines of its own log that begin so */
  noted(word: string): string[]
  /** how it is to be from its next start on */
  shape(shape: object): void
  /** the same server, as after the host itself was started anew */
  again(around?: Partial<UpstreamAround>): Upstream
}

const upstreams: Upstream[] = []
const grounds: (() => Promise<void>)[] = []

export async function endAll(): Promise<void> {
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()))
  await Promise.all(grounds.splice(0).map((end) => end()))
}

export function supervised(
  settings: Partial<UpstreamSettings> = {},
  { era = 'legacy', shape = {}, ...around }: Partial<UpstreamAround> & { era?: string; shape?: object } = {},
): Supervised {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'))
  const keeper = new Keeper()
  const told: string[] = []
  const whole: UpstreamSettings = {
    name: 'fixture',
    place: { where: 'child', command: process.execPath, args: [SERVER, era], env: { FOLDER: folder }, cwd: folder },
    start: 'eager',
    idleMs: 0,
    openMs: 15_000,
    timeoutMs: 10_000,
    healthMs: 0,
    hungMs: 5000,
    trust: 'none',
    tools: [],
    roots: [],
    instructions: true,
    secrets: [],
    digest: 'x',
    ...settings,
  }
  const make = (more: Partial<UpstreamAround> = {}): Upstream => {
    const log = (level: string, line: string): void => void told.push(`${level} ${line}`)
    const remembered = new Remembered(join(folder, 'remembered'))
    const upstream = new Upstream(whole, { log, keeper, remembered, ...around, ...more })
    upstreams.push(upstream)
    return upstream
  }
  const write = (next: object): void => writeFileSync(join(folder, 'shape.json'), JSON.stringify(next))
  write(shape)
  grounds.push(async () => {
    await keeper.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const noted = (word: string): string[] => {
    const file = join(folder, 'log')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    return lines.filter((line) => line.startsWith(word))
  }
  return { upstream: make(), folder, settings: whole, told, noted, shape: write, again: make }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
