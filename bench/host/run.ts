// `npm run bench -- host`: what it costs to call through the host rather than directly, by the official clients, with ledger and
// audit on; how long a thousand tools take to list; what the host takes to start, and in memory.
import { hostAims } from '../aims.ts'
import type { Pace } from '../measure/rounds.ts'
import { table } from '../report.ts'
import { type CallRoute, DIRECT, type Load, measureCalls } from './calls.ts'
import type { ClientName } from './clients.ts'
import { measureManyTools } from './list.ts'
import { measureHostStart } from './start.ts'
import { add, echo, hostInProcess, hostOnPort, throughCopy, throughHost, type UpstreamTarget } from './upstreams.ts'

export interface HostAim {
  readonly id: string
  readonly measured: number
  /** what it must not be above */
  readonly atMost: number
}

const CLIENTS: readonly ClientName[] = ['sdk2', 'sdk1', 'sdk2 modern']
const MANY = 1000

export async function benchHost(pace: Pace, log: (text: string) => void): Promise<readonly HostAim[]> {
  const aims: HostAim[] = []
  log('a call, directly and through the host (legacy era by default; ledger and audit on)')
  const rows: string[][] = []
  for (const client of CLIENTS)
    for (const upstream of [add, echo])
      for (const inFlight of [1, 16]) {
        const load: Load = { client, upstream, inFlight }
        const ways = await measured(load, pace)
        rows.push(row(load, ways))
        const ratio = ways.find(({ way }) => way === 'host')?.ratio ?? Number.NaN
        const id = `host_${client.replace(' ', '_')}_${upstream.tool}_${inFlight}`
        aims.push({ id, measured: ratio, atMost: hostAims.call })
        const embedded = ways.find(({ way }) => way === 'embedded')?.ratio
        if (embedded !== undefined) aims.push({ id: `${id}_embedded`, measured: embedded, atMost: hostAims.call })
      }
  log(
    table(
      [
        'client',
        'call',
        'in flight',
        'direct',
        'copied',
        'ratio',
        'host',
        'ratio',
        'in process',
        'ratio',
        'HTTP',
        'ratio',
      ],
      rows,
    ),
  )

  const list = await measureManyTools(MANY, pace)
  aims.push({ id: 'host_list1000_first', measured: list.first, atMost: hostAims.listMs })
  aims.push({ id: 'host_list1000_later', measured: list.later, atMost: hostAims.listMs })
  const { host, direct, megabytes, afterCalls } = await measureHostStart(pace)
  const facts = [
    ['tools/list of 1,000 tools through the host, first', `${list.first.toFixed(1)} ms`],
    ['the same later', `${list.later.toFixed(1)} ms`],
    ['the same by the official client, which reads and checks it', `${list.byClient.toFixed(1)} ms`],
    ['the same by the official client, directly', `${list.direct.toFixed(1)} ms`],
    ['from its start to the list of its upstream’s tools', `${host.toFixed(0)} ms`],
    ['the same of the upstream alone', `${direct.toFixed(0)} ms`],
    ['memory of the host after its start', `${megabytes.toFixed(0)} MB`],
    ['memory of the host after 5,000 calls', `${afterCalls.toFixed(0)} MB`],
  ]
  log(`\n${table(['the host', 'measured'], facts)}`)
  log(`\n${aimsOf(aims)}`)
  return aims
}

async function measured(load: Load, pace: Pace): Promise<readonly CallRoute[]> {
  const { upstream, client } = load
  const ways = new Map<string, UpstreamTarget>([
    [DIRECT, upstream.program],
    ['copied', throughCopy(upstream)],
    ['host', throughHost(upstream)],
  ])
  if (client !== 'sdk2') return measureCalls(load, ways, pace)
  await using embedded = await hostInProcess(upstream)
  ways.set('embedded', embedded.server)
  await using listening = await hostOnPort(upstream)
  // Awaited here: what returns a promise ends the server before it is kept.
  return await measureCalls(load, ways.set('HTTP', listening.url), pace)
}

function row({ client, upstream, inFlight }: Load, ways: readonly CallRoute[]): string[] {
  const at = (name: string): CallRoute | undefined => ways.find(({ way }) => way === name)
  const time = (way: CallRoute | undefined): string => (way === undefined ? '' : `${way.micros.toFixed(0)} µs`)
  const ratio = (way: CallRoute | undefined): string => way?.ratio.toFixed(2) ?? ''
  const [direct, copy, host, own, http] = [at(DIRECT), at('copied'), at('host'), at('embedded'), at('HTTP')]
  const call = `${upstream.name} ${upstream.tool}`
  return [
    client,
    call,
    String(inFlight),
    time(direct),
    time(copy),
    ratio(copy),
    time(host),
    ratio(host),
    time(own),
    ratio(own),
    time(http),
    ratio(http),
  ]
}

const aimsOf = (aims: readonly HostAim[]): string =>
  table(
    ['id', 'measured', 'at most', 'met?'],
    aims.map(({ id, measured: value, atMost }) => [
      id,
      value.toFixed(2),
      String(atMost),
      value <= atMost ? 'yes' : 'NO',
    ]),
  )
