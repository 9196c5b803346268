/** What can go wrong with PostgreSQL, done to a real one: nothing is lost, nothing is written twice, and the words are clear. */
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import { auditLine, recordLine, wholeJournal } from '@myrmex/testing/ledger/audit-chain'
import { FaultyConnection } from '@myrmex/testing/ledger/faulty-connection'
import { freshStore, Store } from '@myrmex/testing/ledger/ledger-store'
import { LONG, longTest } from '@myrmex/testing/long'
import { PostgresServer } from '@myrmex/testing/postgres/postgres-server'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { LedgerError } from '../../packages/myrmex/src/ledger/ledger-error.ts'
import { openPostgres } from '../../packages/myrmex/src/ledger/postgres/db.ts'

const names = (count: number, name: string): string[] => Array.from({ length: count }, (_, index) => `${name}-${index}`)
/** What came of it: undefined if it was kept, or why not. */
const tried = (ledger: Ledger, id: string): Promise<unknown> =>
  recordLine(ledger, auditLine(id)).then(
    () => undefined,
    (error: unknown) => error,
  )
const healed = (ledger: Ledger) => expect.poll(() => ledger.journal.failing?.()).toBe(false)
const inOrder = (ids: readonly string[]): string[] =>
  [...ids].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))

describe('a journal on PostgreSQL', () => {
  let server: PostgresServer
  let store: Store
  let ledger: Ledger

  beforeAll(async () => {
    server = await PostgresServer.create()
    return () => server.remove()
  })
  beforeEach(async () => {
    store = await freshStore('postgres', await server.freshDatabase())
    ledger = await store.open()
    return async () => {
      await Promise.allSettled([store.close()])
      await store.remove()
    }
  })

  const callIds = async (from: Ledger = ledger): Promise<readonly string[]> => (await wholeJournal(from)).callIds
  /** Somebody else at the same database: an administrator, or another process that writes. */
  const bystander = async (): Promise<Ledger> => {
    const opened = await new Store('postgres', store.address, store.folder).open()
    onTestFinished(() => (opened.closed ? undefined : opened.close()))
    return opened
  }
  /** The store as seen over another address. */
  const openBy = async (change: (url: URL) => void): Promise<{ near: Store; ledger: Ledger }> => {
    const url = new URL(store.address)
    change(url)
    const near = new Store('postgres', url.href, store.folder)
    const opened = await near.open()
    onTestFinished(() => near.close())
    return { near, ledger: opened }
  }
  const lastFailure = (): string => String(store.failures.at(-1))
  const refused = (recorded: Promise<void>) =>
    expect(recorded).rejects.toMatchObject({
      error_type: 'UnavailableError',
      message: expect.stringContaining('The ledger could not record the call'),
      error_details: { retry_after_ms: 1000 },
    })

  test('writes nothing after the end of its chain, however long the server takes for it', async () => {
    const other = await bystander()
    await recordLine(other, auditLine('last'))
    // The signature that is due after 100 ms must not follow the last one.
    await ledger.db.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END $$`)
    await ledger.db.query('CREATE TRIGGER slow BEFORE INSERT ON journal_groups FOR EACH ROW EXECUTE FUNCTION wait()')
    const closing = other.close()
    for (const until = performance.now() + 60; performance.now() < until; ) await setImmediate()
    expect(await tried(other, 'late')).toBeInstanceOf(LedgerError)
    await closing
    await ledger.db.query('DROP TRIGGER slow ON journal_groups')
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, defect: null })
  })

  test('refuses while the server is gone, and has every line once when it is back', async () => {
    await Promise.all(names(20, 'early').map((id) => recordLine(ledger, auditLine(id))))
    // Some are under way while it stops.
    const [during, results] = [names(40, 'during'), [] as Promise<unknown>[]]
    const stopped = server.stop()
    for (const id of during) {
      results.push(tried(ledger, id))
      await setImmediate()
    }
    await stopped
    for (const failed of await Promise.all(results))
      if (failed !== undefined) expect(failed).toBeInstanceOf(LedgerError)
    await refused(recordLine(ledger, auditLine('gone-0')))
    expect(await ledger.journal.failing?.()).toBe(true)
    await expect(ledger.trust.decisions()).rejects.toThrow(
      /The ledger could not be used: PostgreSQL refuses connections/,
    )
    await expect(ledger.counters.take([{ id: 'a', calls: 1, per_ms: 1 }])).rejects.toBeInstanceOf(LedgerError)
    await server.start()
    await healed(ledger)
    await recordLine(ledger, auditLine('late-0'))
    await ledger.journal.flush()
    const { callIds, chains, sealed } = await wholeJournal(ledger)
    expect(inOrder(callIds)).toEqual(inOrder([...names(20, 'early'), ...during, 'gone-0', 'late-0']))
    expect(callIds.slice(-2)).toEqual(['gone-0', 'late-0'])
    expect(sealed).toEqual(chains)
    expect(store.failures.map(String).join()).toMatch(
      /shutting down|connection to PostgreSQL broke|refuses connections/,
    )
  })

  longTest('writes what it owes at the latest when it is closed', async () => {
    await recordLine(ledger, auditLine('early'))
    await server.stop()
    await refused(recordLine(ledger, auditLine('owed')))
    await server.start()
    await ledger.close()
    expect(await callIds(await bystander())).toEqual(['early', 'owed'])
  })

  longTest('says so when it is closed and cannot write what it owes', async () => {
    await server.stop()
    await refused(recordLine(ledger, auditLine('owed')))
    await expect(ledger.close()).rejects.toThrow('could not write the last records of the journal')
    await server.start()
  })

  test('has every line once though connections are killed in the middle of whatever they do', async () => {
    const { near, ledger: victim } = await openBy((url) => url.searchParams.set('application_name', 'victim'))
    const kill = () =>
      ledger.db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'
        AND datname = current_database()`)
    const written: string[] = []
    for (let round = 0; round < 6; round++) {
      const results: Promise<unknown>[] = []
      let killing: unknown
      const when = Math.floor(Math.random() * 30)
      for (const id of names(30, `round-${round}`)) {
        if (results.length === when) killing = kill()
        results.push(tried(victim, id))
        written.push(id)
        await setImmediate()
      }
      await Promise.all([...results, killing])
      await healed(victim)
    }
    expect(await callIds()).toEqual(written)
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true })
    expect(near.failures.length).toBeGreaterThan(0)
  })

  test('does not write a group again that was kept, though the answer got lost', async () => {
    const wire = await FaultyConnection.to(Number(new URL(store.address).port))
    onTestFinished(() => wire.close())
    const { ledger: far } = await openBy((url) => {
      url.port = String(wire.port)
    })
    await recordLine(far, auditLine('heard'))
    wire.answers = false
    const unheard = recordLine(far, auditLine('unheard'))
    await expect.poll(() => callIds()).toContain('unheard')
    wire.cut()
    await refused(unheard)
    await healed(far)
    await recordLine(far, auditLine('after'))
    await far.journal.flush()
    const { callIds: ids, sealed } = await wholeJournal(ledger)
    expect(ids).toEqual(['heard', 'unheard', 'after'])
    expect(sealed).toHaveLength(1)
  })

  longTest('does not write a group twice though the first try arrives after the second', async () => {
    const wire = await FaultyConnection.to(Number(new URL(store.address).port))
    onTestFinished(() => wire.close())
    const { ledger: far } = await openBy((url) => {
      url.port = String(wire.port)
    })
    await recordLine(far, auditLine('first'))
    wire.requests = false
    const late = recordLine(far, auditLine('late'))
    await expect.poll(() => wire.waiting).toBeGreaterThan(0)
    wire.cut()
    await refused(late)
    await healed(far)
    await recordLine(far, auditLine('next'))
    await wire.deliver()
    await recordLine(far, auditLine('last'))
    expect(await callIds()).toEqual(['first', 'late', 'next', 'last'])
  })

  /** A wire to the same database, and a ledger that uses it. */
  const throughWire = async () => {
    const wire = await FaultyConnection.to(Number(new URL(store.address).port))
    onTestFinished(() => wire.close())
    const { ledger: far } = await openBy((url) => {
      url.port = String(wire.port)
    })
    return { wire, far }
  }
  const TOOL = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64) }

  test.each(LONG ? ['a record', 'another decision'] : ['a record'])(
    'knows with %s whether a decision counts whose commit was not answered',
    async (next) => {
      const { wire, far } = await throughWire()
      await recordLine(far, auditLine('before'))
      // A commit that takes its time, so that its answer can get lost.
      await ledger.db.query(`CREATE FUNCTION slowly() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$`)
      await ledger.db.query(`CREATE CONSTRAINT TRIGGER slowly AFTER INSERT ON trust DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION slowly()`)
      const decided = far.trust.set(TOOL, 'trusted', 'ann')
      await expect
        .poll(() => ledger.db.query(`SELECT pid FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'`))
        .toHaveLength(1)
      wire.cut()
      await expect(decided).rejects.toBeInstanceOf(LedgerError)
      // At once: whether the decision counts is not certain yet.
      if (next === 'another decision') await far.grants.give(TOOL, 'ann')
      await recordLine(far, auditLine('after'))
      expect(await ledger.trust.decisions()).toHaveLength(1)
      expect(await callIds()).toEqual(['before', 'after'])
      await far.journal.flush()
      await ledger.db.query('DROP TRIGGER slowly ON trust')
      expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: 2 })
    },
  )

  longTest('goes on after a decision whose transaction broke, with nothing of it left', async () => {
    const { wire, far } = await throughWire()
    await recordLine(far, auditLine('before'))
    const decided = far.journal.decide(
      [{ sql: `INSERT INTO trust VALUES ('shop.sell', '1.0.0', 'a', 'trusted', 'ann', 1) RETURNING *` }],
      (rows) => {
        // What is sent from now on arrives, and nobody hears of it.
        wire.answers = false
        return [{ what: 'trust', by: 'ann', table: 'trust', rows: rows.flat() }]
      },
    )
    await expect
      .poll(() =>
        ledger.db.query(`SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO journal_groups%'
      AND state = 'idle in transaction'`),
      )
      .toHaveLength(1)
    wire.cut()
    await expect(decided).rejects.toBeInstanceOf(LedgerError)
    await far.grants.give(TOOL, 'ann')
    await recordLine(far, auditLine('after'))
    await far.journal.flush()
    expect(await ledger.trust.decisions()).toEqual([])
    expect(await callIds()).toEqual(['before', 'after'])
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: 2 })
  })

  /** Somebody holds a lock until the returned function is called. */
  const holding = async (sql: string): Promise<() => Promise<unknown>> => {
    const client = new Client({ connectionString: store.address })
    await client.connect()
    onTestFinished(() => client.end())
    await client.query(`SET search_path TO myrmex; BEGIN; ${sql}`)
    return () => client.query('COMMIT')
  }

  longTest('records while somebody holds the mark, and moves the mark on afterwards', async () => {
    await recordLine(ledger, auditLine('first'))
    await ledger.journal.flush()
    const release = await holding('SELECT * FROM journal_mark FOR UPDATE')
    const mark = () => ledger.db.query('SELECT body FROM journal_mark')
    const before = await mark()
    // Longer than until the next seal.
    for (const until = performance.now() + 300; performance.now() < until; await setImmediate())
      await recordLine(ledger, auditLine('more'))
    expect(await mark()).toEqual(before)
    await release()
    await expect.poll(mark).not.toEqual(before)
    expect(store.failures).toEqual([])
  })

  longTest('records while a decision waits for a row, and has the decision in its order', async () => {
    await ledger.trust.set(TOOL, 'trusted', 'ann')
    const release = await holding('SELECT * FROM trust FOR UPDATE')
    const decided = ledger.trust.set(TOOL, 'verified', 'ann')
    for (const id of names(20, 'call')) await recordLine(ledger, auditLine(id))
    await release()
    await decided
    expect(await callIds()).toEqual(names(20, 'call'))
    expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true })
  })

  longTest('stops when the group that it signed was altered before the mark moved on', async () => {
    await recordLine(ledger, auditLine('one'))
    await ledger.journal.flush()
    const release = await holding('SELECT * FROM journal_mark FOR UPDATE')
    await recordLine(ledger, auditLine('two'))
    // Its seal is in the next group.
    await expect.poll(() => ledger.db.query('SELECT grp FROM journal_groups WHERE grp = 5')).toHaveLength(1)
    await ledger.db.query(`UPDATE journal_groups SET mac = 'forged' WHERE grp = 4`)
    await release()
    await expect.poll(lastFailure).toMatch(/group 4 of chain \w+ was altered or removed after it was written/)
    expect(await ledger.journal.failing?.()).toBe(true)
    await refused(recordLine(ledger, auditLine('three')))
  })

  longTest('waits for its turn, and for no longer than it should', async () => {
    const impatient = await openPostgres(store.address, () => {}, 300)
    onTestFinished(() => impatient.close())
    const holder = await openPostgres(store.address, () => {})
    onTestFinished(() => holder.close())
    await holder.inTransaction(async (run) => {
      await run('LOCK TABLE trust IN ACCESS EXCLUSIVE MODE')
      await expect(impatient.query('SELECT * FROM trust')).rejects.toThrow(
        /took too long; another session may hold a lock/,
      )
    })
    expect(await impatient.query('SELECT * FROM trust')).toEqual([])
  })

  longTest('undoes a change whose connection is killed in the middle of it, and goes on with another', async () => {
    const db = await openPostgres(store.address, () => {})
    onTestFinished(() => db.close())
    const changed = db.inTransaction(async (run) => {
      await run(`INSERT INTO budgets (id, spent) VALUES ('half done', 1)`)
      const [self] = await run<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const pid = self?.pid as number
      await ledger.db.query('SELECT pg_terminate_backend(?)', [pid])
      await expect.poll(() => ledger.db.query('SELECT pid FROM pg_stat_activity WHERE pid = ?', [pid])).toEqual([])
      await run('SELECT 1')
    })
    await expect(changed).rejects.toThrow(/The ledger could not be changed: (PostgreSQL is shutting|the connection)/)
    expect(await db.query('SELECT * FROM budgets')).toEqual([])
  })

  longTest('reports a connection that is lost while idle, and never prints the password', async () => {
    const failures: unknown[] = []
    const db = await openPostgres(store.address, (error) => failures.push(error))
    onTestFinished(() => db.close())
    const [self] = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await ledger.db.query('SELECT pg_terminate_backend(?)', [self?.pid as number])
    await expect
      .poll(() => failures.map(String))
      .toEqual([
        'UnavailableError: The ledger lost a connection: PostgreSQL is shutting down, or somebody ended the connection. ' +
          'Try again, or ask the operator.',
      ])
    expect(inspect(failures, { depth: 20 })).not.toMatch(/seven.{1,3}ants/)
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  longTest('does not wait for a server that says nothing', async () => {
    const wire = await FaultyConnection.to(Number(new URL(store.address).port))
    onTestFinished(() => wire.close())
    const url = new URL(store.address)
    url.port = String(wire.port)
    const db = await openPostgres(url.href, () => {}, 1000)
    onTestFinished(() => db.close())
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    wire.requests = false
    // On the connection that it has, and then on a new one.
    await expect(db.query('SELECT 1 AS one')).rejects.toThrow(/PostgreSQL does not answer/)
    await expect(db.query('SELECT 1 AS one')).rejects.toThrow(/PostgreSQL does not answer/)
    wire.requests = true
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('says that the database is read-only, and writes when it no longer is', async () => {
    await recordLine(ledger, auditLine('early'))
    const admin = await bystander()
    const name = new URL(store.address).pathname.slice(1)
    const others = `FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.db.query(`ALTER DATABASE ${name} SET default_transaction_read_only TO ${value}`)
      // It holds for sessions to come.
      await admin.db.query(`SELECT pg_terminate_backend(pid) ${others}`)
    }
    await setReadOnly('on')
    await expect.poll(() => admin.db.query(`SELECT pid ${others}`)).toEqual([])
    await refused(recordLine(ledger, auditLine('owed')))
    await expect.poll(() => store.failures.map(String).join()).toContain('the database is read-only')
    await setReadOnly('off')
    await healed(ledger)
    expect(await callIds()).toEqual(['early', 'owed'])
  })

  longTest('says that the disk is full, and writes when it no longer is', async () => {
    await recordLine(ledger, auditLine('early'))
    // The server's own error for it, from where it would come.
    await ledger.db.query(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
    await ledger.db.query(
      'CREATE TRIGGER no_room BEFORE INSERT ON journal_groups FOR EACH ROW EXECUTE FUNCTION no_room()',
    )
    await refused(recordLine(ledger, auditLine('owed')))
    expect(lastFailure()).toContain('The ledger could not be used: the disk of PostgreSQL is full')
    expect(await ledger.journal.failing?.()).toBe(true)
    await ledger.db.query('DROP TRIGGER no_room ON journal_groups')
    await healed(ledger)
    await recordLine(ledger, auditLine('after'))
    expect(await callIds()).toEqual(['early', 'owed', 'after'])
  })

  test('refuses a database that cannot hold every text', async () => {
    await ledger.db.query(`CREATE DATABASE old_letters ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`)
    const old = new Store('postgres', server.addressOf('old_letters'), store.folder)
    await expect(old.open()).rejects.toThrow('needs a database in the encoding UTF8, and this one is in LATIN1')
  })

  longTest('says so when its tables are taken away', async () => {
    await recordLine(ledger, auditLine('early'))
    await ledger.db.query('DROP SCHEMA myrmex CASCADE')
    await refused(recordLine(ledger, auditLine('owed')))
    expect(lastFailure()).toContain('its tables are not there')
    await expect(ledger.close()).rejects.toThrow('could not write the last records of the journal')
  })
})
