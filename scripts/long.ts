/**
 * `npm run test:long`: the long form of every test that `npm test` has in a short form, one after the other, with the time of each.
 * Exits 1 if any of them failed. The whole takes at most 25 minutes on two cores; each is also a script of its own.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

/** Crash tests kill as often as they do by hand when their numbers are left out: `npm run test:crash`. */
const RUNS: readonly (readonly string[])[] = [
  ['conformance'],
  ['test:published'],
  ['test:spec'],
  ['test:agent'],
  ['test:interop'],
  ['test:host'],
  ['test:shop'],
  ['test:kills'],
  ['test:crash', '--', '--sqlite', '96', '--postgres', '12'],
  ['test:crash', '--', 'runs', '--sqlite', '48', '--postgres', '8'],
  ['test:crash', '--', 'shop', '--kills', '24'],
  ['test:crash', '--', 'host', '--kills', '40'],
]

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

function run(args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', ...args], { stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', resolve)
  })
}

const started = performance.now()
const summary: string[] = []
for (const args of RUNS) {
  const before = performance.now()
  const code = await run(args)
  if (code !== 0) process.exitCode = 1
  summary.push(`${code === 0 ? 'passed' : 'FAILED'}  ${seconds(before).padStart(6)}  npm run ${args.join(' ')}`)
}
process.stdout.write(`${summary.join('\n')}\ntest:long took ${seconds(started)}\n`)
