/**
 * `myrmex dropship start`: the host with the fleet's agents and its leader, the servers of myrmex.json, the shop, the storefront and
 * the operator's API on one port, until a signal.
 * What it needs and is not there is made first; what stands in its way is one clear line.
 */
import { performance } from 'node:perf_hooks'
import { ToolError } from 'myrmex'
import { ceo, type Runs } from 'myrmex/runs'
import {
  type HostListener,
  listenHost,
  loadPolicy,
  type OfficeOptions,
  openExtraServers,
  print,
  say,
  signalled,
  tend,
  told,
  withRuns,
} from 'myrmex/serve'
import { closeTheShop, theShop, theShopDatabase } from '../agents/the-shop.ts'
import { storefrontSecret } from '../storefront/checkout/secret.ts'
import { storefront } from '../storefront/storefront.ts'
import { trustOwnTools } from './initial-trust.ts'
import { shopPages } from './pages/pages.ts'
import { SERVER_NAME, serverNameAt } from './port-check.ts'
import { checkWritable, createProjectFiles } from './project-files.ts'

export interface StartOptions extends OfficeOptions {
  port: number
  host: string
}

const GOAL = 'npx myrmex run "Launch a new coffee brand" --budget 5000'

export async function start(options: StartOptions): Promise<void> {
  const begun = performance.now()
  const ended = signalled()
  process.on('unhandledRejection', told)
  const { port, host } = options
  if (port !== 0) await refusePortInUse(host, port)
  await refuseExposed(options)
  const folder = process.cwd()
  await checkWritable(folder)
  for (const name of await createProjectFiles(folder)) say(`made ${name}`)
  await withRuns(options, { note: say }, async (runs) => {
    await theShop()
    await trustAndAddCeo(runs)
    const tending = await tend(runs, options.ledger)
    let listening: HostListener | undefined
    const beside = await openExtraServers(runs.environment.fleet)
    try {
      listening = await listen(runs, options)
      announce(listening, performance.now() - begun)
      await ended
      say('ending: what is in flight is answered first')
    } finally {
      await listening?.close()
      await beside.close()
      await tending.close()
    }
  })
  await closeTheShop()
  process.exit()
}

/** The fleet's server answers for its leader too. */
async function trustAndAddCeo(runs: Runs): Promise<void> {
  const { fleet, ledger } = runs.environment
  const { server } = fleet
  const tools = server.registry.listed().map(({ tool }) => tool)
  const { trusted, changed } = await trustOwnTools(ledger, tools, 'dropship start')
  if (trusted.length > 0)
    say(`the shop's ${trusted.length} tools that change something are trusted; each use needs a yes`)
  for (const name of changed) say(`${name} is not what was trusted; look: npx myrmex trust status ${name}`)
  const leader = ceo(runs, { onFailure: told })
  server.add({ file: 'the CEO', agents: [leader], tools: leader.tools, resources: [], prompts: [], scratch: undefined })
}

async function listen(runs: Runs, { port, host, policy: file }: StartOptions): Promise<HostListener> {
  const policy = await loadPolicy(file)
  const { fleet, ledger } = runs.environment
  const isOpen = needsNoToken(policy)
  const secret = async (): Promise<string> => storefrontSecret(await theShopDatabase())
  const serve = storefront(theShop, { secret })
  try {
    return await listenHost(fleet.host, {
      ledger,
      policy,
      folder: process.cwd(),
      port,
      address: host,
      pages: shopPages({ runs, storefront: serve, isOpen }),
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await refusePortInUse(host, port)
    throw error
  }
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[?::1\]?)$/

/** The listener refuses it too; said here, before the shop is made, it costs nobody half a minute. */
async function refuseExposed({ host, policy }: StartOptions): Promise<void> {
  if (LOOPBACK.test(host) || !needsNoToken(await loadPolicy(policy))) return
  throw new ToolError(
    'RegistrationError',
    `${host} can be reached from other machines: set a bearer token in MYRMEX_TOKEN, or listen on 127.0.0.1.`,
  )
}

/** Nobody needs a token. */
const needsNoToken = ({ principals = [], jwt }: Awaited<ReturnType<typeof loadPolicy>>): boolean =>
  process.env.MYRMEX_TOKEN === undefined && principals.length === 0 && jwt === undefined

async function refusePortInUse(host: string, port: number): Promise<void> {
  const neighbour = await serverNameAt(host, port)
  if (neighbour === undefined) return
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  throw new ToolError(
    'UnavailableError',
    neighbour === SERVER_NAME
      ? `The shop is running already: ${at} (Ctrl-C where it was started ends it).`
      : `Port ${port} is in use by another program. Choose another: npm start -- --port ${port + 1}`,
  )
}

function announce({ url, api }: HostListener, took: number): void {
  const home = new URL('/', url).href
  print(`\n  The shop is open: ${home}\n\n  Try, in another terminal:\n    ${GOAL}\n`)
  say(`the operator's API is at ${api}; its token is in .myrmex/host/api.json`)
  say(`ready after ${(took / 1000).toFixed(1)} s; Ctrl-C ends it`)
}
