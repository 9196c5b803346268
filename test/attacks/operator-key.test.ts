/**
 * Attacker: a child process of the same user
 * Attack: reads the operator's credential from `api.json` and trusts itself over `/api`.
 * Stopped by: in a locked ledger that token only reads status. Deciding needs a session, which the passphrase opens.
 *
 * Attack: runs the deciding commands of the command line.
 * Stopped by: they ask for the passphrase at the terminal.
 *
 * Attack: writes rows of trust, grants and approvals into the store while a host runs.
 * Stopped by: decisions that raise rights count only with a signature of the operator's key.
 *
 * Attack: exchanges a request for approval after the operator has read it and before the passphrase is typed.
 * Stopped by: only the call that was shown is signed. If the stored one differs, nothing is decided.
 *
 * Attack: raises its trust in `myrmex.json`, which the host reloads.
 * Stopped by: in a locked ledger the file alone raises nothing.
 */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AttackedHost, PASSPHRASE } from '@myrmex/testing/attacks/attacked-host'
import { FLEET, ORDER, openRunsFolder, runIdIn } from '@myrmex/testing/cli/run-command'
import { ledgerFile } from '@myrmex/testing/gated-server'
import { longTest } from '@myrmex/testing/long'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { decideApprovals } from '../../packages/myrmex/src/cli/approvals/decide.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import {
  lockLedger,
  signDecisions,
  unlockSigner,
  unsignedDecisions,
} from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

// Every test starts several processes, and other work may share the machine.
vi.setConfig({ testTimeout: 60_000 })

