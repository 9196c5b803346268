// `npm run bench -- host`: what it costs to call through the host rather than directly, by the official clients, with ledger and
// audit on; the host on HTTP beside other gateways; how long a thousand tools take to list; what the host takes to start, and in memory.
import { type AtMost, hostAims } from '../aims.ts'
import { type Figure, timesAsLong } from '../measure/figure.ts'
import type { Pace } from '../measure/rounds.ts'
import { atMostTable, cpuText, quartiles, table, withQuartiles } from '../report.ts'
import { type Load, measureCalls } from './calls.ts'
import type { ClientName } from './clients.ts'
import { benchGateways } from './gateways.ts'
import { measureManyTools } from './list.ts'
import { measureHostStart } from './start.ts'
import { add, echo, hostInProcess, hostOnPort, throughCopy, throughHost, type UpstreamTarget } from './upstreams.ts'

const CLIENTS: readonly ClientName[] = ['sdk2', 'sdk1', 'sdk2 modern']
const MANY = 1000

export async function benchHost(pace: Pace, log: (text: string) => void): Promise<readonly AtMost[]> {
  const aims: AtMost[] = []
  log('a call, directly and through the host (legacy era by default; ledger and audit on)')
  const rows: string[][] = []
  for (const client of CLIENTS)
    for (const upstream of [add, echo])
      for (const inFlight of [1, 16]) {
        const load: Load = { client, upstream, inFlight }
        const figures = await measured(load, pace)
        rows.push(...rowsOf(load, figures))
        aims.push(...aimsOf(load, figures))
      }
  const head = [
    'client',
    'call',
    'in flight',
    'way',
    'µs a call',
    'quartiles',
    'over direct',
    'over copied',
    'its CPU/call',
    'client CPU/call',
  ]
  log(table(head, rows))
  aims.push(...(await benchGateways(pace, log)))
  aims.push(...(await benchList(pace, log)))
  log(`\n${atMostTable(aims)}`)
  return aims
}

async function measured(load: Load, pace: Pace): Promise<Map<string, Figure>> {
  const { upstream, client } = load
  const ways = new Map<string, UpstreamTarget>([
    ['direct', upstream.program],
    ['copied', throughCopy(upstream)],
    ['host', throughHost(upstream)],
  ])
  if (client !== 'sdk2') return measureCalls(load, ways, pace)
  await using embedded = await hostInProcess(upstream)
  ways.set('in process', embedded.server)
  await using listening = await hostOnPort(upstream)
  // Awaited here: what returns a promise ends the server before it is kept.
  return await measureCalls(load, ways.set('HTTP', listening), pace)
}

const callOf = ({ upstream }: Load): string => `${upstream.name} ${upstream.tool}`

function over(figures: ReadonlyMap<string, Figure>, way: string, base: string) {
  const [figure, other] = [figures.get(way), figures.get(base)]
  if (figure === undefined || other === undefined) throw new Error(`${way} or ${base} was not measured`)
  return timesAsLong(figure, other)
}

function rowsOf(load: Load, figures: ReadonlyMap<string, Figure>): string[][] {
  const ratio = (way: string, base: string): string =>
    way === base ? '' : withQuartiles(over(figures, way, base), (value) => value.toFixed(2))
  return [...figures].map(([way, figure]) => [
    load.client,
    callOf(load),
    String(load.inFlight),
    way,
    figure.median.toFixed(0),
    quartiles(figure, (value) => value.toFixed(0)),
    ratio(way, 'direct'),
    way === 'direct' ? '' : ratio(way, 'copied'),
    cpuText(figure.serverMicros),
    cpuText(figure.driverMicros),
  ])
}

function aimsOf({ client, upstream, inFlight }: Load, figures: ReadonlyMap<string, Figure>): AtMost[] {
  const id = `host_${client.replace(' ', '_')}_${upstream.tool}_${inFlight}`
  const aims = [
    { id, measured: over(figures, 'host', 'direct'), atMost: hostAims.direct },
    { id: `${id}_over_copied`, measured: over(figures, 'host', 'copied'), atMost: hostAims.copied },
  ]
  if (!figures.has('in process')) return aims
  const embedded = over(figures, 'in process', 'direct')
  return [...aims, { id: `${id}_embedded`, measured: embedded, atMost: hostAims.direct }]
}

async function benchList(pace: Pace, log: (text: string) => void): Promise<AtMost[]> {
  const list = await measureManyTools(MANY, pace)
  const { host, direct, megabytes, afterCalls } = await measureHostStart(pace)
  const ms = (figure: Figure): string => `${withQuartiles(figure, (value) => value.toFixed(1))} ms`
  const facts = [
    ['tools/list of 1,000 tools through the host, first', ms(list.first)],
    ['the same later', ms(list.later)],
    ['the same by the official client, which reads and checks it', ms(list.byClient)],
    ['the same by the official client, directly', ms(list.direct)],
    ['from its start to the list of its upstream’s tools', ms(host)],
    ['the same of the upstream alone', ms(direct)],
    ['memory of the host after its start', `${megabytes.toFixed(0)} MB`],
    ['memory of the host after 5,000 calls', `${afterCalls.toFixed(0)} MB`],
  ]
  log(`\n${table(['the host', 'measured'], facts)}`)
  return [
    { id: 'host_list1000_first', measured: list.first, atMost: hostAims.listMs },
    { id: 'host_list1000_later', measured: list.later, atMost: hostAims.listMs },
  ]
}
