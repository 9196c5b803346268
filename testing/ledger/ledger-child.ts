/** A process of its own that uses a ledger: says when it is ready, waits to be asked to go, says what came of it. */
import { openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { JournalFolder } from '../../packages/myrmex/src/ledger/journal/folder.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { auditLine, recordLine } from './audit-chain.ts'

const [job, address = '', keyFile = '', name = '', count = '0'] = process.argv.slice(2)
const say = (word: string): void => void process.send?.(word)
const told = (): Promise<unknown> => new Promise((resolve) => process.once('message', resolve))
const open = () => openLedger(address, { keyFile, onFailure: (error) => say(`failure: ${String(error)}`) })

const JOBS: Record<string, () => Promise<void>> = {
  /** Opens only when told, so that several do at once, and records as soon as it can. */
  async start() {
    say('ready')
    await told()
    const ledger = await open()
    await recordLine(ledger, auditLine(name))
    say(ledger.key.id)
    await ledger.close()
  },
  /** Opens only when told, and records one line. */
  async begin() {
    say('ready')
    await told()
    const ledger = await open()
    await recordLine(ledger, auditLine(name))
    await ledger.close()
    say('done')
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
  /** Records two lines and signs them, records two more, and waits to be killed before those are signed. */
  async die() {
    const ledger = await open()
    for (const id of ['early-1', 'early-2']) await recordLine(ledger, auditLine(id))
    await ledger.journal.flush()
    for (const id of ['late-1', 'late-2']) await recordLine(ledger, auditLine(id))
    process.send?.('ready', () => process.kill(process.pid, 'SIGKILL'))
    // Nothing else runs, so nothing is signed.
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  },
  /** Records until that fails and reports how it ended. Asked again, it records when it can. */
  async fill() {
    const failures: string[] = []
    const ledger = await openLedger(address, { keyFile, onFailure: (error) => failures.push(String(error)) })
    await recordLine(ledger, auditLine('early'))
    say('ready')
    await told()
    let tried = 0
    const refused: string[] = []
    while (failures.length === 0) {
      const line = auditLine(`fill-${tried++}`, { data: { text: 'x'.repeat(20_000) } })
      await recordLine(ledger, line).catch((error: Error) => refused.push(error.message))
    }
    say(JSON.stringify({ tried, refused, failure: failures[0], failing: await ledger.journal.failing?.() }))
    await told()
    while (await ledger.journal.failing?.()) await setTimeout(20)
    await recordLine(ledger, auditLine('after'))
    await ledger.close()
    say('done')
  },
  /** Decides, and dies when the journal has the decision and its table does not. */
  async 'decide and die'() {
    const ledger = await open()
    const folder = ledger.journal.store as JournalFolder
    const create = folder.create.bind(folder)
    folder.create = (segment) => {
      const file = create(segment)
      const append = file.append.bind(file)
      file.append = (text, sync) => {
        append(text, sync)
        if (text.includes('"kind":"decision"')) process.kill(process.pid, 'SIGKILL')
      }
      return file
    }
    say('ready')
    await told()
    await ledger.trust.set({ tool: name, version: '1.0.0', hash: 'a' }, 'trusted', 'olga')
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
  /**
   * Takes from one bucket in an uneven rhythm until it is refused, and notes each token in a file. Says when its last token was
   * asked for and when it was refused, on the clock of the machine.
   */
  async drain() {
    const ledger = await open()
    const notes = openSync(join(dirname(keyFile), name), 'w')
    const bucket = { id: 'drained', calls: Number(count), per_ms: 1e12 }
    say('ready')
    await told()
    let asked = 0n
    for (;;) {
      const now = process.hrtime.bigint()
      if (!(await ledger.counters.take([bucket])).taken) break
      asked = now
      writeSync(notes, '.')
      const pause = Math.random()
      if (pause < 0.01) await setTimeout(1000 * pause)
      else if (pause < 0.1) await setImmediate()
    }
    const refused = process.hrtime.bigint()
    await ledger.close()
    say(`${asked} ${refused}`)
  },
  /** Gives a grant and trust, or takes both back, each time it is asked. */
  async decide() {
    const ledger = await open()
    const definition = { tool: name, version: '1.0.0', hash: name }
    say('ready')
    for (let turn = 0; turn < Number(count); turn++) {
      await told()
      const isGiven = turn % 2 === 0
      await ledger.trust.set(definition, isGiven ? 'trusted' : 'untrusted', 'olga')
      if (isGiven) await ledger.grants.give(definition, 'olga')
      else await ledger.grants.revoke(name, 'olga')
      say(isGiven ? 'given' : 'revoked')
    }
    await ledger.close()
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
