/** One server that goes wrong: how, and how long until another one in its place answers. */
import { setTimeout as after } from 'node:timers/promises'
import type { HostUnderTest } from './host-under-test.ts'
import type { Traffic } from './traffic.ts'

export const CRASHES = ['kill', 'exit', 'throw', 'half', 'garbage', 'flood'] as const
export const HANGS = ['stop', 'loop', 'mute'] as const
export type Disruption = (typeof CRASHES)[number] | (typeof HANGS)[number]

const SIGNALS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const
/** The longest wait between two starts is half a minute, and the machine may be busy. */
const PATIENCE_MS = 90_000
const LOOK_MS = 20

/** Gives the milliseconds until it was well again; throws where it was not. */
export async function disrupt(host: HostUnderTest, traffic: Traffic, server: string, way: Disruption): Promise<number> {
  let before = await answering(traffic, server, undefined)
  const started = performance.now()
  if (way !== 'kill' && way !== 'stop') while (!(await ordered(host, server, way))) await after(LOOK_MS)
  else while (!signalled(before, SIGNALS[way])) before = await answering(traffic, server, before)
  await answering(traffic, server, before)
  return performance.now() - started
}

/** Whether it heard of that, whatever came of it: a tool that hangs again and again is not called for a while. */
async function ordered(host: HostUnderTest, server: string, how: Disruption): Promise<boolean> {
  const response = await host.call(server, 'fail', { how })
  const { error_details } = (response?.result?.structuredContent ?? {}) as { error_details?: { breaker?: string } }
  return error_details?.breaker !== 'open'
}

/** Whether it was there: on a busy machine it may look hung, and is cut off, before we come to it. */
function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw thrown
  }
}

/** The process id of the one that answers, once it is not `other`. */
async function answering(traffic: Traffic, server: string, other: number | undefined): Promise<number> {
  const latest = performance.now() + PATIENCE_MS
  for (let last = ''; ; ) {
    const told = await traffic.once(server, 1)
    if ('pid' in told && told.pid !== other) return told.pid
    last = JSON.stringify(told)
    if (performance.now() > latest) throw new Error(`${server} was not well again in ${PATIENCE_MS} ms, but ${last}`)
    await after(LOOK_MS)
  }
}
