// Our host on HTTP beside gateways that others wrote: each puts the same stdio server behind HTTP, and the official client (SDK 1.x)
// calls through it. The floor is an endpoint that answers the same with no server behind it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AtMost, hostAims } from '../aims.ts'
import { peerVersions } from '../install.ts'
import { type Figure, timesAsLong } from '../measure/figure.ts'
import type { Pace } from '../measure/rounds.ts'
import type { Command } from '../measure/server-process.ts'
import type { Spread } from '../measure/spread.ts'
import { cpuText, quartiles, table, withQuartiles } from '../report.ts'
import { measureCalls } from './calls.ts'
import { type Endpoint, echo, freshFolder, hostOnPort, onPort, type Upstream } from './upstreams.ts'

interface Gateway {
  readonly name: string
  readonly transport: Endpoint['transport']
  readonly command: (upstream: Upstream, port: number) => Command
}

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Two of the three have no option for the address they listen on. */
const onLoopback = ['--import', path('../gateways/loopback.js')]

const script = (file: string): string => path(`../gateways/node_modules/${file}`)

const GATEWAYS: readonly Gateway[] = [
  {
    name: 'mcp-hub',
    // It takes Streamable HTTP to servers, but its own endpoint speaks only the older transport.
    transport: 'HTTP+SSE',
    command: ({ name, program }, port) => {
      const folder = freshFolder()
      const config = join(folder, 'mcp-hub.json')
      writeFileSync(config, JSON.stringify({ mcpServers: { [name]: program } }))
      // With a list of servers to offer that is new enough it does not fetch one. Its log goes there too.
      const cache = join(folder, 'data/mcp-hub/cache')
      mkdirSync(cache, { recursive: true })
      const list = { registry: { servers: [] }, lastFetchedAt: Date.now(), serverDocumentation: {} }
      writeFileSync(join(cache, 'registry.json'), JSON.stringify(list))
      const env = {
        HOME: folder,
        XDG_CONFIG_HOME: folder,
        XDG_DATA_HOME: join(folder, 'data'),
        XDG_STATE_HOME: join(folder, 'state'),
      }
      return { args: [...onLoopback, script('mcp-hub/dist/cli.js'), '--port', String(port), '--config', config], env }
    },
  },
  {
    name: 'supergateway',
    transport: 'Streamable HTTP',
    command: ({ program }, port) => {
      const stdio = [program.command, ...program.args].map((part) => JSON.stringify(part)).join(' ')
      // Without --stateful it starts a server for every request. By default it writes every message to its log.
      const way = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none', '--port', String(port)]
      return { args: [...onLoopback, script('supergateway/dist/index.js'), '--stdio', stdio, ...way], env: program.env }
    },
  },
  {
    name: 'mcp-proxy',
    transport: 'Streamable HTTP',
    command: ({ program }, port) => {
      const way = ['--server', 'stream', '--host', '127.0.0.1', '--port', String(port)]
      const file = script('mcp-proxy/dist/bin/mcp-proxy.mjs')
      return { args: [file, ...way, '--', program.command, ...program.args], env: program.env }
    },
  },
]

const OURS = 'myrmex host'
const FLOOR = 'bare endpoint'

export async function benchGateways(pace: Pace, log: (text: string) => void): Promise<AtMost[]> {
  const versions = Object.entries(peerVersions('gateways')).map(([name, version]) => `${name} ${version}`)
  log(`\necho of server-everything on stdio, put behind HTTP by each; SDK 1.x client (${versions.join(', ')})`)
  const aims: AtMost[] = []
  const rows: string[][] = []
  for (const inFlight of [1, 16]) {
    const { figures, transports } = await measureWays(inFlight, pace)
    const best = bestGateway(figures)
    for (const [way, figure] of figures) {
      const overBest = timesAsLong(figure, best)
      rows.push([way, String(inFlight), ...cells(figure, overBest), transports.get(way) ?? ''])
      if (way === OURS)
        aims.push({ id: `host_http_echo_${inFlight}_over_gateway`, measured: overBest, atMost: hostAims.gateway })
    }
  }
  const head = [
    'way',
    'in flight',
    'µs a call',
    'quartiles',
    'over the best gateway',
    'its CPU/call',
    'client CPU/call',
    'speaks',
  ]
  log(table(head, rows))
  return aims
}

async function measureWays(
  inFlight: number,
  pace: Pace,
): Promise<{ figures: Map<string, Figure>; transports: Map<string, string> }> {
  await using opened = new AsyncDisposableStack()
  const ways = new Map<string, Endpoint>([[OURS, opened.use(await hostOnPort(echo))]])
  for (const { name, transport, command } of GATEWAYS)
    ways.set(name, opened.use(await onPort(name, transport, (port) => command(echo, port))))
  const floor = (port: number): Command => ({ args: [path('bare-endpoint.ts'), String(port)] })
  ways.set(FLOOR, opened.use(await onPort(FLOOR, 'Streamable HTTP', floor)))
  const figures = await measureCalls({ client: 'sdk1', upstream: echo, inFlight }, ways, pace)
  return { figures, transports: new Map([...ways].map(([way, { transport }]) => [way, transport])) }
}

/** Of the gateways that others wrote, the one with the lowest median: the best of each round would be one that was lucky in it. */
export function bestGateway(figures: ReadonlyMap<string, Figure>): Figure {
  const others = [...figures].filter(([way]) => way !== OURS && way !== FLOOR).map(([, figure]) => figure)
  const [best] = others.sort((a, b) => a.median - b.median)
  if (best === undefined) throw new Error('no gateway was measured')
  return best
}

const cells = (figure: Figure, overBest: Spread): string[] => [
  figure.median.toFixed(0),
  quartiles(figure, (value) => value.toFixed(0)),
  withQuartiles(overBest, (value) => value.toFixed(2)),
  cpuText(figure.serverMicros),
  cpuText(figure.driverMicros),
]
