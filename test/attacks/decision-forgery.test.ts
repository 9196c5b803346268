/**
 * Making verification accept decisions that nobody made. Each attack succeeded once: `verify` called the ledger complete.
 *
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: sets a request to approved in its table, alters it before a person approves it, or lets an approval count twice.
 * Stopped by: `audit verify` compares every call that used an approval with the decisions and requests in the journal, whose groups have
 * a MAC.
 *
 * Attack: puts in a grant for one call and removes it afterwards, or removes a pin so that the host pins another definition.
 * Stopped by: a decision is journalled with the rows as they were before and after it; `audit verify` reports the first difference.
 *
 * Attack: removes a whole chain behind a stub that another key has signed, or writes a break or decisions into a chain that an operator
 * accepts.
 * Stopped by: stubs count only with the key of the ledger; an accepted break covers its own chain and nothing that was written into it.
 */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { LedgerFolder, readSegment } from '@myrmex/testing/ledger/journal-fixture'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, describe, expect, test } from 'vitest'
import { acceptBreak } from '../../packages/myrmex/src/ledger/journal/accept-break.ts'
import { genesis, nextHead } from '../../packages/myrmex/src/ledger/journal/chain.ts'
import { decisionEntry } from '../../packages/myrmex/src/ledger/journal/decision.ts'
import { renderEntry } from '../../packages/myrmex/src/ledger/journal/entry.ts'
import { temporaryKey } from '../../packages/myrmex/src/ledger/journal/key.ts'
import { argsHash } from '../../packages/myrmex/src/ledger/journal/read.ts'
import { goneLine, linesHash, signStub } from '../../packages/myrmex/src/ledger/journal/stub.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

let store: Store
let folder: LedgerFolder
beforeEach(async () => {
  store = await freshStore('sqlite')
  folder = new LedgerFolder(store.folder)
  return () => store.remove()
})

const DEFINITION = { tool: 'shop.refund', version: '1.0.0', hash: 'a' }
const SMALL = { amount: 1 }
const LARGE = { amount: 10_000 }
const call = (args: object) => ({ ...DEFINITION, args_hash: argsHash(args), principal: 'bob' })
const foundOut = async (): Promise<string> => (await folder.verify()).defect?.message ?? 'nothing'
const recordCall = async (ledger: Ledger, id: string, args: object, approval: string): Promise<void> => {
  await recordLine(ledger, auditLine(id, { tool: DEFINITION.tool, time: Date.now(), args, approval }))
  await ledger.journal.flush()
}
const chainOf = (path: string): string => path.split('-').at(-2) ?? ''

describe('approvals', () => {
  let ledger: Ledger
  let approval: string
  beforeEach(async () => {
    ledger = await store.open()
    approval = (await ledger.approvals.request(call(SMALL), JSON.stringify(SMALL), 'it changes state')).id
  })
  const use = async (args: object, id: string): Promise<void> => {
    const used = await ledger.approvals.use(call(args), id)
    await recordCall(ledger, id, args, used?.id ?? 'none')
  }

  test('a used approval that a person gave verifies', async () => {
    await ledger.approvals.approve(approval, 'olga')
    await use(SMALL, 'call-1')
    expect(await foundOut()).toBe('nothing')
  })

  test('a request that somebody sets to approved in the table is found after it was used', async () => {
    folder.sql(`UPDATE approvals SET status = 'approved'`)
    await use(SMALL, 'call-1')
    expect(await foundOut()).toMatch(/^call call-1 ran under approval \w+, which nobody gave/)
  })

  test('a denied request that somebody sets to approved is found after it was used', async () => {
    await ledger.approvals.deny(approval, 'olga')
    folder.sql(`UPDATE approvals SET status = 'approved'`)
    await use(SMALL, 'call-1')
    expect(await foundOut()).toMatch(/^call call-1 ran under approval \w+, which nobody gave/)
  })

  test('a used approval that somebody sets to approved again is found after its second use', async () => {
    await ledger.approvals.approve(approval, 'olga')
    await use(SMALL, 'call-1')
    folder.sql(`UPDATE approvals SET status = 'approved', used_by = NULL`)
    await use(SMALL, 'call-2')
    expect(await foundOut()).toMatch(/^call call-2 ran under approval \w+, which call call-1 had used/)
  })

  test('a request that is altered before a person approves it is found, although the server signs the altered row', async () => {
    folder.sql('UPDATE approvals SET args_hash = ?', argsHash(LARGE))
    await ledger.approvals.approve(approval, 'olga')
    await use(LARGE, 'call-1')
    expect(await foundOut()).toMatch(/^the row of approvals \w+ was altered before decision d-\w+/)
  })

  test('a request that somebody puts in is found, although a person approves it', async () => {
    folder.sql(
      `INSERT INTO approvals (id, tool, version, hash, args_hash, principal, args, reason, status, requested_at, expires_at)
       SELECT 'forged', tool, version, hash, 'other', principal, args, reason, status, requested_at, expires_at FROM approvals`,
    )
    await ledger.approvals.approve('forged', 'olga')
    await ledger.journal.flush()
    expect(await foundOut()).toMatch(/^the row of approvals forged was put in before decision d-\w+/)
  })

  test('an approval that is altered while a call uses it, and put back afterwards, is found', async () => {
    await ledger.approvals.approve(approval, 'olga')
    folder.sql('UPDATE approvals SET args_hash = ?', argsHash(LARGE))
    await use(LARGE, 'call-1')
    folder.sql('UPDATE approvals SET args_hash = ?', argsHash(SMALL))
    expect(await foundOut()).toMatch(/^call call-1 ran under approval \w+, which was given for another call/)
  })
})

