/**
 * Every part of a ledger, tampered with in every way by somebody who can write to all of it and has no key. Verification names the
 * first bad place, or an anchor that was stored elsewhere is needed to see it, and then the table says so.
 */
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LedgerFolder, makeLedgerFolder, readSegment, writeSegment } from '@myrmex/testing/ledger/journal-fixture'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const FOLDER = mkdtempSync(join(tmpdir(), 'myrmex-tampering-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

let whole: LedgerFolder
let old: LedgerFolder
beforeAll(async () => {
  whole = await makeLedgerFolder(join(FOLDER, 'whole'), join(FOLDER, 'old'))
  old = new LedgerFolder(join(FOLDER, 'old'))
})

let copies = 0
const copy = (): LedgerFolder => whole.copyTo(join(FOLDER, `copy-${++copies}`))

const [FIRST, SECOND, THIRD] = [0, 1, 2]
/** A segment of a chain, from its beginning or (negative) from its end. */
const segment = (folder: LedgerFolder, chain: number, index = 0): string => folder.chains()[chain]?.at(index) ?? ''

/** Changes the groups of a segment. */
const change = (path: string, edit: (groups: string[][]) => string[][]): void =>
  writeSegment(path, edit(readSegment(path).groups))

const editLine = (path: string, group: number, line: number, edit: (text: string) => string): void =>
  change(path, (groups) => {
    const lines = groups.at(group) ?? []
    lines[line] = edit(lines[line] ?? '')
    return groups
  })

const replaceMac = (line: string): string =>
  line.replace(/"mac":"./, (start) => `${start.slice(0, -1)}${start.endsWith('A') ? 'B' : 'A'}`)

interface Case {
  readonly what: string
  readonly tamper: (folder: LedgerFolder) => void
  /** what verification with the key says */
  readonly found: RegExp
  /** without the key, where that differs; signatures cover everything here */
  readonly publicly?: RegExp
}

const CASES: readonly Case[] = [
  // Records.
  {
    what: 'a record altered',
    tamper: (folder) =>
      editLine(segment(folder, FIRST), -1, 0, (line) => line.replace(/"call_id":"call-\d/, '"call_id":"call-9')),
    found: /^group \d+ of segment \S+-0001\.jsonl was altered: its MAC does not match$/,
    publicly: /not what was signed|was rewritten|cut off/,
  },
  {
    what: 'a record deleted',
    tamper: (folder) => change(segment(folder, THIRD), (groups) => groups.with(1, (groups[1] ?? []).slice(1))),
    found: /^group 2 of segment \S+ was altered/,
    publicly: /group[s]? .* not what was signed/,
  },
  {
    what: 'a record inserted',
    tamper: (folder) =>
      change(segment(folder, THIRD), (groups) =>
        groups.with(1, ['{"call_id":"forged","time":1}', ...(groups[1] ?? [])]),
      ),
    found: /^group 2 of segment \S+ was altered/,
    publicly: /not what was signed/,
  },
  {
    what: 'records reordered within a group',
    tamper: (folder) =>
      change(segment(folder, THIRD), (groups) => {
        const [one = '', two = '', end = ''] = groups[1] ?? []
        return groups.with(1, [two, one, end])
      }),
    found: /^group 2 of segment \S+ was altered/,
    publicly: /not what was signed/,
  },
  // Groups.
  {
    what: 'a group deleted',
    tamper: (folder) => change(segment(folder, THIRD), (groups) => groups.toSpliced(2, 1)),
    found: /^group 3 of chain \w+ is missing before group 4 in \S+$/,
  },
  {
    what: 'a group repeated',
    tamper: (folder) => change(segment(folder, THIRD), (groups) => groups.toSpliced(2, 0, groups[1] ?? [])),
    found: /^group 2 in segment \S+ was inserted or moved: group 3 is next$/,
  },
  {
    what: 'two groups swapped',
    tamper: (folder) =>
      change(segment(folder, THIRD), (groups) => groups.with(1, groups[2] ?? []).with(2, groups[1] ?? [])),
    found: /^group 2 of chain \w+ is missing before group 3 in/,
  },
  {
    what: 'a group replaced by one of another chain',
    tamper: (folder) => {
      const foreign = readSegment(segment(folder, SECOND)).groups[1] ?? []
      change(segment(folder, THIRD), (groups) => groups.with(1, foreign))
    },
    found: /^group 2 of segment \S+ was altered/,
    publicly: /not what was signed/,
  },
  // MACs.
  {
    what: 'a MAC altered',
    tamper: (folder) =>
      editLine(
        segment(folder, THIRD),
        1,
        -1 + (readSegment(segment(folder, THIRD)).groups[1]?.length ?? 0),
        replaceMac,
      ),
    found: /^group 2 of segment \S+ was altered: its MAC does not match$/,
    // Nobody without the key can check a MAC; the records are as they were.
    publicly: /^$/,
  },
  {
    what: 'a last line of a group that is no longer one',
    tamper: (folder) =>
      editLine(
        segment(folder, THIRD),
        1,
        -1 + (readSegment(segment(folder, THIRD)).groups[1]?.length ?? 0),
        () => '{"group":2}',
      ),
    found: /^the last line of group 2 of segment \S+ was altered$/,
  },
  // Segment headers.
  {
    what: 'the number in a header altered',
    tamper: (folder) => editLine(segment(folder, FIRST, 1), 0, 0, (line) => line.replace('"number":2', '"number":3')),
    found: /^segment \S+-0002\.jsonl is a copy of another segment, or of another journal$/,
  },
  {
    what: 'the links in a header removed',
    tamper: (folder) =>
      editLine(segment(folder, THIRD), 0, 0, (line) => line.replace(/"links":\{.*\}\}$/, '"links":{}}')),
    found: /^group 1 of segment \S+ was altered/,
    publicly: /not what was signed|was rewritten/,
  },
  {
    what: 'a header deleted',
    tamper: (folder) => change(segment(folder, THIRD), (groups) => groups.with(0, (groups[0] ?? []).slice(1))),
    found: /^segment \S+ does not begin as segments do$/,
  },
  {
    what: 'a header of a newer format',
    tamper: (folder) => editLine(segment(folder, THIRD), 0, 0, (line) => line.replace('"format":1', '"format":2')),
    found: /^segment \S+ was written by a newer Myrmex \(format 2, this one reads 1\)$/,
  },
  // Segments.
  {
    what: 'a first segment deleted',
    tamper: (folder) => rmSync(segment(folder, FIRST)),
    found: /^segment \S+-0001\.jsonl is missing$|^group.? .* missing before/,
  },
  {
    what: 'a middle segment deleted',
    tamper: (folder) => rmSync(segment(folder, FIRST, 1)),
    found: /missing/,
  },
  {
    what: 'the last segment of a chain deleted',
    tamper: (folder) => rmSync(segment(folder, FIRST, -1)),
    found: /^the end of chain \w+ was cut off: it ends with group \d+, and a link in chain \w+ has group \d+$/,
  },
  {
    what: 'a whole chain deleted',
    tamper: (folder) => {
      for (const path of folder.chains()[SECOND] ?? []) rmSync(path)
    },
    found: /^chain \w+ is missing: a link in chain \w+ has its group \d+$/,
  },
  {
    what: 'the newest chain deleted',
    tamper: (folder) => rmSync(segment(folder, THIRD)),
    found: /^chain \w+ is missing: the mark has its group \d+$/,
  },
  {
    what: 'all chains deleted',
    tamper: (folder) => {
      for (const path of folder.segments()) rmSync(path)
    },
    found: /^chain \w+ is missing: the mark has its group \d+$/,
  },
  {
    what: 'a segment truncated in the middle of a group',
    tamper: (folder) => truncateSync(segment(folder, THIRD), 700),
    found: /^the end of chain \w+ was cut off/,
  },
  {
    what: 'a segment truncated after a group',
    tamper: (folder) => change(segment(folder, SECOND, -1), (groups) => groups.slice(0, -1)),
    found: /^the end of chain \w+ was cut off/,
  },
  {
    what: 'bytes added at the end of a chain that had ended',
    tamper: (folder) => appendFileSync(segment(folder, THIRD), '{"call_id":"forged"}\n'),
    found: /^\d+ bytes were added to segment \S+ after its chain had ended$/,
  },
  {
    what: 'a group added at the end of a chain that had ended',
    tamper: (folder) =>
      appendFileSync(segment(folder, THIRD), `{"call_id":"forged"}\n{"group":6,"mac":"${'A'.repeat(43)}"}\n`),
    found: /^group 6 of \S+ was added after its chain had ended$/,
  },
  {
    what: 'two segments swapped',
    tamper: (folder) => {
      const [one, two] = [segment(folder, FIRST), segment(folder, FIRST, 1)]
      const text = readFileSync(one)
      copyFileSync(two, one)
      writeFileSync(two, text)
    },
    found: /missing before|copy of another segment/,
  },
  {
    what: 'a segment copied under another name',
    tamper: (folder) => {
      const path = segment(folder, THIRD)
      const [, chain = ''] = basename(path).split('-')
      copyFileSync(path, path.replace(chain, 'ffffffffffff'))
    },
    found: /copy of another segment|neither in the mark nor linked to|was altered/,
  },
  {
    what: 'a chain of another journal put in',
    tamper: (folder) => copyFileSync(FOREIGN, join(folder.path, 'ledger.journal', basename(FOREIGN))),
    found: /another journal/,
  },
  {
    what: 'an old copy of a segment put back',
    tamper: (folder) => {
      const path = segment(folder, FIRST, -1)
      copyFileSync(segment(old, FIRST, -1), path)
    },
    found: /cut off|missing|copy of another/,
  },
  {
    what: 'an old copy of a whole chain put back',
    tamper: (folder) => {
      for (const path of folder.chains()[SECOND] ?? []) rmSync(path)
      for (const path of old.chains()[SECOND] ?? [])
        copyFileSync(path, join(folder.path, 'ledger.journal', basename(path)))
    },
    found: /^the end of chain \w+ was cut off/,
  },
  // Signatures.
  {
    what: 'a signature altered',
    tamper: (folder) =>
      change(segment(folder, THIRD), (groups) =>
        groups.map((lines) => lines.map((line) => line.replace('"signature":"', '"signature":"A'))),
      ),
    found: /^group 5 of segment \S+ was altered/,
    publicly: /^the signature of group 4 in segment \S+ is not written as signatures are$/,
  },
  {
    what: 'all signatures deleted',
    tamper: (folder) => {
      for (const path of folder.segments())
        change(path, (groups) => groups.map((lines) => lines.filter((line) => !line.startsWith('{"kind":"seal"'))))
    },
    found: /was altered: its MAC does not match$/,
    publicly: /not what was signed|was rewritten|not signed/,
  },
  // The mark.
  {
    what: 'the mark deleted',
    tamper: (folder) => folder.sql('DELETE FROM journal_mark'),
    found: /^the mark of the journal is missing$/,
  },
  {
    what: 'the mark altered',
    tamper: (folder) => folder.sql(`UPDATE journal_mark SET body = replace(body, '"closed":true', '"closed":false')`),
    found: /^the mark of the journal was altered or forged: its signature does not fit$/,
  },
  {
    what: 'the mark signed by another key',
    tamper: (folder) => folder.sql(`UPDATE journal_mark SET key_id = '0123456789abcdef'`),
    found: /its signature is by key 0123456789abcdef, which is not known$/,
  },
  {
    what: 'an old mark put back',
    tamper: (folder) => {
      const stored = new DatabaseSync(old.address).prepare('SELECT body, key_id, signature FROM journal_mark').get()
      const { body, key_id, signature } = stored as Record<string, string>
      folder.sql(
        'UPDATE journal_mark SET body = ?, key_id = ?, signature = ?',
        body ?? '',
        key_id ?? '',
        signature ?? '',
      )
    },
    found: /^the journal is newer than its mark: its mark was replaced by an older one \(version \d+, \d+ was seen\)$/,
  },
  // Keys.
  {
    what: 'the public key replaced',
    tamper: (folder) => folder.sql(`UPDATE keys SET public_key = 'none'`),
    found: /cannot be checked: its key \w+ was altered$/,
  },
  // Decisions.
  ...(
    [
      [
        'trust',
        `UPDATE trust SET level = 'verified'`,
        /^the row of trust shop\.refund 1\.0\.0 was altered: its level "verified" is not what decision d-\w+ says$/,
      ],
      ['trust', `UPDATE trust SET hash = 'other'`, /was altered: its hash "other"/],
      ['trust', 'DELETE FROM trust', /^the row of trust shop\.refund 1\.0\.0 was removed/],
      [
        'trust',
        `INSERT INTO trust VALUES ('shop.pay', '1.0.0', 'x', 'trusted', 'ann', 5, NULL, NULL)`,
        /^the row of trust shop\.pay 1\.0\.0 was put in: the journal has no decision about it; run myrmex audit reindex --decisions to remove it$/,
      ],
      [
        'grants',
        'UPDATE grants SET revoked_at = NULL, revoked_by = NULL',
        /^the row of grants g-\w+ was altered: its revoked_by null, its revoked_at null is not what/,
      ],
      ['grants', `UPDATE grants SET principal = 'mallory'`, /its principal "mallory"/],
      ['grants', 'DELETE FROM grants', /^the row of grants g-\w+ was removed/],
      [
        'grants',
        `INSERT INTO grants SELECT 'g-forged', tool, version, hash, principal, granted_by, granted_at, NULL, NULL, NULL, NULL, NULL FROM grants`,
        /^the row of grants g-forged was put in/,
      ],
      [
        'approvals',
        `UPDATE approvals SET status = 'approved'`,
        /^the row of approvals \w+ was altered: its status approved is not what/,
      ],
      ['approvals', `UPDATE approvals SET args = '{"amount":1}'`, /its args "\{\\"amount\\":1\}"/],
      ['approvals', `UPDATE approvals SET decided_by = 'mallory'`, /its decided_by "mallory"/],
      ['approvals', 'DELETE FROM approvals', /^the row of approvals \w+ was removed/],
    ] as const
  ).map(([table, sql, found]) => ({
    what: `${table}: ${sql}`,
    tamper: (folder: LedgerFolder) => folder.sql(sql),
    found,
  })),
  // The index.
  {
    what: 'a row of the index deleted',
    tamper: (folder) => folder.indexSql('DELETE FROM journal_records WHERE place = 1 AND chain = 2'),
    found: /^the index does not match record \w+\/2\/1/,
  },
  {
    what: 'a row of the index altered',
    tamper: (folder) => folder.indexSql(`UPDATE journal_records SET tool = 'harmless' WHERE grp = 2`),
    found: /^the index does not match record \w+\/2\/0/,
  },
  {
    what: 'a row of the index inserted',
    tamper: (folder) =>
      folder.indexSql(
        `INSERT INTO journal_records (chain, grp, place, segment, at_byte, time, call_id, tool, principal, outcome)
         SELECT chain, grp, 9, segment, at_byte, time, 'forged', tool, principal, outcome FROM journal_records WHERE grp = 2 AND place = 0`,
      ),
    found: /^the index does not match record \w+\/\d+\/\d+/,
  },
  {
    what: 'rows of the index swapped',
    tamper: (folder) => folder.indexSql('UPDATE journal_records SET place = 5 - place WHERE chain = 1 AND grp = 8'),
    found: /^the index does not match record/,
  },
  {
    what: 'records left out of the index for good: their chain is said to have ended',
    tamper: (folder) =>
      folder.indexSql(`DELETE FROM journal_records WHERE chain = 1 AND grp > 4;
        UPDATE journal_chains SET grp = 5, at_byte = 0, segment = 1, closed = 1 WHERE id = 1`),
    found: /^the index (skips records of chain|does not match)/,
  },
  {
    what: 'records left out of the index for good: it is said to be in a later segment',
    tamper: (folder) =>
      folder.indexSql(`DELETE FROM journal_records WHERE chain = 1 AND grp > 1;
        UPDATE journal_chains SET grp = 2, segment = 99, closed = 0 WHERE id = 1`),
    found: /^the index skips records of chain/,
  },
  {
    what: 'the index said to be further than it is',
    tamper: (folder) => folder.indexSql(`UPDATE journal_chains SET grp = grp + 1, closed = 0 WHERE id = 3`),
    found: /^the index skips records of chain/,
  },
  {
    what: 'an index of more groups than the chain has, as if its end was cut off',
    tamper: (folder) => folder.indexSql(`UPDATE journal_chains SET grp = 101, closed = 0 WHERE id = 3`),
    found: /^the index has groups of chain \w+ up to 100, and the chain ends with group \d+: its end was cut off, or/,
  },
  {
    what: 'the index said to continue inside of a group',
    tamper: (folder) => folder.indexSql(`UPDATE journal_chains SET at_byte = at_byte + 5, closed = 0 WHERE id = 3`),
    found: /^the index skips records of chain/,
  },
  {
    what: 'the index said to begin inside of a group',
    tamper: (folder) =>
      folder.indexSql(`DELETE FROM journal_records WHERE chain = 3;
        UPDATE journal_chains SET segment = 1, grp = 1, at_byte = 5, closed = 0 WHERE id = 3`),
    found: /^the index skips records of chain/,
  },
  {
    what: 'the index emptied behind its progress',
    tamper: (folder) => folder.indexSql('DELETE FROM journal_records'),
    found: /^the index does not match record/,
  },
]

let FOREIGN = ''
beforeAll(async () => {
  const other = await makeLedgerFolder(join(FOLDER, 'foreign'), join(FOLDER, 'foreign-old'))
  FOREIGN = other.segments()[0] ?? ''
})

test('what nobody has touched verifies, with the key and without, also against its anchors', async () => {
  const anchors = await whole.anchors()
  expect(anchors.length).toBeGreaterThan(2)
  expect(await whole.verify({ anchors })).toMatchObject({
    ok: true,
    chains: 3,
    keyed: true,
    unsigned_records: 0,
    notices: [],
  })
  expect(await whole.verify({ anchors, withoutKey: true })).toMatchObject({ ok: true, keyed: false })
  expect(await old.verify()).toMatchObject({ ok: true })
})

describe.each(CASES)('$what', ({ tamper, found, publicly = found }) => {
  test('is found, with the key and without', async () => {
    const folder = copy()
    tamper(folder)
    const report = await folder.verify()
    expect(report.defect?.message ?? '').toMatch(found)
    expect(report.ok).toBe(false)
    expect((await folder.verify({ withoutKey: true })).defect?.message ?? '').toMatch(publicly)
  })
})

describe('an old copy of the whole ledger put back', () => {
  test('verifies by itself: nothing in it says that it is old', async () => {
    expect(await old.verify()).toMatchObject({ ok: true })
  })

  test('is found with anchors', async () => {
    const anchors = await whole.anchors()
    const { defect } = await old.verify({ anchors })
    expect(defect).toMatchObject({
      kind: 'anchor',
      message: expect.stringMatching(
        /^the mark is older than the anchor of \S+: an old copy of the ledger was put back$/,
      ),
    })
  })

  test('is found with heads that were noted', async () => {
    const { heads } = await whole.verify()
    expect((await old.verify({ heads })).defect?.message).toMatch(
      /^chain \w+ is missing: the head that was noted has its group/,
    )
  })
})

test('a bit flipped anywhere in a segment is found, and the place is named', async () => {
  const path = segment(whole, SECOND)
  const bytes = readFileSync(path)
  const { groups } = readSegment(path)
  const ends = groups.map((lines) => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0))
  for (let at = 0; at < bytes.length; at += 97) {
    const folder = copy()
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    writeFileSync(segment(folder, SECOND), flipped)
    const { ok, defect } = await folder.verify()
    expect(ok, `byte ${at}`).toBe(false)
    let group = 0
    for (let end = 0; end <= at; end += ends[group++] ?? Number.POSITIVE_INFINITY);
    expect(defect?.group, `byte ${at}: ${defect?.message}`).toBeLessThanOrEqual(group)
    expect(defect?.last_group ?? defect?.group, `byte ${at}: ${defect?.message}`).toBeGreaterThanOrEqual(group - 1)
    rmSync(folder.path, { recursive: true })
  }
})
