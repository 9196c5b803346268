/** Somebody who may write everything, and has a key of their own instead of the ledger's, adds chains that would excuse their changes. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { beforeEach, expect, test } from 'vitest'
import { renderRecord } from '../audit/call-record.ts'
import type { Ledger } from '../ledger.ts'
import { journalFolder, openLedger } from '../open.ts'
import { acceptBreak } from './accept-break.ts'
import type { ChainLinks } from './chain.ts'
import { ChainWriter } from './chain-writer.ts'
import { decisionEntry } from './decision.ts'
import { renderEntry } from './entry.ts'
import { JournalFolder } from './folder.ts'
import { type LedgerKey, temporaryKey } from './key.ts'
import { parseTrustedKey } from './keyring.ts'
import { type Mark, newMark, parseMark, SELECT_MARK, type SignedMark, STORE_MARK, signMark } from './mark.ts'
import { chainDigest } from './stored-chains.ts'
import { verifyLedger } from './verify.ts'

let store: Store
let ledger: Ledger
let forger: LedgerKey

beforeEach(async () => {
  store = await freshStore('sqlite')
  ledger = await store.open()
  forger = temporaryKey()
  await ledger.trust.set({ tool: 'shop.refund', version: '1.0.0', hash: 'a' }, 'untrusted', 'olga')
  await recordLine(ledger, auditLine('one'))
  await recordLine(ledger, auditLine('two'))
  await ledger.journal.flush()
  return () => store.remove()
})

const folder = (): JournalFolder => new JournalFolder(journalFolder(store.address))
const markOf = async (): Promise<Mark> => {
  const [signed] = await ledger.db.query<SignedMark>(SELECT_MARK)
  return parseMark(signed?.body ?? '') as Mark
}

/** The ledger's own list of keys names the forger's too. */
const nameKey = async (): Promise<void> => {
  await ledger.db.query('INSERT INTO keys (key_id, public_key, first_used) VALUES (?, ?, 1)', [
    forger.id,
    forger.publicPem,
  ])
}

const forgedChain = async (links: ChainLinks = {}): Promise<ChainWriter> =>
  new ChainWriter((await markOf()).journal, links, forger, folder())

const alterRecord = (): void => {
  const [name = ''] = readdirSync(journalFolder(store.address)).filter((one) => one.endsWith('.jsonl'))
  const path = join(journalFolder(store.address), name)
  writeFileSync(path, readFileSync(path, 'utf8').replace('"one"', '"eno"'))
}

const expectFoundOut = async (kind: RegExp, ways: ('key' | 'pin' | 'nothing')[]): Promise<void> => {
  const options = {
    key: { key: ledger.key },
    pin: { trustedKeys: [parseTrustedKey(ledger.key.publicPem)] },
    nothing: {},
  }
  for (const way of ways) expect((await verifyLedger(ledger, options[way])).defect?.kind ?? 'none', way).toMatch(kind)
}

test('the ledger is whole before anything is done to it', async () => {
  expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject({ ok: true, records: 2, keyed: true })
})

test('an acceptance of a break that nobody has signed excuses nothing', async () => {
  alterRecord()
  const [segment] = await folder().segments()
  if (segment === undefined) throw new Error('there is no segment')
  const chains = { [segment.chain]: { defect: 'none', digest: await chainDigest(folder(), [segment]) } }
  const forged = await forgedChain()
  forged.append(renderEntry({ kind: 'break', time: 1, by: 'olga', from: 'cli', reason: 'fine', mark: null, chains }))
  await expectFoundOut(/altered|signature/, ['key', 'pin', 'nothing'])
  await nameKey()
  forged.seal(newMark(), true)
  await expectFoundOut(/altered|signature/, ['key', 'pin'])
  await expectFoundOut(/mark/, ['nothing'])
})

