/** Links to real children, with everything that was said over them, and nothing left of them after the test. */

import { onTestFinished } from 'vitest'
import { Reaper } from '../../packages/myrmex/src/host/child/reaper.ts'
import type { Link } from '../../packages/myrmex/src/host/link/link.ts'
import { type OpenOptions, openLink } from '../../packages/myrmex/src/host/link/open-link.ts'
import type { ChildEndpoint, UrlEndpoint } from '../../packages/myrmex/src/host/settings.ts'
import type { ToolError } from '../../packages/myrmex/src/protocol/errors.ts'
import { fixturePath } from '../paths.ts'

export const hostFixture = (name: string): string => fixturePath(`host/${name}`)

export const nodeUpstream = (file: string, ...args: string[]): ChildEndpoint => ({
  where: 'child',
  command: process.execPath,
  args: [file, ...args],
  env: {},
  cwd: process.cwd(),
})

export const misbehavingUpstream = (...args: string[]): ChildEndpoint =>
  nodeUpstream(hostFixture('misbehaving-upstream.ts'), ...args)

export interface LinkMessages {
  readonly notifications: { method: string; params: Record<string, unknown> }[]
  readonly stderr: string[]
  readonly closed: ToolError[]
}

export interface OpenedLink extends LinkMessages {
  readonly link: Link
}

export async function openTestLink(
  place: ChildEndpoint | UrlEndpoint,
  more: Partial<OpenOptions> = {},
): Promise<OpenedLink> {
  const heard: LinkMessages = { notifications: [], stderr: [], closed: [] }
  const keeper = more.reaper ?? new Reaper()
  const link = await openLink(place, {
    name: 'upstream',
    openMs: 20_000,
    secrets: [],
    reaper: keeper,
    onRequest: async (method) => ({ asked: method }),
    onNotification: (method, params) => heard.notifications.push({ method, params }),
    onClose: (why) => heard.closed.push(why),
    onStderr: (line) => heard.stderr.push(line),
    ...more,
  })
  onTestFinished(async () => {
    await link.cut()
    await keeper.close()
  })
  return { link, ...heard }
}

/** Signal 0 reaches zombies too; one that nobody has buried yet is dead all the same. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  return !isZombie(pid)
}

function isZombie(pid: number): boolean {
  try {
    return / Z /.test(process.getBuiltinModule('node:fs').readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
