/** Finding calls: by the index, then read from the chain. One text for both engines, which Kysely writes and does not run. */
import type { Kysely } from 'kysely'
import type { Db, Value } from '../db.ts'
import { LedgerError } from '../ledger-error.ts'
import type { GroupRow } from './chain.ts'
import { type AuditRecord, GROUP_COLUMNS, recordsOf } from './read.ts'
import { updateSearchIndex } from './search-index.ts'

/** All that is given must hold. */
export interface AuditFilter {
  /** milliseconds since the epoch, both inclusive */
  readonly since?: number
  readonly until?: number
  /** a name, or the beginning of one and `*` */
  readonly tool?: string
  readonly principal?: string
  readonly outcome?: string
  readonly error_type?: string
  readonly run?: string
  readonly approval?: string
  readonly call_id?: string
  readonly order?: 'newest' | 'oldest'
  /** only lines that come after this one in that order: where an earlier search ended */
  readonly past?: number
  readonly limit?: number
}

interface IndexRow {
  line: number
  seq: number
  time: number
  call_id: string
  principal: string
  tool: string
  outcome: string
  error_type: string | null
  run: string | null
  approval: string | null
}

type Tables = { audit_lines: IndexRow }
type Found = Pick<IndexRow, 'line' | 'seq' | 'call_id'>

const PAGE = 256
const EXACT = ['principal', 'outcome', 'error_type', 'run', 'approval', 'call_id'] as const

/** Newest first unless told. */
export async function* searchAudit(db: Db, filter: AuditFilter = {}): AsyncGenerator<AuditRecord> {
  await updateSearchIndex(db)
  const compiler = await queryCompiler()
  let left = filter.limit ?? Number.MAX_SAFE_INTEGER
  let last = filter.past
  while (left > 0) {
    const { sql, parameters } = compile(compiler, filter, Math.min(left, PAGE), last)
    const found = await db.query<Found>(sql, parameters as readonly Value[])
    yield* read(db, found)
    left -= found.length
    last = found.at(-1)?.line
    if (found.length < PAGE) return
  }
}

async function queryCompiler(): Promise<Kysely<Tables>> {
  // Here and not at the top: it takes 100 ms to load.
  const kysely = await import('kysely')
  return new kysely.Kysely<Tables>({
    dialect: {
      createAdapter: () => new kysely.SqliteAdapter(),
      createDriver: () => new kysely.DummyDriver(),
      createIntrospector: (db) => new kysely.SqliteIntrospector(db),
      createQueryCompiler: () => new kysely.SqliteQueryCompiler(),
    },
  })
}

function compile(compiler: Kysely<Tables>, filter: AuditFilter, limit: number, last: number | undefined) {
  const { since, until, tool, order = 'newest' } = filter
  let query = compiler.selectFrom('audit_lines').select(['line', 'seq', 'call_id'])
  if (since !== undefined) query = query.where('time', '>=', since)
  if (until !== undefined) query = query.where('time', '<=', until)
  for (const column of EXACT) {
    const value = filter[column]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  if (tool?.endsWith('*')) {
    const start = tool.slice(0, -1)
    // Not LIKE: the engines differ in what it takes for the same letter.
    query = query.where(({ eb, fn, val }) =>
      eb(fn<string>('substr', ['tool', val(1), val([...start].length)]), '=', start),
    )
  } else if (tool !== undefined) query = query.where('tool', '=', tool)
  if (last !== undefined) query = query.where('line', order === 'newest' ? '<' : '>', last)
  return query
    .orderBy('line', order === 'newest' ? 'desc' : 'asc')
    .limit(limit)
    .compile()
}

async function* read(db: Db, found: readonly Found[]): AsyncGenerator<AuditRecord> {
  let group: GroupRow | undefined
  let lines: AuditRecord[] = []
  for (const { line, seq, call_id } of found) {
    if (group?.seq !== seq) {
      ;[group] = await db.query<GroupRow>(`SELECT ${GROUP_COLUMNS} FROM audit_groups WHERE seq = ?`, [seq])
      lines = group === undefined ? [] : recordsOf(group)
    }
    // Pruned a moment ago.
    if (group === undefined) continue
    const whole = lines[line - group.first_line]
    if (whole?.call_id !== call_id) {
      throw new LedgerError(
        `has an index that does not fit line ${line}; myrmex audit verify says whether the line is whole`,
      )
    }
    yield whole
  }
}
