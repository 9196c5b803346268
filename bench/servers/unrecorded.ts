// Our server as `myrmex serve` makes it, with every gate and a ledger, but with a recorder that keeps nothing: what the audit
// costs is what it is slower by. Its first argument is the file of that ledger, which the bench removes: it ends this process by force.
import process from 'node:process'
import { createServer, listenHttp, openLedger, serveStdio } from 'myrmex'
import { tools } from './ours.tools.ts'

const ledger = await openLedger(process.argv[2])
const server = createServer({ name: 'bench', version: '1.0.0', tools, ledger, recorder: { record: () => undefined } })
const http = process.argv.indexOf('--http')
if (http === -1) {
  await serveStdio(server).done
  process.exit()
} else {
  const { url } = await listenHttp(server, { port: Number(process.argv[http + 1]) })
  process.stderr.write(`${url}\n`)
}
