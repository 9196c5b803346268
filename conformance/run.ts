/**
 * `npm run conformance`: the official conformance suites against our server over HTTP, against a host that has this server
 * behind it on stdio, and against a dead port as a control that must fail. The last line is `conformance: N passed, M failed`; N
 * counts checks. `--verbose` prints every scenario. `--short`, which `npm test` uses, runs one suite directly and one through the host.
 * The output of the suites and servers stays in conformance/results until the next run.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failedIn, passedIn, suiteReport } from './report.ts'
import { checkControl, lostThroughHost, type ScenarioScore, scoreSuite, staleExceptions } from './score.ts'
import { runSuite, SUITES, type Suite, type SuiteRun } from './suites.ts'
import { deadUrl, type Program, start } from './target.ts'

const RESULTS = fileURLToPath(new URL('./results', import.meta.url))
const folderOf = ({ name }: Suite, kind: string): string => join(RESULTS, name.replaceAll(' ', '-'), kind)

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** A target of its own for each suite: the fixtures change their lists, and no suite should see another's changes. */
async function runAgainst(program: Program, suite: Suite): Promise<SuiteRun> {
  const folder = folderOf(suite, program)
  const target = await start(program, join(folder, `${program}.log`))
  try {
    return await runSuite(suite, target.url, folder)
  } finally {
    await target.end()
  }
}

interface Options {
  readonly verbose: boolean
  /** one suite against the server and another one through the host */
  readonly short: boolean
}

async function main({ verbose, short }: Options): Promise<boolean> {
  rmSync(RESULTS, { recursive: true, force: true })
  const suites: Record<Program, readonly Suite[]> = short
    ? { server: SUITES.slice(-1), host: SUITES.slice(1, 2) }
    : { server: SUITES, host: SUITES }
  const used = SUITES.filter((suite) => suites.server.includes(suite) || suites.host.includes(suite))
  const dead = await deadUrl()
  const controls = new Map(
    await Promise.all(
      used.map(async (suite) => [suite, await runSuite(suite, dead, folderOf(suite, 'control'))] as const),
    ),
  )
  const controlOf = (suite: Suite): SuiteRun => controls.get(suite) as SuiteRun
  const run = (program: Program): Promise<SuiteRun[]> =>
    Promise.all(suites[program].map((suite) => runAgainst(program, suite)))
  const score = (program: Program, runs: readonly SuiteRun[], label = ''): ScenarioScore[] =>
    suites[program].flatMap((suite, index) => {
      const scores = scoreSuite(suite, runs[index] as SuiteRun, controlOf(suite))
      print(suiteReport(`${suite.name}${label}`, scores, verbose))
      return scores
    })

  const [direct, throughHost] = await Promise.all([run('server'), run('host')])
  const scores = score('server', direct)
  const hosted = score('host', throughHost, ', through the host')

  const emptiness = used.flatMap((suite) => checkControl(suite, controlOf(suite)))
  print(`control against a dead port: ${emptiness.length === 0 ? 'fails, as it must' : 'PASSES in places'}`)
  // Only the whole run can tell which exceptions nobody needs, and what passes directly but not through the host.
  const others = short ? emptiness : [...emptiness, ...staleExceptions(direct), ...lostThroughHost(scores, hosted)]
  for (const problem of others) print(`  ${problem}`)

  const all = [...scores, ...hosted]
  const failed = failedIn(all) + others.length
  print(`conformance: ${passedIn(all)} passed, ${failed} failed`)
  return failed === 0
}

// An exit, unlike the death by a signal, ends the children too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const has = (option: string): boolean => process.argv.includes(option)
process.exitCode = (await main({ verbose: has('--verbose'), short: has('--short') })) ? 0 : 1
