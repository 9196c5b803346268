/**
 * `npm run conformance`: the official conformance suites against our server over HTTP, against a host that has this server
 * behind it on stdio, and against a dead port as a control that must fail. The last line is `conformance: N passed, M failed`; N
 * counts checks. `--verbose` prints every scenario. What the suites and the servers wrote stays in conformance/results until the next run.
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

async function main(verbose: boolean): Promise<boolean> {
  rmSync(RESULTS, { recursive: true, force: true })
  const dead = await deadUrl()
  const controls = await Promise.all(SUITES.map((suite) => runSuite(suite, dead, folderOf(suite, 'control'))))
  const judge = (runs: readonly SuiteRun[]): ScenarioScore[][] =>
    SUITES.map((suite, i) => scoreSuite(suite, runs[i] as SuiteRun, controls[i] as SuiteRun))
  const report = (what: string, judged: readonly ScenarioScore[][]): void =>
    SUITES.forEach(({ name }, i) => {
      print(suiteReport(`${name}${what}`, judged[i] ?? [], verbose))
    })

  const run = (program: Program): Promise<SuiteRun[]> => Promise.all(SUITES.map((suite) => runAgainst(program, suite)))
  const [runs, throughHost] = await Promise.all([run('server'), run('host')])
  const judged = judge(runs)
  report('', judged)
  const hosted = judge(throughHost)
  report(', through the host', hosted)

  const emptiness = SUITES.flatMap((suite, i) => checkControl(suite, controls[i] as SuiteRun))
  print(`control against a dead port: ${emptiness.length === 0 ? 'fails, as it must' : 'PASSES in places'}`)
  const others = [...emptiness, ...staleExceptions(runs), ...lostThroughHost(judged.flat(), hosted.flat())]
  for (const problem of others) print(`  ${problem}`)

  const all = [...judged, ...hosted].flat()
  const failed = failedIn(all) + others.length
  print(`conformance: ${passedIn(all)} passed, ${failed} failed`)
  return failed === 0
}

// An exit, unlike the death by a signal, ends the children too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

process.exitCode = (await main(process.argv.includes('--verbose'))) ? 0 : 1
