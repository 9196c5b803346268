/** A process of its own that uses a ledger: says when it is ready, waits to be asked to go, says what came of it. */
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { auditLine, recordLine } from './audit-chain.ts'

const [job, address = '', keyFile = '', name = '', count = '0'] = process.argv.slice(2)
const say = (word: string): void => void process.send?.(word)
const told = (): Promise<unknown> => new Promise((resolve) => process.once('message', resolve))
const open = () => openLedger(address, { keyFile, onFailure: (error) => say(`failure: ${String(error)}`) })

const JOBS: Record<string, () => Promise<void>> = {
  /** Opens only when told, so that several do at once. */
  async start() {
    say('ready')
    await told()
    const ledger = await open()
    say(ledger.key.id)
    await ledger.close()
  },
  /** Records lines in small groups. */
  async write() {
    const ledger = await open()
    say('ready')
    await told()
    for (let number = 0; number < Number(count); number++) {
      const kept = recordLine(ledger, auditLine(`${name}-${number}`))
      if (number % 3 === 0) await kept
      if (number % 10 === 0) await setImmediate()
    }
    await ledger.close()
    say('done')
  },
  /** As many takers at once as it is asked to, on one bucket; says how many got something. */
  async take() {
    const ledger = await open()
    say('ready')
    await told()
    const bucket = { id: 'shared', calls: 100, per_ms: 3_600_000 }
    const takers = Array.from({ length: Number(count) }, () => ledger.counters.take([bucket]))
    const taken = (await Promise.all(takers)).filter((each) => each.taken).length
    await ledger.close()
    say(String(taken))
  },
  /** Holds a SQLite file so that nobody else can write to it, until asked to let go. */
  async hold() {
    const database = new DatabaseSync(address)
    database.exec('BEGIN EXCLUSIVE')
    say('ready')
    await told()
    database.exec('ROLLBACK')
    database.close()
    say('done')
  },
}

try {
  await JOBS[job as string]?.()
} catch (error) {
  say(`failed: ${(error as Error).message}`)
}
process.disconnect?.()
