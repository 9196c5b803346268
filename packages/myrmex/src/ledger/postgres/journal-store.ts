/**
 * The journal in tables of PostgreSQL: a row for each group, and a row for each segment that says with which group it begins.
 * Readers get the bytes that a segment file would have. A group is one statement, and the first group of a segment adds the
 * segment in the same statement.
 */
import { groupText } from '../journal/chain.ts'
import type { NextGroup } from '../journal/own-chain.ts'
import { compareSegments, type SegmentId, type SegmentPosition } from '../journal/segment.ts'
import type { JournalStore } from '../journal/store.ts'
import type { PostgresDb, Run } from './db.ts'

/** Ids of chains are compared byte by byte, which is faster than the order of a language. */
export const JOURNAL_TABLES = `
  CREATE TABLE journal_segments (
    chain TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    started BIGINT NOT NULL,
    first_group BIGINT NOT NULL,
    PRIMARY KEY (chain, number)
  );
  CREATE TABLE journal_groups (
    chain TEXT COLLATE "C" NOT NULL,
    grp BIGINT NOT NULL,
    at_byte BIGINT NOT NULL,
    mac TEXT NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (chain, grp)
  )`

const APPEND = `INSERT INTO journal_groups (chain, grp, at_byte, mac, lines) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (chain, grp) DO NOTHING RETURNING mac`
const OPEN_AND_APPEND = `WITH opened AS (INSERT INTO journal_segments (chain, number, started, first_group)
  VALUES ($1, $6, $7, $2) ON CONFLICT (chain, number) DO NOTHING) ${APPEND}`

/** Groups of segment $2 of chain $1. The next segment is looked up in the same statement, because it may begin at any moment. */
const IN_SEGMENT = `chain = $1
  AND grp >= (SELECT first_group FROM journal_segments WHERE chain = $1 AND number = $2)
  AND grp < coalesce((SELECT first_group FROM journal_segments WHERE chain = $1 AND number > $2 ORDER BY number LIMIT 1),
    9223372036854775807)`

/**
 * From group $3: as many whole groups as begin within PAGE_BYTES. The range of numbers keeps a page small for PostgreSQL too,
 * which may have no statistics of the table and then sorts what it finds. Where groups are missing, it begins after the gap.
 */
const PAGE_BYTES = 1024 * 1024
const READ = `WITH first AS (SELECT min(grp) AS grp FROM journal_groups WHERE ${IN_SEGMENT} AND grp >= $3)
  SELECT grp, mac, lines FROM (
    SELECT grp, mac, lines, sum(octet_length(lines)) OVER (ORDER BY grp) - octet_length(lines) AS at_byte
    FROM journal_groups WHERE ${IN_SEGMENT} AND grp >= (SELECT grp FROM first) AND grp < (SELECT grp FROM first) + 2000
  ) AS page WHERE at_byte < ${PAGE_BYTES} ORDER BY grp`
const LAST = `SELECT grp, at_byte, mac, octet_length(lines) AS bytes FROM journal_groups WHERE ${IN_SEGMENT}
  ORDER BY grp DESC LIMIT 1`

export class PostgresJournalStore implements JournalStore {
  readonly #db: PostgresDb

  constructor(db: PostgresDb) {
    this.#db = db
  }

  async segments(): Promise<readonly SegmentId[]> {
    const found = await this.#db.query<SegmentId>('SELECT chain, started, number FROM journal_segments')
    return found.sort(compareSegments)
  }

  async *read({ chain, number }: SegmentId, from?: SegmentPosition): AsyncGenerator<Buffer> {
    for (let next = from?.group ?? 0; ; ) {
      const page = await this.#db.query<{ grp: number; mac: string; lines: string }>(READ, [chain, number, next])
      const last = page.at(-1)
      if (last === undefined) return
      next = last.grp + 1
      yield Buffer.from(page.map(({ grp, mac, lines }) => groupText(grp, lines, mac)).join(''))
    }
  }

  async end({ chain, number }: SegmentId): Promise<SegmentPosition> {
    const [last] = await this.#db.query<{ grp: number; at_byte: number; mac: string; bytes: number }>(LAST, [
      chain,
      number,
    ])
    if (last === undefined) return { group: 0, offset: 0 }
    const { grp, at_byte, mac, bytes } = last
    return { group: grp + 1, offset: at_byte + bytes + Buffer.byteLength(groupText(grp, '', mac)) }
  }

  async remove({ chain, number }: SegmentId): Promise<void> {
    await this.#db.transaction([
      { sql: `DELETE FROM journal_groups WHERE ${IN_SEGMENT}`, params: [chain, number] },
      { sql: 'DELETE FROM journal_segments WHERE chain = ? AND number = ?', params: [chain, number] },
    ])
  }

  /**
   * Stores a group unless its position is taken. Returns the MAC of the group that is there then: it is that of another group
   * if somebody else was first. A group can be stored again, if the answer got lost.
   */
  async append(
    { head, lines, mac, segment, offset, isFirst }: NextGroup,
    run: Run = this.#db.query,
  ): Promise<string | undefined> {
    const group = [segment.chain, head.group, offset, mac, lines]
    const [stored] = isFirst
      ? await run<{ mac: string }>(OPEN_AND_APPEND, [...group, segment.number, segment.started])
      : await run<{ mac: string }>(APPEND, group)
    return stored?.mac ?? (await this.mac(segment.chain, head.group, run))
  }

  /** The MAC of a group; undefined if it is not there. */
  async mac(chain: string, group: number, run: Run = this.#db.query): Promise<string | undefined> {
    const [found] = await run<{ mac: string }>('SELECT mac FROM journal_groups WHERE chain = ? AND grp = ?', [
      chain,
      group,
    ])
    return found?.mac
  }
}
