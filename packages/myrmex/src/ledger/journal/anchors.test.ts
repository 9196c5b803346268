/** Anchors in real places: a file, a program, an HTTP endpoint; and places that fail. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLine, recordLine } from '@myrmex/testing/ledger/audit-chain'
import { LedgerFolder } from '@myrmex/testing/ledger/journal-fixture'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Ledger } from '../ledger.ts'
import { openLedger } from '../open.ts'
import { readAnchors } from './anchor-file.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-anchors-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

let count = 0
let folder: LedgerFolder
let ledger: Ledger
let failures: Error[]
const place = (name: string): string => join(FOLDER, `${count}-${name}`)

beforeEach(async () => {
  folder = new LedgerFolder(join(FOLDER, String(++count)))
  ledger = await openLedger(folder.address)
  failures = []
})
afterEach(() => ledger.close())

const start = (...places: Parameters<Ledger['startAnchors']>[0]): void =>
  ledger.startAnchors(places, 20, (error) => failures.push(error as Error))

const record = (id: string): Promise<void> => recordLine(ledger, auditLine(id))

test('a file gets a signed mark every so often while there is something new, and the last one at the end', async () => {
  start({ file: place('anchors') })
  await record('one')
  await ledger.journal.flush()
  await expect.poll(() => readAnchors(place('anchors')).catch(() => [])).toHaveLength(1)
  await record('two')
  await ledger.close()
  const anchors = await readAnchors(place('anchors'))
  expect(anchors).toHaveLength(2)
  expect(JSON.parse(anchors[1]?.body ?? '').chains).toEqual({
    [Object.keys(JSON.parse(anchors[0]?.body ?? '').chains)[0] ?? '']: expect.objectContaining({ closed: true }),
  })
  expect(await folder.verify({ anchors })).toMatchObject({ ok: true })
  expect(failures).toEqual([])
})

test('a program gets it on its input, and an address as JSON with its token', async () => {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    expect(request.headers.authorization).toBe('Bearer t0ken-of-anchors')
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  process.env.ANCHOR_TOKEN = 't0ken-of-anchors'
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/anchors`
  const script = `require('fs').appendFileSync(${JSON.stringify(place('by-program'))}, require('fs').readFileSync(0))`
  start({ command: [process.execPath, '-e', script] }, { url, token_env: 'ANCHOR_TOKEN' })
  await record('one')
  await ledger.close()
  const [stored] = await readAnchors(place('by-program'))
  expect(JSON.parse(bodies.at(-1) ?? '')).toEqual(stored)
  expect(failures).toEqual([])
})

test('a place that is gone is reported, stops nobody, and gets what it missed when it is back', async () => {
  const away = join(place('no-such-folder'), 'anchors')
  start({ file: away }, { command: ['/no/such/program'] }, { url: 'http://127.0.0.1:1/' }, { file: place('there') })
  await record('one')
  await ledger.journal.flush()
  await expect.poll(() => failures.length).toBeGreaterThan(2)
  const texts = failures.map(String).join('\n')
  expect(texts).toContain(`an anchor could not be stored (${away})`)
  expect(texts).toContain('an anchor could not be stored (/no/such/program)')
  expect(texts).toContain('an anchor could not be stored (http://127.0.0.1:1)')
  await record('two')
  await ledger.close()
  expect((await readAnchors(place('there'))).length).toBeGreaterThan(0)
})

test('anchors of another journal, altered ones and files without any are errors', async () => {
  start({ file: place('anchors') })
  await record('one')
  await ledger.close()
  const [anchor] = await readAnchors(place('anchors'))
  expect(readFileSync(place('anchors'), 'utf8')).not.toContain('PRIVATE')
  const altered = { ...anchor, body: anchor?.body.replace('"group":3', '"group":2') ?? '' } as never
  expect((await folder.verify({ anchors: [altered] })).defect?.message).toMatch(
    /^an anchor was altered or forged: its signature does not fit/,
  )
  const other = new LedgerFolder(join(FOLDER, String(++count)))
  const second = await openLedger(other.address, { keyFile: join(folder.path, 'ledger.key') })
  await recordLine(second, auditLine('elsewhere'))
  await second.close()
  const key = (await import('../open.ts')).existingKey(folder.address)
  expect((await other.verify({ anchors: [anchor as never], key })).defect?.message).toMatch(
    /^the anchor of \S+ is of another journal/,
  )
  writeFileSync(place('empty'), '\n')
  await expect(readAnchors(place('empty'))).rejects.toThrow(/has no anchors/)
  writeFileSync(place('wrong'), 'Dear diary\n')
  await expect(readAnchors(place('wrong'))).rejects.toThrow(/wrong, line 1 is not an anchor/)
  await expect(readAnchors(place('missing'))).rejects.toThrow(/cannot be read/)
})

test('somebody with the key who rewrites everything is found by an anchor from before', async () => {
  start({ file: place('anchors') })
  await record('honest')
  await ledger.close()
  const anchors = await readAnchors(place('anchors'))
  // The forger has the store and the key: a new journal under the same id would need the old heads.
  rmSync(join(folder.path, 'ledger.journal'), { recursive: true })
  folder.sql('DELETE FROM journal_mark')
  const forger = await openLedger(folder.address)
  await recordLine(forger, auditLine('forged'))
  await forger.close()
  expect(await folder.verify()).toMatchObject({ ok: true })
  expect(await folder.verify({ anchors })).toMatchObject({ ok: false, defect: { kind: 'anchor' } })
})