describe('grants and pins', () => {
  const PUT_IN = `INSERT INTO grants (id, tool, version, hash, granted_by, granted_at)
    VALUES ('g-forged', 'shop.refund', '1.0.0', 'a', 'olga', 5)`

  test('a grant that is put in for one call and removed afterwards is found', async () => {
    const ledger = await store.open()
    folder.sql(PUT_IN)
    const grant = await ledger.grants.covering(DEFINITION, 'bob')
    await recordCall(ledger, 'call-1', SMALL, grant ?? 'none')
    folder.sql('DELETE FROM grants')
    expect(await foundOut()).toMatch(/^call call-1 ran under grant g-forged, which nobody gave/)
  })

  test('a grant that was put in is found, although an operator revokes it with the others of its tool', async () => {
    const ledger = await store.open()
    folder.sql(PUT_IN)
    await ledger.grants.revoke(DEFINITION.tool, 'olga')
    await ledger.journal.flush()
    expect(await foundOut()).toMatch(/^the row of grants g-forged was put in before decision d-\w+/)
  })

  test('a revoked grant that is valid again for one call is found', async () => {
    const ledger = await store.open()
    const { id } = await ledger.grants.give(DEFINITION, 'olga')
    await ledger.grants.revoke(DEFINITION.tool, 'olga')
    const late = auditLine('call-1', { tool: DEFINITION.tool, time: Date.now() + 60_000, approval: id })
    await recordLine(ledger, late)
    await ledger.journal.flush()
    expect(await foundOut()).toMatch(/^call call-1 ran under grant g-\w+ after it had been revoked/)
  })

  test('a pin that is removed so that the host pins another definition is found', async () => {
    const ledger = await store.open()
    const pin = (hash: string, time: number) =>
      ledger.journal.decide([], () => [
        {
          what: 'pin',
          by: { name: 'host', from: 'host' },
          table: 'trust',
          rows: [{ ...DEFINITION, hash, level: 'untrusted', set_by: 'first sight', set_at: time }],
        },
      ])
    await pin('first', 1)
    await pin('second', 2)
    folder.sql(
      `INSERT INTO trust (tool, version, hash, level, set_by, set_at)
       VALUES ('shop.refund', '1.0.0', 'second', 'untrusted', 'first sight', 2)`,
    )
    await ledger.journal.flush()
    expect(await foundOut()).toMatch(/^the row of trust shop.refund 1.0.0 was altered or removed before decision d-\w+/)
  })
})

