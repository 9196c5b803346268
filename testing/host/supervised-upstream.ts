/** An upstream with a real child, a folder in which the child writes down what happens to it, and an end to all of it. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Reaper } from '../../packages/myrmex/src/host/child/reaper.ts'
import { Upstream } from '../../packages/myrmex/src/host/upstream/upstream.ts'
import type { UpstreamDeps, UpstreamSettings } from '../../packages/myrmex/src/host/upstream/upstream-deps.ts'
import { CODE, RpcError } from '../../packages/myrmex/src/protocol/errors.ts'
import { fixturePath } from '../paths.ts'

const SERVER = fixturePath('host/scripted-upstream.mjs')

export interface SupervisedUpstream {
  readonly upstream: Upstream
  readonly folder: string
  readonly settings: UpstreamSettings
  /** every line that was logged */
  readonly log: string[]
  /** the lines of its own log that begin so */
  childNotes(word: string): string[]
  /** how it is to be from its next start on */
  configureChild(shape: object): void
  /** the same server, as after the host itself was started again */
  restartHost(around?: Partial<UpstreamDeps>): Upstream
}

const upstreams: Upstream[] = []
const grounds: (() => Promise<void>)[] = []

export async function closeAllUpstreams(): Promise<void> {
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()))
  await Promise.all(grounds.splice(0).map((end) => end()))
}

export function superviseUpstream(
  settings: Partial<UpstreamSettings> = {},
  { era = 'legacy', shape = {}, ...around }: Partial<UpstreamDeps> & { era?: string; shape?: object } = {},
): SupervisedUpstream {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'))
  const keeper = new Reaper()
  const told: string[] = []
  const whole: UpstreamSettings = {
    name: 'fixture',
    endpoint: { where: 'child', command: process.execPath, args: [SERVER, era], env: { FOLDER: folder }, cwd: folder },
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
  const make = (more: Partial<UpstreamDeps> = {}): Upstream => {
    const log = (level: string, line: string): void => void told.push(`${level} ${line}`)
    const cacheFolder = join(folder, 'remembered')
    const onRequest = (method: string): Promise<never> =>
      Promise.reject(new RpcError(CODE.methodNotFound, `Method not found: ${method}`))
    const upstream = new Upstream(whole, { onRequest, log, reaper: keeper, cacheFolder, ...around, ...more })
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
  return {
    upstream: make(),
    folder,
    settings: whole,
    log: told,
    childNotes: noted,
    configureChild: write,
    restartHost: make,
  }
}
