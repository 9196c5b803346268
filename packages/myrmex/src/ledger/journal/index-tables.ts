/** The tables of the index of records, for both engines, and their rows; see schema.ts for the types. */
import { type CallFields, INDEXED_FIELDS } from '../audit/call-record.ts'
import type { Db, Value } from '../db.ts'
import { parseRecords } from './read.ts'
import type { StoredGroup } from './read-groups.ts'
import type { SegmentId } from './segment.ts'

export const INDEX_TABLES = `
  CREATE TABLE IF NOT EXISTS journal_chains (
    id KEY_NUMBER PRIMARY KEY,
    chain TEXT NOT NULL UNIQUE,
    started NUMBER NOT NULL,
    segment NUMBER NOT NULL,
    grp NUMBER NOT NULL,
    at_byte NUMBER NOT NULL,
    closed NUMBER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS journal_records (
    chain NUMBER NOT NULL,
    grp NUMBER NOT NULL,
    place NUMBER NOT NULL,
    segment NUMBER NOT NULL,
    at_byte NUMBER NOT NULL,
    time NUMBER NOT NULL,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    principal TEXT NOT NULL,
    client TEXT,
    outcome TEXT NOT NULL,
    error_type TEXT,
    run TEXT,
    approval TEXT,
    PRIMARY KEY (chain, grp, place)
  );
`

/** Columns that indexes of earlier versions do not have. Their records have nothing in them. */
export const ADDED_COLUMNS: Readonly<Record<string, string>> = { client: 'TEXT' }

/** Filling an empty table is faster without them. */
const SEARCH_INDEXES = {
  journal_records_time: '(time)',
  journal_records_call: '(call_id)',
  journal_records_tool: '(tool, time)',
  journal_records_principal: '(principal, time)',
  journal_records_client: '(client, time) WHERE client IS NOT NULL',
  journal_records_run: '(run, time) WHERE run IS NOT NULL',
  journal_records_approval: '(approval) WHERE approval IS NOT NULL',
}

export const CREATE_SEARCH_INDEXES = Object.entries(SEARCH_INDEXES)
  .map(([name, columns]) => `CREATE INDEX IF NOT EXISTS ${name} ON journal_records ${columns};`)
  .join('\n')
export const DROP_SEARCH_INDEXES = Object.keys(SEARCH_INDEXES)
  .map((name) => `DROP INDEX IF EXISTS ${name};`)
  .join('\n')

/** The columns of a record, in the order of `indexRows`. */
export const RECORD_COLUMNS = ['chain', 'grp', 'place', 'segment', 'at_byte', ...INDEXED_FIELDS]

/** How far a chain is indexed: up to, and without, this group. */
export interface IndexedChain {
  readonly id: number
  readonly chain: string
  readonly started: number
  readonly segment: number
  readonly grp: number
  readonly at_byte: number
  /** 1: it has ended, and all of it is indexed */
  readonly closed: number
}

export async function indexedChains(db: Db): Promise<Map<string, IndexedChain>> {
  const rows = await db.query<IndexedChain>(
    'SELECT id, chain, started, segment, grp, at_byte, closed FROM journal_chains',
  )
  return new Map(rows.map((row) => [row.chain, row]))
}

/** The rows of a group's records, in the order of RECORD_COLUMNS. */
export function indexRows(chain: number, { number }: SegmentId, { group, lines, offset }: StoredGroup): Value[][] {
  return parseRecords(lines).map((record, place) => [
    chain,
    group,
    place,
    number,
    offset,
    ...INDEXED_FIELDS.map((name) => (record[name as keyof CallFields] ?? null) as Value),
  ])
}
