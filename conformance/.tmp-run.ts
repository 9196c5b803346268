import { fork } from 'node:child_process'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { runSuite, SUITES } from './suites.ts'
import { judgeSuite } from './verdict.ts'
import { suiteReport } from './report.ts'
for (const suite of SUITES) {
  const child = fork('/tmp/pc/host.ts', ['0', ...(process.argv[2] ? [process.argv[2]] : [])], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  child.stderr?.pipe((await import('node:fs')).createWriteStream(`/tmp/pc/${suite.scenarios}.log`))
  const [url] = await once(createInterface({ input: child.stdout as never }), 'line')
  const run = await runSuite(suite, url as string, `/tmp/pc/results-${suite.scenarios}`)
  console.log(suiteReport(suite.name, judgeSuite(suite, run, { scenarios: [], exitCode: 1 } as never), false))
  child.disconnect()
}
