// One server on a PostgreSQL ledger and its driver, in a process of their own: `myrmex serve` with all gates and the audit on, 64 calls
// of `add` in flight over stdio, every answer checked.
import process from 'node:process'
import { obeyOrders } from '../measure/ordered-child.ts'
import { openStdio, type StdioLoad, stdioRunner } from '../measure/stdio.ts'
import { serveOn } from '../targets.ts'

const load: StdioLoad = { era: 'legacy', work: 'add', inFlight: 64 }

await obeyOrders(async () => {
  const [address = '', keyFile = ''] = process.argv.slice(2)
  const pipe = await openStdio('ours on PostgreSQL', { args: serveOn(address, keyFile) }, load)
  return { runner: stdioRunner(pipe, load), server: pipe.server }
})
