/** One server that goes wrong: how, and how long until another one in its place answers. */
import { setTimeout as after } from 'node:timers/promises'
import type { HostUnderTest } from './host-under-test.ts'
import type { Traffic } from './traffic.ts'

export const CRASHES = ['kill', 'exit', 'throw', 'half', 'garbage', 'flood'] as const
export const HANGS = ['stop', 'loop', 'mute'] as const
export type Way = (typeof CRASHES)[number] | (typeof HANGS)[number]

const SIGNALS = { kill: 'SIGKILL', stop: 'SIGSTOP' } as const
/** The longest wait between two starts is half a minute, and the machine may be busy. */
const PATIENCE_MS = 90_000
const LOOK_MS = 20

/** Gives the milliseconds until it was well again; throws where it was not. */
export async function harm(host: HostUnderTest, traffic: Traffic, server: string, way: Way): Promise<number> {
  const before = await answering(traffic, server, undefined)
  const started = performance.now()
  if (way === 'kill' || way === 'stop') process.kill(before, SIGNALS[way])
  // Whatever comes of that call: most of these answer nothing.
  else await host.call(server, 'fail', { how: way })
  await answering(traffic, server, before)
  return performance.now() - started
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