test('a decision that nobody has signed excuses no change of a table', async () => {
  await ledger.db.query(
    `UPDATE trust SET level = 'trusted', set_at = set_at + 1 WHERE tool = 'shop.refund' RETURNING tool`,
  )
  const rows = await ledger.db.query('SELECT tool, version, hash, level, set_by, set_at FROM trust')
  const forged = await forgedChain()
  forged.append(renderEntry(decisionEntry({ what: 'trust', by: 'olga', table: 'trust', rows })))
  await expectFoundOut(/signature|mark/, ['key', 'pin', 'nothing'])
  await nameKey()
  forged.seal(newMark(), true)
  await expectFoundOut(/signature|mark/, ['key', 'pin'])
  await expectFoundOut(/mark/, ['nothing'])
})

test('chains that link to each other are not part of the journal', async () => {
  await nameKey()
  const [one, two] = [await forgedChain(), await forgedChain()]
  const markOf = (chain: ChainWriter): Mark => ({ ...newMark(), chains: { [chain.id]: chain.mark(false) } })
  for (const chain of [one, two]) chain.append(`${renderRecord(auditLine(`forged-${chain.id}`))}`)
  const first = markOf(two)
  two.seal(markOf(one), false)
  one.seal(first, true)
  await expectFoundOut(/signature|mark/, ['key', 'pin'])
  await expectFoundOut(/mark/, ['nothing'])
})

test('a mark by another key, with a journal by that key, is not that of this ledger', async () => {
  await nameKey()
  const mark = await markOf()
  const forged = await forgedChain()
  forged.append(renderRecord(auditLine('forged')))
  forged.seal(newMark(), true)
  const { body, key_id, signature } = signMark({ ...mark, chains: { [forged.id]: forged.mark(true) } }, forger)
  await ledger.db.query(`${STORE_MARK} RETURNING id`, [body, key_id, signature])
  await expectFoundOut(/mark/, ['key', 'pin'])
  await ledger.close().catch(() => {})
})

test('a ledger whose key is lost goes on with another one once that was accepted, and vouches for what was before', async () => {
  await ledger.close()
  rmSync(store.keyFile)
  await expect(store.open()).rejects.toThrow('ledger.key does not exist')
  const options = { keyFile: store.keyFile, acceptBreak: 'new key' } as const
  const accepting = await openLedger(store.address, options)
  const found = await acceptBreak(accepting, 'ada', 'the key is lost')
  await accepting.close()
  expect(found).toEqual({ mark: expect.stringContaining('is signed by key'), broken: [] })
  ledger = await store.open()
  await recordLine(ledger, auditLine('three'))
  await ledger.journal.flush()
  const whole = { ok: true, records: 3, unsigned_records: 0, keyed: false }
  expect(await verifyLedger(ledger, { key: ledger.key })).toMatchObject(whole)
  // What was vouched for must stay.
  const path = join(journalFolder(store.address), readdirSync(journalFolder(store.address)).sort()[0] ?? '')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/.*\n.*\n$/, ''))
  await expectFoundOut(/missing/, ['key'])
})

test('a chain that says who comes before it vouches for that only if it is signed itself', async () => {
  // A group after the mark, with a MAC that only the ledger's key could tell from a true one.
  const [segment] = await folder().segments()
  if (segment === undefined) throw new Error('there is no segment')
  const mark = (await markOf()).chains[segment.chain]
  if (mark === undefined) throw new Error('the mark does not have the chain')
  const { nextHead, groupText } = await import('./chain.ts')
  const lines = renderRecord(auditLine('forged'))
  const head = nextHead(mark, lines)
  const path = join(journalFolder(store.address), readdirSync(journalFolder(store.address))[0] ?? '')
  writeFileSync(path, groupText(head.group, lines, forger.groupMac(head.hash)), { flag: 'a' })
  await forgedChain({ [segment.chain]: [head.group, head.hash] })
  await expectFoundOut(/signature|mark/, ['pin', 'nothing'])
  await expectFoundOut(/altered/, ['key'])
})