describe('A child can approve itself', () => {
  const attacked = async (trust = 'none'): Promise<AttackedHost> => {
    const host = new AttackedHost()
    await host.lock()
    host.configure(trust)
    await host.start()
    const { hash } = await host.pinned()
    writeFileSync(`${host.log}.hash`, hash)
    return host
  }
  const refused = async (host: AttackedHost): Promise<void> => {
    expect(await host.pay()).toMatchObject({ status: 'failure', error: { error_type: 'PermissionError' } })
    expect(host.payments).toEqual([])
  }

  test('(a) a stdio upstream reads api.json and trusts itself over /api', async () => {
    const host = await attacked()
    expect(await host.attempts()).toMatch(/^trust 40[13] /)
    await refused(host)
  })

  test('(b) a process of the same user runs myrmex trust and myrmex approvals approve', async () => {
    const host = await attacked()
    const trusted = await host.myrmex('trust', 'bad.pay', '--yes', '--despite-findings', '--open')
    expect([trusted.code, trusted.stderr]).toEqual([1, expect.stringContaining('no terminal')])
    await refused(host)
    const { version, hash } = await host.pinned()
    host.sql("UPDATE trust SET level = 'trusted', set_by = 'me' WHERE tool = 'bad.pay'")
    host.sql(
      `INSERT INTO approvals (id, tool, version, hash, args_hash, principal, args, reason, status, requested_at, expires_at)
       VALUES ('forged', 'bad.pay', ?, ?, 'x', 'local', '{}', 'x', 'waiting', 1, 9999999999999)`,
      version,
      hash,
    )
    const approved = await host.myrmex('approvals', 'approve', 'forged')
    expect([approved.code, approved.stderr]).toEqual([1, expect.stringContaining('no terminal')])
  })

  longTest('(c) a process writes trust, a grant and an approval into the SQLite file', async () => {
    const host = await attacked()
    const { version, hash } = await host.pinned()
    host.sql("UPDATE trust SET level = 'trusted', set_by = 'me' WHERE tool = 'bad.pay'")
    host.sql(
      `INSERT INTO grants (id, tool, version, hash, granted_by, granted_at) VALUES ('g-forged', 'bad.pay', ?, ?, 'me', 1)`,
      version,
      hash,
    )
    await refused(host)
  })

  test('a process exchanges a request while the operator types the passphrase', async () => {
    const file = ledgerFile()
    const before = await file.open()
    await lockLedger(before, PASSPHRASE, 'olga', 2 ** 14)
    await before.close()
    const ledger = await file.open()
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { exitCode } = process
    onTestFinished(() => {
      vi.restoreAllMocks()
      process.exitCode = exitCode
    })
    const call = { tool: 'bad.pay', version: '1.0.0', hash: 'h', args_hash: 'small', principal: 'local' }
    /** Returns the row after the command. `change` happens while the passphrase is typed. */
    const approved = async (change: (id: string) => unknown) => {
      const { id } = await ledger.approvals.request(call, '{"amount":10}', 'it pays')
      const ask = async (): Promise<string> => {
        await change(id)
        return PASSPHRASE
      }
      const terminal = { ask, tell: () => {}, close: () => {} }
      await decideApprovals('approve', [id], { ledger: file.path }, { open: async () => terminal })
      return ledger.approvals.find(id)
    }
    const exchanged = { args_hash: 'large', args: '{"amount":4000}', tool: 'worse.pay', hash: 'x', principal: 'me' }
    for (const [column, value] of Object.entries(exchanged)) {
      const row = await approved((id) =>
        ledger.db.query(`UPDATE approvals SET ${column} = ? WHERE id = ?`, [value, id]),
      )
      expect(row, column).toMatchObject({ status: 'waiting', [column]: value })
    }
    expect(await approved(() => {})).toMatchObject({ status: 'approved', args_hash: 'small' })
  })

  longTest('(d) a process edits myrmex.json, which the host reloads', async () => {
    const host = await attacked()
    host.configure('trusted', { host: { open: true } })
    await host.says(/(reloaded)/)
    await refused(host)
    await host.says(/(1 tool cannot be called until you sign the trust that myrmex\.json gives: bad\.pay)/)
    // What the operator signs then runs.
    await host.signAll()
    expect(await host.pay()).toMatchObject({ status: 'success' })
    // Lower and higher again: that waits for another signature.
    for (const trust of ['none', 'trusted']) {
      host.said = ''
      host.configure(trust)
      await host.says(/(reloaded)/)
    }
    expect(await host.pay()).toMatchObject({ status: 'failure', error: { error_type: 'PermissionError' } })
    expect(host.payments).toEqual(['paid 1'])
  })

  longTest('a process adds a module to myrmex.json, which would run in the host itself', async () => {
    const host = await attacked()
    const module = join(host.folder, 'evil.tools.mjs')
    writeFileSync(
      module,
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(host.book)}, 'loaded')\n`,
    )
    host.configure('none', {}, { evil: { module } })
    await host.says(/(evil: its module is loaded after a restart, because the ledger is locked)/)
    expect(host.payments).toEqual([])
  })

  longTest('a process writes into the events of a run that its plan is approved', async () => {
    const shop = await openRunsFolder()
    await lockLedger(shop.ledger, PASSPHRASE, 'ada', 2 ** 14)
    const ledger = await openLedger(shop.address, { keyFile: join(dirname(shop.address), 'ledger.key') })
    onTestFinished(() => ledger.close())
    const by = { name: 'ada', from: 'cli', signer: await unlockSigner(ledger.lock, PASSPHRASE) } as const
    await signDecisions(ledger, await unsignedDecisions(ledger), by)
    const run = runIdIn((await shop.myrmex(ORDER)).stdout)
    const [waiting] = await ledger.approvals.list('waiting')
    await ledger.db.query(`UPDATE approvals SET status = 'used', used_by = ?, decided_by = 'ada', decided_at = 1`, [
      run,
    ])
    const decided = { approval: waiting?.id, about: 'plan', status: 'approved', by: 'ada', note: '' }
    await ledger.db.query(
      `INSERT INTO run_events (run, seq, time, term, kind, step, body)
       SELECT run, max(seq) + 1, max(time), max(term), 'decided', NULL, ? FROM run_events WHERE run = ? GROUP BY run`,
      [JSON.stringify(decided), run],
    )
    await ledger.db.query(`UPDATE runs SET status = 'running' WHERE id = ?`, [run])
    const resumed = await shop.myrmex(['runs', 'resume', run, '--fleet', FLEET])
    expect(resumed).toMatchObject({ code: 3, stdout: expect.stringContaining('Waiting for approval') })
    expect(shop.book).toEqual([])
    const [again] = await ledger.approvals.list('waiting')
    await ledger.approvals.approve(again?.id as string, by)
    expect((await shop.myrmex(['runs', 'resume', run, '--fleet', FLEET])).code).toBe(0)
    expect(shop.book).toHaveLength(1)
  })

  test('a program pipes answers into myrmex run --approve all', async () => {
    const shop = await openRunsFolder()
    await lockLedger(shop.ledger, PASSPHRASE, 'ada', 2 ** 14)
    const end = await shop.withoutTerminal([...ORDER, '--approve', 'all'], `${PASSPHRASE}\n`)
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining('there is no terminal to ask for it')])
    expect(shop.book).toEqual([])
  })

  test('without an operator’s key the host says so, and trusts no destructive tool of an upstream unless --open says that', async () => {
    const host = new AttackedHost()
    // In open mode it would succeed: that is what the host says.
    host.isPassive = true
    host.configure('trusted')
    await host.start()
    expect(host.said).toContain('open mode: any process of this user can approve and trust')
    expect((await host.myrmex('host', 'status')).stdout).toContain('open mode')
    await refused(host)
    await host.stop()
    await host.start('--open')
    expect(await host.pay()).toMatchObject({ status: 'success' })
  })
})
