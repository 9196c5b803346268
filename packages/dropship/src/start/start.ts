/**
 * `myrmex dropship start`, which is `npm start`: everything on one port, until a signal.
 *
 * 1. Refuse what cannot work: a port in use, an address open to other machines without a token, a folder that is not writable.
 * 2. Create the files that are missing: in the working directory if it has a fleet file, otherwise in `.myrmex/demo`.
 * 3. Open ledger, fleet and shop, trust the shop's own tools once, and add the CEO to the fleet's server.
 * 4. Execute runs that no other process executes.
 * 5. Connect the servers of `myrmex.json`, if there is one.
 * 6. Listen: MCP endpoint, operator's API, storefront and pages.
 */
import { performance } from 'node:perf_hooks'
import type { Ledger } from 'myrmex'
import { ceo, type RunEnvironmentOptions, type Runs, runWorker, trustCeo, withRuns } from 'myrmex/runs'
import {
  type AccessFlags,
  accessFlags,
  apiText,
  checkAccess,
  DEMO_FOLDER,
  type HostListener,
  hasOwnFleet,
  listenHost,
  loadPolicy,
  modeText,
  openExtraServers,
  print,
  reportError,
  requireFolder,
  say,
  untilSignal,
  useDemo,
} from 'myrmex/serve'
import { closeTheShop, theShop, theShopDatabase } from '../agents/the-shop.ts'
import { storefrontSecret } from '../storefront/checkout/secret.ts'
import { storefront } from '../storefront/storefront.ts'
import { trustOwnTools } from './initial-trust.ts'
import { shopPages } from './pages/pages.ts'
import { needsNoToken, refuseExposed, refusePortInUse } from './port-check.ts'
import { checkWritable, createProjectFiles } from './project-files.ts'

export interface StartOptions extends RunEnvironmentOptions, AccessFlags {
  port: number
  host: string
}

const GOAL = 'npx myrmex run "Launch a new coffee brand" --budget 5000'

export async function start(options: StartOptions): Promise<void> {
  const startedAt = performance.now()
  const signal = untilSignal()
  process.on('unhandledRejection', reportError)
  await refusePortInUse(options.host, options.port)
  const policy = await loadPolicy(options.policy)
  refuseExposed(options.host, policy)
  await checkAccess(options.host, options, policy)

  const prepared = await prepareFolder(options)
  await withRuns(prepared, { note: say }, async (runs) => {
    await theShop()
    await trustAndAddCeo(runs)
    const worker = await runWorker(runs, prepared.ledger)
    const extraServers = await openExtraServers(runs.environment.fleet, runs.environment.ledger)
    let listener: HostListener | undefined
    try {
      listener = await listen(runs, policy, options)
      announce(listener, runs.environment.ledger, performance.now() - startedAt)
      await signal
      say('stopping after the requests in flight')
    } finally {
      await listener?.close()
      await extraServers.close()
      await worker.close()
    }
  })
  await closeTheShop()
  process.exit()
}

/** The options, with the paths of the demo where it is used and nothing else was named. */
async function prepareFolder(options: StartOptions): Promise<StartOptions> {
  const isDemo = !hasOwnFleet()
  await requireFolder('.')
  await checkWritable(isDemo ? DEMO_FOLDER : '.myrmex')
  for (const path of await createProjectFiles(isDemo ? DEMO_FOLDER : '.')) say(`created ${path}`)
  if (!isDemo) return options
  useDemo()
  const { MYRMEX_FLEET: fleet, MYRMEX_LEDGER: ledger } = process.env
  return { ...(fleet !== undefined && { fleet }), ...(ledger !== undefined && { ledger }), ...options }
}

async function trustAndAddCeo(runs: Runs): Promise<void> {
  const { fleet, ledger } = runs.environment
  const { server } = fleet
  const tools = server.registry.listed().map(({ tool }) => tool)
  const { length } = await trustOwnTools(ledger, tools, 'dropship start')
  if (length > 0) say(`the shop's ${length} tools that change something are trusted; each call still needs approval`)
  const leader = ceo(runs, { onFailure: reportError })
  await trustCeo(ledger, leader, 'dropship start', say)
  server.add({ file: 'the CEO', agents: [leader], tools: leader.tools, resources: [], prompts: [], scratch: undefined })
}

async function listen(
  runs: Runs,
  policy: Awaited<ReturnType<typeof loadPolicy>>,
  options: StartOptions,
): Promise<HostListener> {
  const { port, host } = options
  const { fleet, ledger } = runs.environment
  const serveStorefront = storefront(theShop, { secret: async () => storefrontSecret(await theShopDatabase()) })
  const pages = shopPages({ runs, storefront: serveStorefront, isOpen: needsNoToken(policy) })
  try {
    return await listenHost(fleet.host, {
      ...accessFlags(options),
      ledger,
      policy,
      folder: process.cwd(),
      port,
      address: host,
      pages,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') await refusePortInUse(host, port)
    throw error
  }
}

function announce({ url, api }: HostListener, ledger: Ledger, ms: number): void {
  const home = new URL('/', url).href
  print(`\n  The shop is open: ${home}\n\n  Try, in another terminal:\n    ${GOAL}\n`)
  say(apiText(api, ledger))
  say(modeText(ledger))
  say(`ready after ${(ms / 1000).toFixed(1)} s; press Ctrl-C to stop`)
}
