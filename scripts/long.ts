/**
 * `npm run test:long`: the long form of every test that `npm test` has in a short form, one after the other, with the time of each.
 * Exits 1 if any of them failed, and repeats the end of its output, because CI shows only the end of a log. A script that does not end is
 * killed after LIMIT_MS and has failed: a test that hangs must not hide its name. All together take at most 30 minutes on two cores. Each
 * is also a script of its own.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'

/** Without their numbers, crash tests kill as often, the fuzz sends as much and the soak lasts as long as they do by hand. */
const RUNS: readonly (readonly string[])[] = [
  ['conformance'],
  ['test:published'],
  ['test:docs'],
  ['test:cli'],
  ['test:spec'],
  ['test:agent'],
  ['test:interop'],
  ['test:ledger'],
  ['test:host'],
  ['test:attacks'],
  ['test:shop'],
  ['test:kills'],
  ['test:crash', '--', '--sqlite', '96', '--postgres', '12'],
  ['test:crash', '--', 'runs', '--sqlite', '48', '--postgres', '8'],
  ['test:crash', '--', 'shop', '--kills', '24'],
  ['test:crash', '--', 'host', '--kills', '40'],
  ['test:fuzz', '--', '--messages', '300000'],
  ['soak', '--', '--minutes', '2'],
]

/** Three times what the longest of them takes on two quiet cores. */
const LIMIT_MS = 12 * 60_000

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

/** Lines of a failed script that are repeated at the end. */
const SHOWN_LINES = 80
/** Enough for that many lines, and little enough to keep. */
const KEPT_CHARACTERS = 1_000_000

interface ScriptEnd {
  readonly code: number | null
  readonly lastLines: string
}

/** Passes the script's output on, and keeps its end. */
function run(args: readonly string[]): Promise<ScriptEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', ...args], { stdio: ['inherit', 'pipe', 'pipe'], detached: true })
    let kept = ''
    // The whole process group: npm does not end what it started.
    const end = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const limit = setTimeout(() => {
      kept += `\nIt was killed: it took longer than ${LIMIT_MS / 60_000} minutes.\n`
      end()
    }, LIMIT_MS)
    const interrupt = (): void => {
      end()
      process.exit(130)
    }
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from.setEncoding('utf8').on('data', (text: string) => {
        to.write(text)
        kept = (kept + text).slice(-KEPT_CHARACTERS)
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(limit)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      const lines = stripVTControlCharacters(kept).trimEnd().split('\n')
      resolve({ code, lastLines: lines.slice(-SHOWN_LINES).join('\n') })
    })
  })
}

const started = performance.now()
const failures: string[] = []
const summary: string[] = []
for (const args of RUNS) {
  const before = performance.now()
  const { code, lastLines } = await run(args)
  const script = `npm run ${args.join(' ')}`
  if (code !== 0) {
    process.exitCode = 1
    failures.push(`The last lines of ${script}, which failed:\n${lastLines}\n`)
  }
  summary.push(`${code === 0 ? 'passed' : 'FAILED'}  ${seconds(before).padStart(6)}  ${script}`)
}
process.stdout.write(`${[...failures, ...summary].join('\n')}\ntest:long took ${seconds(started)}\n`)
