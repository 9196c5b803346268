/** An export that proves itself, and what somebody may do to such a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LedgerFolder, makeLedgerFolder } from '@myrmex/testing/ledger/journal-fixture'
import { LedgerProcess } from '@myrmex/testing/ledger/ledger-process'
import { EMBEDDED_FIRST, freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { BEGIN, recordGroup, recordSample, sampleLine } from '@myrmex/testing/ledger/sample-audit'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expandRecord } from '../audit/call-record.ts'
import type { Ledger } from '../ledger.ts'
import { openLedger } from '../open.ts'
import { openExisting } from '../open-existing.ts'
import { acceptBreak } from './accept-break.ts'
import { type ChainHead, genesis, nextHead } from './chain.ts'
import type { FileOptions } from './file-check.ts'
import { loadKey, temporaryKey } from './key.ts'
import { parseTrustedKey } from './keyring.ts'
import { type ProofOptions, proofLines } from './proof.ts'
import { readRecords } from './read.ts'
import { prune } from './retention.ts'
import { linesOfFile, verifyFile } from './verify-file.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-proof-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const ALWAYS = Date.UTC(2040, 0, 1)
const NAMED_BY_FILE = 'the keys are those that the file itself names: --key checks whose they are'

async function exported({ db, journal }: Ledger, options: ProofOptions = {}): Promise<string[]> {
  const texts = await Array.fromAsync(proofLines({ db, store: journal.store }, options))
  return texts.join('\n').split('\n')
}

async function exportedFrom(folder: LedgerFolder, options: ProofOptions = {}): Promise<string[]> {
  const ledger = await openExisting(folder.address, { readOnly: true })
  try {
    return await exported(ledger, options)
  } finally {
    await ledger.close()
  }
}

const verdictOn = (lines: Iterable<string>, options?: FileOptions) =>
  verifyFile(
    (async function* () {
      yield* lines
    })(),
    options,
  )

describe.each(EMBEDDED_FIRST)('an export on %s', (engine) => {
  let store: Store
  let ledger: Ledger

  beforeEach(async () => {
    store = await freshStore(engine)
    ledger = await store.open()
    return () => store.remove()
  })

  const GROUPS = Array.from({ length: 8 }, (_, index) => ({ lines: 1 + (index % 3), sealed: index % 2 === 1 }))

  test('verifies without the ledger, by the key that it names or by one that was brought', async () => {
    await recordSample(ledger, GROUPS)
    const file = await exported(ledger)
    const report = await verdictOn(file)
    expect(report).toMatchObject({ ok: true, defect: null, chains: 1, records: 15, unsigned_records: 0, keyed: false })
    expect(report.notices).toEqual([NAMED_BY_FILE])
    expect(report.seals).toEqual({ [ledger.key.id]: 4 })
    for (const pin of [ledger.key.id, ledger.key.publicPem])
      expect(await verdictOn(file, { trustedKeys: [parseTrustedKey(pin)] })).toMatchObject({ ok: true, notices: [] })
    const other = await verdictOn(file, { trustedKeys: [parseTrustedKey(temporaryKey().publicPem)] })
    expect(other.defect?.message).toMatch(/^the mark of the journal was altered or forged: its signature is by key/)
  })

  test('has every record, for everybody who reads JSON lines', async () => {
    await recordSample(ledger, GROUPS)
    let before: { call_id: string } | undefined
    const records = (await exported(ledger)).flatMap((line) => {
      const stored = JSON.parse(line)
      if (stored.group !== undefined) before = undefined
      if (stored.call_id === undefined) return []
      before = expandRecord<{ call_id: string }>(stored, before)
      return [before]
    })
    const all = await Array.fromAsync(readRecords(ledger.journal.store))
    expect(all).toMatchObject(records)
    expect(records).toHaveLength(15)
  })

  test('of an empty ledger verifies too', async () => {
    expect(await exported(ledger)).toHaveLength(3)
    expect(await verdictOn(await exported(ledger))).toMatchObject({ ok: true, chains: 0, records: 0 })
    const heads = [{ chain: 'abcdef012345', group: 1, hash: 'A'.repeat(43) }]
    expect(await verdictOn(await exported(ledger), { heads })).toMatchObject({ ok: false })
  })

  test('of a period verifies from where it begins to the signature that covers it, and says that it is a part', async () => {
    await recordSample(ledger, GROUPS, 1000)
    const part = await exported(ledger, { since: BEGIN + 3000, until: BEGIN + 4000 })
    const ids = part.flatMap((line) => JSON.parse(line).call_id ?? [])
    expect(ids).toEqual(['call-7', 'call-8', 'call-9', 'call-10', 'call-11', 'call-12'].slice(0, ids.length))
    const report = await verdictOn(part)
    expect(report).toMatchObject({ ok: true, unsigned_records: 0, records: ids.length })
    expect(report.notices).toEqual([expect.stringMatching(/^the file has a part of the journal/), NAMED_BY_FILE])
    expect(await verdictOn(await exported(ledger, { since: BEGIN + 60_000 }))).toMatchObject({ ok: true, records: 0 })
    const all = await verdictOn(await exported(ledger, { since: 0 }))
    expect(all).toMatchObject({ ok: true, records: 15 })
  })

  test('verifies while others write, begin and end', async () => {
    const defects: unknown[] = []
    let isDone = false
    const busy = (async () => {
      for (let round = 0; round < 60; round++) {
        const other = await store.open()
        await recordGroup(other, [sampleLine(round), sampleLine(round)])
        await recordGroup(ledger, [sampleLine(round)])
        await other.close()
      }
    })().finally(() => {
      isDone = true
    })
    while (!isDone) {
      defects.push((await verdictOn(await exported(ledger))).defect)
      // Opening a ledger reads a file, which takes a turn.
      await new Promise(setImmediate)
    }
    await busy
    expect(defects.length).toBeGreaterThan(1)
    expect(defects.filter((defect) => defect !== null)).toEqual([])
  })

  test('has heads and anchors compared with it', async () => {
    await recordSample(ledger, GROUPS.slice(0, 4))
    const [early] = (await verdictOn(await exported(ledger))).heads
    const anchors = await ledger.db.query<{ body: string; key_id: string; signature: string }>(
      'SELECT body, key_id, signature FROM journal_mark',
    )
    await recordSample(ledger, GROUPS.slice(4), 1000)
    const file = await exported(ledger)
    if (early === undefined) throw new Error('there is no head')
    expect(await verdictOn(file, { heads: [early], anchors })).toMatchObject({ ok: true })
    const rewritten = { ...early, hash: 'A'.repeat(43) }
    expect(await verdictOn(file, { heads: [rewritten] })).toMatchObject({ ok: false, defect: { kind: 'head' } })
    const later = { ...early, group: 1000 }
    expect((await verdictOn(file, { heads: [later] })).defect?.message).toMatch(/^the end of chain \w+ was cut off/)
    const part = await verdictOn(await exported(ledger, { since: BEGIN + 3000 }), { heads: [early], anchors })
    expect(part.notices.join()).toContain('some heads that were given are not in this part')
  })
})

test('the end that a killed process did not sign is proved by the chain that links to it', async () => {
  const folder = new LedgerFolder(join(FOLDER, 'killed'))
  const child = new LedgerProcess('die', { address: folder.address, keyFile: join(folder.path, 'ledger.key') })
  await child.word()
  await child.end()
  const unsigned: number[] = []
  const onUnsigned = (records: number): number => unsigned.push(records)
  const early = await exportedFrom(folder, { onUnsigned })
  expect(early.join()).not.toContain('late-2')
  await exportedFrom(folder, { since: 0, onUnsigned })
  await exportedFrom(folder, { until: 0, onUnsigned })
  expect(unsigned).toEqual([2, 2])
  expect(await verdictOn(early)).toMatchObject({ ok: true, records: 2 })
  const ledger = await openLedger(folder.address)
  await recordGroup(ledger, [sampleLine(1)])
  await ledger.close()
  const file = await exportedFrom(folder, { onUnsigned })
  expect(file.join()).toContain('late-2')
  expect(unsigned).toHaveLength(2)
  expect(await verdictOn(file)).toMatchObject({ ok: true, records: 5, unsigned_records: 0 })
  const leftOut: number[] = []
  const part = await exportedFrom(folder, { since: 0, onLeftOut: (records) => leftOut.push(records) })
  expect([leftOut, part.join().includes('late-1')]).toEqual([[2], false])
  expect(await verdictOn(part)).toMatchObject({ ok: true, records: 3 })
})

describe('of everything that a journal can have', () => {
  let file: string[]
  let keyId = ''

  /** Three chains, decisions, several segments, pruned beginnings, pruned chains, an accepted break. */
  beforeAll(async () => {
    const folder = await makeLedgerFolder(join(FOLDER, 'whole'), join(FOLDER, 'old'))
    const open = (): Promise<Ledger> => openLedger(folder.address, { segments: { segmentBytes: 1500 } })
    for (let chain = 0; chain < 2; chain++) {
      const ledger = await open()
      for (let group = 0; group < 4; group++) await recordGroup(ledger, [sampleLine(group), sampleLine(group + 1)])
      await ledger.close()
    }
    const [broken = ''] = folder.segments().slice(-1)
    writeFileSync(broken, 'nothing', { flag: 'a' })
    const accepting = await openLedger(folder.address, { acceptBreak: 'same key' })
    expect((await acceptBreak(accepting, 'ann', 'it was a test')).broken).toHaveLength(1)
    await accepting.close()
    const ledger = await open()
    for (let group = 0; group < 6; group++) {
      await recordGroup(ledger, [sampleLine(group), sampleLine(group + 1)])
      await ledger.journal.flush()
    }
    expect((await prune(ledger, ALWAYS)).removed.length).toBeGreaterThan(3)
    for (let group = 0; group < 3; group++) await recordGroup(ledger, [sampleLine(group)])
    await ledger.close()
    const last = await open()
    await recordGroup(last, [sampleLine(1)])
    await last.trust.set({ tool: 'a', version: '1.0.0', hash: 'b' }, 'trusted', 'ann')
    await last.close()
    expect((await folder.verify()).defect).toBe(null)
    keyId = loadKey(join(folder.path, 'ledger.key')).id
    file = await exportedFrom(folder)
  })

  test('it verifies', async () => {
    const report = await verdictOn(file, { trustedKeys: [parseTrustedKey(keyId)] })
    expect(report.defect).toBe(null)
    expect(report.pruned_records).toBeGreaterThan(10)
    expect(report.notices).toEqual([expect.stringMatching(/ann accepted that on \S+: it was a test$/)])
    const kinds = new Set(file.flatMap((line) => JSON.parse(line).proof ?? []))
    expect([...kinds]).toEqual(['journal', 'key', 'mark', 'stub', 'chain', 'end'])
  })

  const never = async (changed: readonly string[], what: string): Promise<void> => {
    const report = await verdictOn(changed)
    expect(report.ok, what).toBe(false)
    expect(report.defect?.message, what).toMatch(/\w/)
  }

  test('cut off after any line, it does not verify', async () => {
    for (let end = 0; end < file.length; end++) await never(file.slice(0, end), `cut after line ${end}`)
  })

  test('with any line taken out, doubled, or swapped with the next, it does not verify', async () => {
    for (let at = 0; at < file.length; at++) {
      const line = file[at] as string
      await never(file.toSpliced(at, 1), `without line ${at}`)
      await never(file.toSpliced(at, 0, line), `with line ${at} twice`)
      if (at + 1 < file.length) await never(file.toSpliced(at, 2, file[at + 1] as string, line), `line ${at} swapped`)
    }
  })

  test('with any lines swapped or moved, it does not verify', async () => {
    const place = fc.nat({ max: file.length - 1 })
    await fc.assert(
      fc.asyncProperty(place, place, fc.boolean(), async (from, to, isMoved) => {
        fc.pre(from !== to && file[from] !== file[to])
        const [a = '', b = ''] = [file[from], file[to]]
        await never(
          isMoved ? file.toSpliced(from, 1).toSpliced(to, 0, a) : file.with(from, b).with(to, a),
          `${from} ${to}`,
        )
      }),
      { numRuns: propertyRuns(60, 1000) },
    )
  })

  test('with any byte altered, taken out or put in, it does not verify', async () => {
    const bytes = Buffer.from(`${file.join('\n')}\n`)
    const path = join(FOLDER, 'altered.jsonl')
    writeFileSync(path, bytes)
    expect(await verifyFile(linesOfFile(path))).toMatchObject({ ok: true })
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length - 1 }),
        fc.nat({ max: 255 }),
        fc.constantFrom('alter', 'take out', 'put in'),
        async (at, byte, how) => {
          const put = how === 'take out' ? [] : [byte]
          const changed = Buffer.concat([
            bytes.subarray(0, at),
            Buffer.from(put),
            bytes.subarray(how === 'put in' ? at : at + 1),
          ])
          // The newline at the very end is not needed.
          fc.pre(!changed.equals(bytes) && !(at === bytes.length - 1 && how === 'take out'))
          writeFileSync(path, changed)
          const report = await verifyFile(linesOfFile(path))
          expect(report.ok, `${how} ${byte} at ${at}`).toBe(false)
        },
      ),
      { numRuns: propertyRuns(250, 5000) },
    )
  })

  test('whatever the lines are, the check ends with a report', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('__proto__', 'constructor', -1, 1e300, null))
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(...file),
      fc.tuple(fc.constantFrom(...file), fc.string(), value).map(([text, name, put]) => {
        const changed = { ...JSON.parse(text) }
        const names = Object.keys(changed)
        changed[names[name.length % names.length] ?? name] = put
        return JSON.stringify(changed)
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 20 }),
        fc.nat({ max: file.length }),
        fc.boolean(),
        async (lines, keep, isWhole) => {
          const report = await verdictOn([...file.slice(0, keep), ...lines, ...(isWhole ? file.slice(keep) : [])])
          expect(report.ok && lines.length > 0).toBe(false)
        },
      ),
      { numRuns: propertyRuns(200, 3000) },
    )
  })

  describe('somebody who edits it and makes every hash and count right again, without the key,', () => {
    type Chains = { id: string; groups: string[][] }[]

    const journal = (): string =>
      JSON.parse(JSON.parse(file.find((line) => line.includes('"mark"')) ?? '').body).journal

    function parsed(): { head: string[]; chains: Chains } {
      const first = file.findIndex((line) => line.startsWith('{"proof":"chain"'))
      const chains: Chains = []
      let lines: string[] = []
      for (const line of file.slice(first, -1)) {
        if (line.startsWith('{"proof":"chain"')) chains.push({ id: JSON.parse(line).chain, groups: [] })
        else if (!line.startsWith('{"group":')) lines.push(line)
        else {
          chains.at(-1)?.groups.push(lines)
          lines = []
        }
      }
      return { head: file.slice(0, first), chains }
    }

    function rendered(head: readonly string[], chains: Chains): string[] {
      const stub = JSON.parse(
        JSON.parse(head.find((line) => line.startsWith('{"proof":"stub"')) ?? '{"body":"{}"}').body,
      )
      const lines = [...head]
      let [groups, records] = [0, 0]
      for (const chain of chains) {
        lines.push(JSON.stringify({ proof: 'chain', chain: chain.id }))
        let at: ChainHead = stub.chains?.[chain.id] ?? genesis(journal(), chain.id)
        for (const own of chain.groups) {
          at = nextHead(at, own.map((line) => `${line}\n`).join(''))
          lines.push(...own, JSON.stringify({ group: at.group, hash: at.hash }))
          groups++
          records += own.filter((line) => !line.startsWith('{"kind":')).length
        }
      }
      return [...lines, JSON.stringify({ proof: 'end', chains: chains.length, groups, records })]
    }

    test('changes nothing: it is the same file', () => {
      const { head, chains } = parsed()
      expect(rendered(head, chains)).toEqual(file)
      expect(chains.length).toBeGreaterThan(1)
    })

    const isSeal = (line: string): boolean => line.startsWith('{"kind":"seal"')
    const EDITS: readonly (readonly [string, (chains: Chains) => Chains, RegExp])[] = [
      [
        'alters a record',
        (chains) =>
          chains.map(({ id, groups }) => ({ id, groups: replaced(groups, '"shop.refund"', '"shop.refine"') })),
        /^groups? \d+( to \d+)? of chain \w+ (is|are) not what was signed$/,
      ],
      [
        'takes all signatures out',
        (chains) => chains.map(({ id, groups }) => ({ id, groups: groups.filter((lines) => !lines.some(isSeal)) })),
        /not the one that the mark has|cut off|not signed|segment \S+ is missing/,
      ],
      ['takes a chain out', (chains) => chains.slice(1), /^chain \w+ is missing/],
      ['takes the last chain out', (chains) => chains.slice(0, -1), /^chain \w+ is missing: the mark has/],
      ['takes all chains out', () => [], /^chain \w+ is missing/],
      ...[0, -1].map(
        (index) =>
          [
            `cuts the end of chain ${index} off`,
            (chains: Chains) => {
              const chain = chains.at(index)
              return chain === undefined ? [] : chains.with(index, { ...chain, groups: chain.groups.slice(0, -1) })
            },
            /^the end of chain \w+ was cut off/,
          ] as const,
      ),
      [
        'cuts a beginning off',
        (chains) => chains.map(({ id, groups }) => ({ id, groups: groups.slice(1) })),
        /does not begin as chains do|not what was signed|segment \S+ is missing/,
      ],
      [
        'puts a chain of its own in',
        (chains) => [
          ...chains,
          {
            id: 'abcdefabcdef',
            groups: [
              [
                JSON.stringify({
                  ...{ kind: 'segment', format: 1, journal: journal(), key: keyId, chain: 'abcdefabcdef' },
                  ...{ started: 1, number: 1, links: {} },
                }),
              ],
              ['{"call_id":"forged"}'],
            ],
          },
        ],
        /^groups 1 to 2 of chain abcdefabcdef are not signed/,
      ],
      [
        'adds a decision',
        (chains) =>
          chains.map(({ id, groups }, index) =>
            index < chains.length - 1
              ? { id, groups }
              : { id, groups: [...groups, [groups.flat().find((line) => line.includes('"decision"')) ?? '']] },
          ),
        /was added after its chain had ended/,
      ],
    ]

    test.each(EDITS)('%s', async (_what, edit, found) => {
      const { head, chains } = parsed()
      const report = await verdictOn(rendered(head, edit(chains)))
      expect(report.defect?.message).toMatch(found)
    })

    function replaced(groups: string[][], from: string, to: string): string[][] {
      return groups.map((lines) => lines.map((line) => line.replace(from, to)))
    }

    test('calls it a part: what is not signed is still found, and the report says that it is a part', async () => {
      const { head, chains } = parsed()
      const part = head.filter((line) => !line.startsWith('{"kind"') && !line.startsWith('{"proof":"stub"'))
      part[0] = '{"proof":"journal","format":1,"complete":false}'
      const cut = chains.slice(-1).map(({ id, groups }) => ({ id, groups: groups.slice(0, -2) }))
      expect((await verdictOn(rendered(part, cut))).defect).toMatchObject({ kind: 'signature' })
    })
  })

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'wrong counts',
      (lines) => lines.with(-1, (lines.at(-1) ?? '').replace(/"groups":\d+/, '"groups":3')),
      /says that there are/,
    ],
    [
      'not JSON',
      (lines) => lines.with(0, 'oops'),
      /^the file does not begin as an export with proof does; make one with/,
    ],
    ['a blank line', (lines) => lines.toSpliced(1, 0, ''), /^line 2 of the file is not as an export writes it$/],
    ['spaces', (lines) => lines.with(0, `${lines[0]} `), /^line 1 of the file is not as an export writes it$/],
    ['something after the end', (lines) => [...lines, lines[2] as string], /was added after the end/],
    ['an unknown kind', (lines) => lines.toSpliced(1, 0, '{"proof":"x"}'), /^line 2 .* not as an export writes it/],
    ['an empty file', () => [], /^the file is empty$/],
    [
      'no key',
      (lines) => lines.filter((line) => !line.startsWith('{"proof":"key"')),
      /is by key \w+, which is not known/,
    ],
    [
      'a newer format',
      (lines) => lines.with(0, (lines[0] ?? '').replace('1', '2')),
      /written by a newer Myrmex \(format 2/,
    ],
  ])('%s', async (_, change, message) => {
    expect((await verdictOn(change(file))).defect?.message).toMatch(message)
  })

  test('a group or a line without an end takes no more memory than the largest group', async () => {
    const first = file.findIndex((line) => line.startsWith('{"proof":"chain"'))
    const line = 'x'.repeat(1024 * 1024)
    let given = 0
    function* endless(): Generator<string> {
      yield* file.slice(0, first + 1)
      for (;;) {
        given++
        yield line
      }
    }
    expect((await verdictOn(endless())).defect?.message).toMatch(/is in a group that has no end$/)
    expect(given).toBeLessThan(64)
    const path = join(FOLDER, 'endless.jsonl')
    writeFileSync(path, Buffer.alloc(64 * 1024 * 1024, 'x'))
    expect((await verifyFile(linesOfFile(path))).defect?.message).toMatch(
      /a line that is longer than any that we write/,
    )
    writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d]))
    expect((await verifyFile(linesOfFile(path))).defect?.message).toMatch(/not UTF-8/)
    const deep = `{"proof":"mark","body":${JSON.stringify(`{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)},"key_id":"","signature":""}`
    expect((await verdictOn(file.with(2, deep))).ok).toBe(false)
  })
})
