// `npm run bench`: our server beside its peers, interleaved, every answer checked. Prints tables, or with `--json` only
// the ratios. A wrong answer, from anybody, ends the run with exit code 1; a missed aim does not.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Aim, aims, type Scenario } from './aims.ts'
import { installPeers, peerVersions } from './install.ts'
import { benchLimits } from './limits.ts'
import type { Figure } from './measure/figure.ts'
import { measureGates } from './measure/gates.ts'
import { measurePromisedFigures } from './measure/promised-figures.ts'
import { fullPace, type Pace, quickPace } from './measure/rounds.ts'
import { measureRuns } from './measure/runs.ts'
import {
  type AimResult,
  aimResult,
  aimsJson,
  aimsTable,
  figuresTable,
  gatesTable,
  promisedFiguresTable,
  runsTable,
} from './report.ts'
import { descriptions, measure } from './scenarios.ts'
import { oursIsThere, type TargetName, targets } from './targets.ts'

const usage = `usage: npm run bench -- [runs | host | limits | shop [--first N] [--seeds N]] [--quick] [--json] [--only id,id]
ids: ${aims.map((aim) => aim.id).join(' ')}`

interface Options {
  pace: Pace
  json: boolean
  chosen: readonly Aim[]
  floors: boolean
  gates: boolean
  /** only what runs cost, with no peer beside us */
  onlyRuns: boolean
  /** only what it costs to call through the host */
  onlyHost: boolean
  /** only the tests that have a time limit, with the limits enforced */
  onlyLimits: boolean
  /** only how well the shop is run */
  shop: { first: number; seeds: number } | undefined
}

function options(): Options {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      json: { type: 'boolean' },
      only: { type: 'string' },
      first: { type: 'string', default: '101' },
      seeds: { type: 'string', default: '30' },
    },
    allowPositionals: true,
  })
  const words = positionals.filter((word) => !['runs', 'host', 'limits', 'shop'].includes(word))
  if (words.length > 0) throw new Error(`no such bench: ${words.join(', ')}\n${usage}`)
  const ids = values.only?.split(',')
  const unknown = ids?.filter((id) => !aims.some((aim) => aim.id === id)) ?? []
  if (unknown.length > 0) throw new Error(`no such aim: ${unknown.join(', ')}\n${usage}`)
  return {
    pace: values.quick ? quickPace : fullPace,
    json: values.json ?? false,
    chosen: ids ? aims.filter((aim) => ids.includes(aim.id)) : aims,
    floors: ids === undefined,
    gates: ids === undefined || ids.includes('audited_vs_unrecorded'),
    onlyRuns: positionals.includes('runs'),
    onlyHost: positionals.includes('host'),
    onlyLimits: positionals.includes('limits'),
    shop: positionals.includes('shop') ? { first: Number(values.first), seeds: Number(values.seeds) } : undefined,
  }
}

/** Each scenario once, with us and all the peers that the chosen aims compare us to. */
async function run(chosen: readonly Aim[], pace: Pace, log: (text: string) => void): Promise<AimResult[]> {
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

function ourRates(outcomes: readonly AimResult[]): { stdio?: Figure; http?: Figure } {
  const ours = (scenario: Scenario) => outcomes.find(({ aim }) => aim.scenario === scenario)?.ours
  return { stdio: ours('stdio'), http: ours('http') }
}

const line = (stream: NodeJS.WritableStream) => (text: string) => void stream.write(`${text}\n`)

async function main(): Promise<void> {
  const { pace, json, chosen, floors, gates, onlyRuns, onlyHost, onlyLimits, shop } = options()
  const log = line(json ? process.stderr : process.stdout)
  if (shop !== undefined) {
    const { benchShop } = await import('./shop/run.ts')
    await benchShop(shop, log)
    return
  }
  if (onlyLimits) {
    if (!benchLimits()) process.exitCode = 1
    return
  }
  if (onlyRuns) return log(runsTable(await measureRuns()))
  installPeers(log)
  if (onlyHost) {
    const { benchHost } = await import('./host/run.ts')
    const aimsOfHost = await benchHost(pace, log)
    if (json) line(process.stdout)(JSON.stringify({ aims: aimsOfHost }))
    return
  }
  const versions = Object.entries(peerVersions()).map(([name, version]) => `${name} ${version}`)
  log(`Node ${process.version}, ${pace.rounds} rounds of ${pace.roundSeconds} s, ${pace.starts} starts`)
  log(`peers: ${versions.join(', ')}`)
  if (!oursIsThere()) log('our own server is not there yet; only the peers are measured')
  const outcomes = await run(chosen, pace, log)
  log(`\n${aimsTable(outcomes)}`)
  if (gates) log(`\n${gatesTable(await measureGates())}`)
  if (floors && oursIsThere())
    log(`\n${promisedFiguresTable(await measurePromisedFigures(targets.ours, ourRates(outcomes)))}`)
  if (floors && oursIsThere()) log(`\n${runsTable(await measureRuns())}`)
  if (json) line(process.stdout)(aimsJson(outcomes))
}

main().catch((error: Error) => {
  line(process.stderr)(`bench: ${error.message}`)
  process.exit(1)
})
