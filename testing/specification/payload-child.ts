/** The payload server as a process of its own on stdio. Its arguments are the files of its ledger and its shop. */
import { openLedger, serveStdio } from 'myrmex'
import { openShop } from '../../packages/dropship/src/embedded/open.ts'
import { payloadServer } from './payload-server.ts'

const [ledgerFile = '', shopFile = ''] = process.argv.slice(2)
const shop = await openShop({ file: shopFile })
const ledger = await openLedger(ledgerFile)
await serveStdio(payloadServer(ledger, async () => shop)).done
await ledger.close()
await shop.close()
