/**
 * `npm run conformance`: the official conformance suites against our server over HTTP, and against a dead port as a
 * control that must fail. The last line is `conformance: N passed, M failed`; N counts checks. `--verbose` prints every
 * scenario. What the suites and the servers wrote stays in conformance/results until the next run.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { failedIn, passedIn, suiteReport } from './report.ts'
import { runSuite, SUITES, type Suite, type SuiteRun } from './suites.ts'
import { deadUrl, startServer } from './target.ts'
import { judgeControl, judgeSuite, stale } from './verdict.ts'

const RESULTS = fileURLToPath(new URL('./results', import.meta.url))
const folderOf = ({ name }: Suite, kind: string): string => join(RESULTS, name.replaceAll(' ', '-'), kind)

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** A server of its own for each suite: the fixtures change their lists, and no suite should see another's changes. */
async function runAgainstServer(suite: Suite): Promise<SuiteRun> {
  const folder = folderOf(suite, 'server')
  const server = await startServer(join(folder, 'server.log'))
  try {
    return await runSuite(suite, server.url, folder)
  } finally {
    await server.end()
  }
}

async function main(verbose: boolean): Promise<boolean> {
  rmSync(RESULTS, { recursive: true, force: true })
  const dead = await deadUrl()
  const controls = await Promise.all(SUITES.map((suite) => runSuite(suite, dead, folderOf(suite, 'control'))))
  const runs = await Promise.all(SUITES.map(runAgainstServer))

  const judged = SUITES.map((suite, i) => judgeSuite(suite, runs[i] as SuiteRun, controls[i] as SuiteRun))
  SUITES.forEach((suite, i) => {
    print(suiteReport(suite.name, judged[i] ?? [], verbose))
  })

  const emptiness = SUITES.flatMap((suite, i) => judgeControl(suite, controls[i] as SuiteRun))
  print(`control against a dead port: ${emptiness.length === 0 ? 'fails, as it must' : 'PASSES in places'}`)
  const others = [...emptiness, ...stale(runs)]
  for (const problem of others) print(`  ${problem}`)

  const all = judged.flat()
  const failed = failedIn(all) + others.length
  print(`conformance: ${passedIn(all)} passed, ${failed} failed`)
  return failed === 0
}

// An exit, unlike the death by a signal, ends the children too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

process.exitCode = (await main(process.argv.includes('--verbose'))) ? 0 : 1
