// `npm run bench`: our server beside its peers, interleaved, every answer checked. Prints tables, or with `--json` only
// the figures that have an aim. A wrong answer, from anybody, ends the run with exit code 1; a missed aim does not.
import { availableParallelism, loadavg } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Aim, type AtMost, aims, auditAims, type Scenario } from './aims.ts'
import { installPeers, peerVersions } from './install.ts'
import { benchLimits } from './limits.ts'
import type { Figure } from './measure/figure.ts'
import { gateAimResults, measureGates } from './measure/gates.ts'
import { measurePromisedFigures } from './measure/promised-figures.ts'
import { fullPace, type Pace, quickPace } from './measure/rounds.ts'
import { measureRuns, runAimResults } from './measure/runs.ts'
import {
  type AimResult,
  aimResult,
  aimsJson,
  aimsTable,
  costsJson,
  figuresTable,
  gatesTable,
  promisedFiguresTable,
  runsTable,
} from './report.ts'
import { descriptions, measure } from './scenarios.ts'
import { oursIsThere, type TargetName, targets } from './targets.ts'

const usage = `usage: npm run bench -- [runs | host | postgres | audit [--records N] | limits | scanner [--corpora FOLDER] | shop [--first N] [--seeds N]] [--quick] [--json] [--only id,id]
ids: ${aims.map((aim) => aim.id).join(' ')}`

type Log = (text: string) => void

interface Options {
  pace: Pace
  json: boolean
  /** the aims to measure; undefined: all of them, and what else there is to measure */
  only: readonly Aim[] | undefined
  records: number
  first: number
  seeds: number
  corpora: string | undefined
}

/** What can be measured on its own; each returns what it promises on stdout with `--json`. */
const benches: Readonly<Record<string, (options: Options, log: Log) => Promise<string | undefined>>> = {
  async runs({ pace }, log) {
    return costsJson(await benchRuns(pace, log))
  },
  async host({ pace }, log) {
    installPeers('peers', log)
    installPeers('gateways', log)
    const { benchHost } = await import('./host/run.ts')
    return costsJson(await benchHost(pace, log))
  },
  async postgres({ pace }, log) {
    const { benchPostgres } = await import('./postgres/run.ts')
    return costsJson(await benchPostgres(pace, log))
  },
  async audit({ records }, log) {
    const { benchAudit } = await import('./audit/run.ts')
    return costsJson(await benchAudit(records, log))
  },
  async limits() {
    if (!benchLimits()) process.exitCode = 1
    return undefined
  },
  async scanner({ corpora }, log) {
    const { benchScanner } = await import('./scanner/run.ts')
    return benchScanner(corpora, log)
  },
  async shop({ first, seeds }, log) {
    const { benchShop } = await import('./shop/run.ts')
    await benchShop({ first, seeds }, log)
    return undefined
  },
}

function parse(): { options: Options; bench: string | undefined } {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      only: { type: 'string' },
      records: { type: 'string', default: String(auditAims.records) },
      first: { type: 'string', default: '101' },
      seeds: { type: 'string', default: '30' },
      corpora: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [bench, ...more] = positionals
  if (more.length > 0 || (bench !== undefined && !Object.hasOwn(benches, bench)))
    throw new Error(`no such bench: ${positionals.join(' ')}\n${usage}`)
  const ids = values.only?.split(',')
  const unknown = ids?.filter((id) => !aims.some((aim) => aim.id === id)) ?? []
  if (unknown.length > 0) throw new Error(`no such aim: ${unknown.join(', ')}\n${usage}`)
  const whole = (name: 'records' | 'first' | 'seeds'): number => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < 1)
      throw new Error(`--${name} ${values[name]} is no whole number above 0\n${usage}`)
    return number
  }
  const options = {
    pace: values.quick ? quickPace : fullPace,
    json: values.json ?? false,
    only: ids && aims.filter((aim) => ids.includes(aim.id)),
    records: whole('records'),
    first: whole('first'),
    seeds: whole('seeds'),
    corpora: values.corpora,
  }
  return { options, bench }
}

/** Each scenario once, with us and all the peers that the chosen aims compare us to. */
async function run(chosen: readonly Aim[], pace: Pace, log: Log): Promise<AimResult[]> {
  const outcomes: AimResult[] = []
  for (const scenario of new Set(chosen.map((aim) => aim.scenario))) {
    const wanted = chosen.filter((aim) => aim.scenario === scenario)
    const names: TargetName[] = [...(oursIsThere() ? (['ours'] as const) : []), ...wanted.map((aim) => aim.peer)]
    log(`\n${scenario}: ${descriptions[scenario]}`)
    const figures = await measure(scenario, names, pace)
    log(figuresTable(figures))
    outcomes.push(...wanted.map((aim) => aimResult(aim, figures)))
  }
  return outcomes
}

async function benchRuns(pace: Pace, log: Log): Promise<AtMost[]> {
  const measured = await measureRuns(pace)
  const results = runAimResults(measured.costs)
  log(runsTable(measured, results))
  return results
}

async function benchGates(pace: Pace, log: Log): Promise<AtMost[]> {
  const costs = await measureGates(pace)
  log(`\n${gatesTable(costs)}`)
  return gateAimResults(costs)
}

function ourRates(outcomes: readonly AimResult[]): { stdio?: Figure; http?: Figure } {
  const ours = (scenario: Scenario) => outcomes.find(({ aim }) => aim.scenario === scenario)?.ours
  return { stdio: ours('stdio'), http: ours('http') }
}

/** Everything that is compared with the peers, the gates, the promised figures and runs. */
async function benchServers({ pace, only }: Options, log: Log): Promise<string> {
  installPeers('peers', log)
  const versions = Object.entries(peerVersions('peers')).map(([name, version]) => `${name} ${version}`)
  log(`Node ${process.version}, at least ${pace.rounds} rounds of ${pace.roundSeconds} s, ${pace.starts} starts`)
  log(`peers: ${versions.join(', ')}`)
  if (!oursIsThere()) log('our own server is not there yet; only the peers are measured')
  const outcomes = await run(only ?? aims, pace, log)
  log(`\n${aimsTable(outcomes)}`)
  const costs: AtMost[] = []
  if (only === undefined || only.some(({ scenario }) => scenario === 'ledger'))
    costs.push(...(await benchGates(pace, log)))
  if (only === undefined && oursIsThere()) {
    log(`\n${promisedFiguresTable(await measurePromisedFigures(targets.ours, ourRates(outcomes)))}\n`)
    costs.push(...(await benchRuns(pace, log)))
  }
  return aimsJson(outcomes, costs)
}

/** The bench itself keeps one to two cores busy; more means that others do too, and then only ratios and CPU times say much. */
function machineLoad(when: string): string {
  const [lastMinute = 0] = loadavg()
  return `load of the last minute ${when}: ${lastMinute.toFixed(1)} on ${availableParallelism()} cores`
}

const line =
  (stream: NodeJS.WritableStream): Log =>
  (text) =>
    void stream.write(`${text}\n`)

async function main(): Promise<void> {
  const { options, bench } = parse()
  const log = line(options.json ? process.stderr : process.stdout)
  log(machineLoad('before'))
  const json = await (benches[bench ?? ''] ?? benchServers)(options, log)
  log(machineLoad('after'))
  if (options.json && json !== undefined) line(process.stdout)(json)
}

main().catch((error: Error) => {
  line(process.stderr)(`bench: ${error.message}`)
  process.exit(1)
})
