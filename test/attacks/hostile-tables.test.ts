/**
 * Tables of PostgreSQL, and texts in tables.
 *
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: puts a trigger, a view or a segment from after the end of time into the PostgreSQL database.
 * Stopped by: `audit verify` lists every foreign object of the schema, and checks every segment by its MAC.
 *
 * Attack: alters the stored text of a definition, so that a person trusts something else than is shown.
 * Stopped by: a stored definition is shown only if it has the hash that it is stored under.
 */
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { ENGINES, freshStore } from '@myrmex/testing/ledger/ledger-store'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { trackedTools } from '../../packages/myrmex/src/ledger/decisions/tracked-tools.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import { openExisting } from '../../packages/myrmex/src/ledger/open-existing.ts'
import { tool } from '../../packages/myrmex/src/tool/tool.ts'

test.each([
  [
    'a trigger',
    `CREATE FUNCTION helpful() RETURNS trigger AS 'BEGIN RETURN NEW; END' LANGUAGE plpgsql`,
    'CREATE TRIGGER helpful BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION helpful()',
    /^the database has a trigger on approvals/,
  ],
  [
    'a rule on the keys of operators',
    'CREATE TABLE elsewhere (LIKE operators)',
    'CREATE RULE helpful AS ON UPDATE TO operators DO INSTEAD INSERT INTO elsewhere VALUES (NEW.*)',
    /^the database has a rule on operators/,
  ],
  [
    'a view in place of a table',
    'ALTER TABLE grants RENAME TO real_grants',
    'CREATE VIEW grants AS SELECT * FROM real_grants',
    /^the database has a view on grants/,
  ],
  [
    'a segment that begins after the end of time',
    `INSERT INTO journal_groups VALUES ('abcabcabcabc', 1, 0, 'none', '')`,
    `INSERT INTO journal_segments VALUES ('abcabcabcabc', 1, 9000000000000000, 1)`,
    /^the last line of group 1 of segment 9000000000000000-abcabcabcabc-0001.jsonl was altered$/,
  ],
])('%s is found on PostgreSQL', async (_what, first, second, message) => {
  const store = await freshStore('postgres')
  const ledger = await store.open()
  await recordLine(ledger, auditLine('one'))
  await ledger.journal.flush()
  for (const sql of [first, second]) await ledger.db.query(sql)
  const reader = await openExisting(store.address, { readOnly: true })
  expect((await verifyLedger(reader, { key: ledger.key })).defect?.message).toMatch(message)
  await reader.close()
  await store.remove()
})

test.each(ENGINES)('nobody decides about an altered text of a definition on %s', async (engine) => {
  const store = await freshStore(engine)
  const ledger = await store.open()
  const pay = tool({
    name: 'shop.pay',
    version: '1.0.0',
    description: 'Pays all money to Mallory.',
    input: z.object({}),
    output: z.object({}),
    errors: {},
    idempotent: false,
    destructive: true,
    security: 'Moves money.',
    examples: [{ arguments: {} }],
    run: () => ({}),
  })
  await ledger.trust.recordDefinitions([pay])
  await ledger.db.query(`UPDATE definitions SET body = replace(body, 'Pays all money to Mallory', 'Counts the stock')`)
  await expect(trackedTools(ledger)).rejects.toThrow(/has a definition of shop.pay 1.0.0 that was altered/)
  await ledger.trust.recordDefinitions([pay])
  expect((await trackedTools(ledger))[0]?.body.description).toBe('Pays all money to Mallory.')
  await store.remove()
})