test('a chain cannot be removed with a stub that another key has signed, although the ledger’s list has that key', async () => {
  for (const name of ['one', 'two']) {
    const ledger = await store.open()
    await recordLine(ledger, auditLine(name))
    await ledger.close()
  }
  const [path = ''] = folder.segments()
  const chain = chainOf(path)
  const { groups } = readSegment(path)
  const { journal } = JSON.parse(groups[0]?.[0] ?? '') as { journal: string }
  const texts = groups.map((lines) => `${lines.slice(0, -1).join('\n')}\n`)
  const line = goneLine(chain, texts.reduce(nextHead, genesis(journal, chain)))
  const forger = temporaryKey()
  const lines = { count: 1, hash: linesHash('', line) }
  const stub = signStub({ journal, time: 1, records: 1, chains: {}, links: {}, lines, removed: {} }, forger)
  rmSync(path)
  folder.sql('INSERT INTO keys (key_id, public_key, first_used) VALUES (?, ?, 1)', forger.id, forger.publicPem)
  folder.sql('INSERT INTO journal_stub VALUES (1, ?, ?, ?)', stub.body, stub.key_id, stub.signature)
  folder.sql('INSERT INTO journal_kept VALUES (1, ?)', line)
  expect(await foundOut()).toMatch(
    /^the stub of what retention removed is signed by key \w+, and the ledger's key is \w+$/,
  )
})

describe('an altered chain that an operator has accepted as it is', () => {
  const accept = async (): Promise<void> => {
    const ledger = await store.open({ acceptBreak: 'same key' })
    await acceptBreak(ledger, 'olga', 'looked into it')
    await ledger.close()
  }
  beforeEach(async () => {
    for (const name of ['one', 'two', 'three']) {
      const ledger = await store.open()
      await recordLine(ledger, auditLine(name))
      await ledger.close()
    }
  })

  test('does not excuse other chains by a break that somebody wrote into it', async () => {
    const [first = '', second = ''] = folder.segments()
    const forged = readFileSync(first, 'utf8').replace('"one"', '"eno"')
    const digest = createHash('sha256').update(forged).digest('base64url')
    const chains = { [chainOf(first)]: { defect: 'none', digest } }
    const entry = renderEntry({ kind: 'break', time: 1, by: 'olga', from: 'cli', reason: 'fine', mark: null, chains })
    writeFileSync(second, readFileSync(second, 'utf8').replace('{"args"', `${entry}{"args"`))
    await accept()
    expect(await foundOut()).toBe('nothing')
    writeFileSync(first, forged)
    expect(await foundOut()).toMatch(/was altered: its MAC does not match$/)
  })

  test('does not count with the decisions that somebody wrote into it', async () => {
    const [, second = ''] = folder.segments()
    const row = { id: 'g-forged', ...DEFINITION, principal: null, granted_by: 'olga', granted_at: 5 }
    const rows = [{ ...row, expires_at: null, revoked_by: null, revoked_at: null }]
    const entry = renderEntry(decisionEntry({ what: 'grant', by: 'olga', table: 'grants', rows }))
    const text = readFileSync(second, 'utf8').replace('{"args"', `${entry}{"args"`)
    // A chain of another key has no MACs that could be checked.
    writeFileSync(second, text.replace(/"key":"\w+"/, '"key":"0123456789abcdef"'))
    await accept()
    expect(await foundOut()).toBe('nothing')
    folder.sql(`INSERT INTO grants (id, tool, version, hash, granted_by, granted_at)
      VALUES ('g-forged', 'shop.refund', '1.0.0', 'a', 'olga', 5)`)
    expect(await foundOut()).toMatch(
      /^the row of grants g-forged was put in: the journal has no decision about it; run myrmex audit reindex --decisions to remove it$/,
    )
  })

  test('can be a chain without signatures: it is reported, and the rest verifies', async () => {
    const [path = ''] = folder.segments()
    const chain = chainOf(path)
    const text = readFileSync(path, 'utf8').split('\n').slice(0, 4).join('\n').replaceAll(chain, 'ffffffffffff')
    writeFileSync(path.replace(chain, 'ffffffffffff'), `${text.replace(/"key":"\w+"/, '"key":"0123456789abcdef"')}\n`)
    expect(await foundOut()).toMatch(/neither in the mark nor linked to/)
    await accept()
    const { ok, notices } = await folder.verify()
    expect({ ok, notices }).toEqual({
      ok: true,
      notices: [expect.stringMatching(/^chain ffffffffffff does not verify/)],
    })
  })
})
