/**
 * The tables of decisions, compared with the journal and made again from it. A row that the journal does not have, a decision
 * whose row is gone, and a row that says something else than the last decision about it are defects.
 */
import type { Db, Statement, Value } from '../db.ts'
import { type ApprovedRecord, DecisionHistory } from './decision-history.ts'
import { DecisionSignatures } from './decision-signatures.ts'
import { DefectCollector, DefectError, type DefectsBySubject } from './defect.ts'
import type { DecisionEntry, DecisionTable, Entry } from './entry.ts'
import { parseMark, SELECT_MARK, type SignedMark } from './mark.ts'

type Row = Readonly<Record<string, Value>>

interface TableRules {
  /** the columns that identify a row */
  readonly key: readonly string[]
  /** the columns that only decisions change */
  readonly columns: readonly string[]
  /** when the row was last decided about */
  readonly time: (row: Row) => number
  /** SQL: the row in the table is older than the one that is inserted */
  readonly isOlder: string
}

const TABLES: Readonly<Record<DecisionTable, TableRules>> = {
  trust: {
    key: ['tool', 'version'],
    columns: ['tool', 'version', 'hash', 'level', 'set_by', 'set_at', 'signed_by', 'signature'],
    time: ({ set_at }) => Number(set_at),
    isOlder: 'trust.set_at < excluded.set_at',
  },
  accepted_changes: {
    key: ['tool', 'version', 'hash', 'decided'],
    columns: ['tool', 'version', 'hash', 'decided', 'grade', 'accepted_at'],
    time: ({ accepted_at }) => Number(accepted_at),
    isOlder: 'accepted_changes.accepted_at < excluded.accepted_at',
  },
  grants: {
    key: ['id'],
    columns:
      'id tool version hash principal granted_by granted_at expires_at revoked_by revoked_at signed_by signature'.split(
        ' ',
      ),
    time: ({ granted_at, revoked_at }) => Number(revoked_at ?? granted_at),
    isOlder: 'grants.revoked_at IS NULL AND excluded.revoked_at IS NOT NULL',
  },
  approvals: {
    key: ['id'],
    columns: (
      'id tool version hash args_hash principal args reason client requested_at expires_at decided_by decided_at note signed_by ' +
      'signature editable edited_args edited_hash'
    ).split(' '),
    time: ({ requested_at, decided_at }) => Number(decided_at ?? requested_at),
    isOlder: 'approvals.decided_at IS NULL AND excluded.decided_at IS NOT NULL',
  },
  operators: {
    key: ['key_id'],
    columns: ['key_id', 'public_key', 'set_by', 'set_at', 'retired_by', 'retired_at'],
    time: ({ set_at, retired_at }) => Number(retired_at ?? set_at),
    isOlder: 'operators.retired_at IS NULL AND excluded.retired_at IS NOT NULL',
  },
  tokens: {
    key: ['id'],
    columns:
      'id name sha256 profile scopes created_by created_at expires_at revoked_by revoked_at ends_at signed_by signature'.split(
        ' ',
      ),
    time: ({ created_at, revoked_at }) => Number(revoked_at ?? created_at),
    isOlder: 'coalesce(tokens.revoked_at, tokens.created_at) < coalesce(excluded.revoked_at, excluded.created_at)',
  },
  switches: {
    key: ['name', 'profile'],
    columns: ['name', 'profile', 'state', 'reason', 'set_by', 'set_at', 'signed_by', 'signature'],
    time: ({ set_at }) => Number(set_at),
    isOlder: 'switches.set_at < excluded.set_at',
  },
  users: {
    key: ['name'],
    columns: (
      'name display_name scopes profile status tokens_after created_by created_at set_by set_at decided_by decided_at signed_by ' +
      'signature'
    ).split(' '),
    time: ({ decided_at }) => Number(decided_at),
    isOlder: 'users.decided_at < excluded.decided_at',
  },
  sign_ins: {
    key: ['id'],
    columns: 'id server principal issuer scopes signed_in_by signed_in_at signed_out_by signed_out_at'.split(' '),
    time: ({ signed_in_at, signed_out_at }) => Number(signed_out_at ?? signed_in_at),
    isOlder: 'sign_ins.signed_out_at IS NULL AND excluded.signed_out_at IS NOT NULL',
  },
}
const TABLE_NAMES = Object.keys(TABLES) as DecisionTable[]

/** What the status of an approval in its table may be, by the last decision about it. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  waiting: ['waiting', 'expired'],
  approved: ['approved', 'used', 'expired'],
  denied: ['denied'],
}

/** Servers on PostgreSQL have clocks of their own. */
const CLOCKS_DIFFER_MS = { sqlite: 1000, postgres: 3_600_000 }

interface Candidate {
  readonly decision: string
  readonly row: Row
  /** its process may have died before the table had it; the next one that opens the ledger sees to that */
  readonly isPending: boolean
}

export interface TableComparison {
  /** differences, those that come from changes during the comparison included */
  readonly defects: DefectsBySubject
  /**
   * Sentences: what may be missing because it was accepted as lost, and decisions that do not count because the operator has not
   * signed them.
   */
  readonly notices: readonly string[]
}

/** Gathers the decisions of a journal, in any order of chains. */
export class DecisionCheck {
  /**
   * By table and key: the rows of the last decision. There are several if they were made in the same millisecond, and the one
   * before a pending decision counts too.
   */
  readonly #last = new Map<string, Candidate[]>()
  /** the same for the decision before, which holds if the last one is withdrawn */
  readonly #before = new Map<string, Candidate[]>()
  /** approvals, and the call that used each */
  readonly #used = new Map<string, string>()
  readonly #history = new DecisionHistory()
  readonly #signatures = new DecisionSignatures()
  count = 0
  /** an operator has accepted that a part of the journal is lost */
  isPartial = false

  /** `isPending`: it is after the mark. */
  entry(entry: Entry, isPending = false): void {
    if (entry.kind === 'withdrawal') this.#withdraw(new Set(entry.decisions))
    if (entry.kind !== 'decision') return
    this.count++
    for (const row of entry.rows) this.#take(entry, row, isPending)
  }

  /** Decisions are withdrawn right after they were made, and rarely. */
  #withdraw(decisions: ReadonlySet<string>): void {
    this.#history.withdraw(decisions)
    this.#signatures.withdraw(decisions)
    for (const [name, candidates] of this.#last) {
      const left = candidates.filter(({ decision }) => !decisions.has(decision))
      if (left.length === candidates.length) continue
      const holds = left.length > 0 ? left : (this.#before.get(name) ?? [])
      if (holds.length > 0) this.#last.set(name, holds)
      else this.#last.delete(name)
    }
  }

  #take(entry: DecisionEntry, row: Row, isPending: boolean): void {
    const { id, table } = entry
    const name = nameOf(table, row)
    const known = this.#last.get(name) ?? []
    const time = TABLES[table].time(row)
    this.#history.decision(name, entry, row, time)
    this.#signatures.decision(entry, row, name, time)
    const newest = known.reduce((max, one) => Math.max(max, TABLES[table].time(one.row)), Number.NEGATIVE_INFINITY)
    const candidate = { decision: id, row, isPending }
    if (time === newest) known.push(candidate)
    if (time <= newest) return
    this.#last.set(name, isPending ? [...known, candidate] : [candidate])
    this.#before.set(name, known)
  }

  currentOperator(otherwise: string | undefined): string | undefined {
    return this.#signatures.currentOperator(otherwise)
  }

  /** A call that ran under an approval has used it. One that asked a question, or whose answers wait for approval, runs again. */
  record(record: ApprovedRecord): void {
    const { approval, outcome, repeat_of, call_id } = record
    if (approval === undefined || outcome === 'input_required' || outcome === 'waiting' || repeat_of !== undefined)
      return
    this.#used.set(approval, call_id)
    this.#history.record(approval, record)
  }

  async compare(db: Db): Promise<TableComparison> {
    const slack = CLOCKS_DIFFER_MS[db.engine]
    const defects = new DefectCollector()
    const fault = await db.fault?.()
    if (fault !== undefined) defects.add('store', new DefectError('decision', fault))
    const lost = this.#history.check(defects, this.isPartial, slack)
    const [mark] = await db.query<SignedMark>(SELECT_MARK)
    const unsigned = this.#signatures.check(defects, parseMark(mark?.body ?? '')?.journal ?? '', slack)
    for (const table of TABLE_NAMES) {
      const { columns } = TABLES[table]
      const wanted = table === 'approvals' ? [...columns, 'status'] : columns
      const rows = await db.query<Row>(
        `SELECT ${wanted.join(', ')} FROM ${table} ORDER BY ${TABLES[table].key.join(', ')}`,
      )
      for (const row of rows) defects.check(nameOf(table, row), () => this.#compareRow(table, row))
      const found = new Set(rows.map((row) => nameOf(table, row)))
      for (const [name, candidates] of this.#last) {
        const candidate = candidates.find(({ isPending }) => !isPending)
        if (!name.startsWith(`${table} `) || found.has(name) || candidate === undefined) continue
        const why = `the row of ${name} was removed: the journal has decision ${candidate.decision} about it`
        defects.add(name, new DefectError('decision', why))
      }
    }
    return { notices: [...lost, ...unsigned], defects: defects.found }
  }

  /** Why a row is not what the last decision about it says, as a sentence; undefined if it is. */
  fault(table: DecisionTable, row: Row): string | undefined {
    try {
      this.#compareRow(table, row)
      return undefined
    } catch (error) {
      if (error instanceof DefectError) return error.message
      throw error
    }
  }

  #compareRow(table: DecisionTable, row: Row): void {
    const name = nameOf(table, row)
    const candidates = this.#last.get(name)
    if (candidates === undefined)
      throw new DefectError(
        'decision',
        `the row of ${name} was put in: the journal has no decision about it; run myrmex audit reindex --decisions to remove it`,
      )
    if (candidates.some((one) => this.#fits(table, one.row, row))) return
    const last = candidates.at(-1)
    const differs = TABLES[table].columns.filter((column) => !isSame(last?.row[column], row[column]))
    const what =
      differs.length === 0
        ? `its status ${row.status}`
        : differs.map((one) => `its ${one} ${text(row[one])}`).join(', ')
    const why = `the row of ${name} was altered: ${what} is not what decision ${last?.decision} says`
    throw new DefectError('decision', why)
  }

  #fits(table: DecisionTable, decided: Row, row: Row): boolean {
    if (!TABLES[table].columns.every((column) => isSame(decided[column], row[column]))) return false
    if (table !== 'approvals') return true
    if (this.#used.has(String(row.id)) && decided.status === 'approved') return row.status === 'used'
    return STATUSES[String(decided.status)]?.includes(String(row.status)) ?? false
  }

  /** Statements that make the tables again. */
  rebuild(): Statement[] {
    const rows = [...this.#last].flatMap(([name, candidates]) => {
      const kept = candidates.at(-1)
      return kept === undefined ? [] : [{ table: name.slice(0, name.indexOf(' ')) as DecisionTable, row: kept.row }]
    })
    // Newest first: of several requests for the same call only the newest can be waiting.
    rows.sort((a, b) => TABLES[b.table].time(b.row) - TABLES[a.table].time(a.row))
    return [
      ...TABLE_NAMES.map((table) => ({ sql: `DELETE FROM ${table}` })),
      ...rows.map(({ table, row }) => upsert(table, row)),
      ...[...this.#used].map(([approval, call]) => ({
        sql: `UPDATE approvals SET status = 'used', used_by = ? WHERE id = ?`,
        params: [call, approval],
      })),
    ]
  }
}

/** For a process that finds decisions after the mark: they may not have reached their tables when their process died. */
export const applyDecision = ({ table, rows }: DecisionEntry): Statement[] => rows.map((row) => upsert(table, row))

function upsert(table: DecisionTable, row: Row): Statement {
  const { key, columns, isOlder } = TABLES[table]
  const status = table === 'approvals' ? [statusOf(row)] : []
  const all = [...columns, ...status.map(() => 'status')]
  const values = [...columns.map(() => '?'), ...status.map(({ sql }) => sql)]
  const changed = all.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`)
  return {
    sql: `INSERT INTO ${table} (${all.join(', ')}) VALUES (${values.join(', ')})
      ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changed.join(', ')} WHERE ${isOlder}`,
    params: [...columns.map((column) => row[column] ?? null), ...status.flatMap(({ params }) => params)],
  }
}

const CALL = ['tool', 'version', 'hash', 'args_hash', 'principal']

/**
 * Only one request for a call can be waiting. A process that died before it stored its own told nobody about it, and the caller
 * may have asked again since.
 */
function statusOf(row: Row): Required<Statement> {
  if (row.status !== 'waiting') return { sql: '?', params: [row.status ?? null] }
  const same = CALL.map((column) => `other.${column} = ?`).join(' AND ')
  return {
    sql: `CASE WHEN EXISTS (SELECT 1 FROM approvals AS other WHERE ${same} AND other.status = 'waiting' AND other.id <> ?)
      THEN 'expired' ELSE 'waiting' END`,
    params: [...CALL, 'id'].map((column) => row[column] ?? null),
  }
}

const nameOf = (table: DecisionTable, row: Row): string =>
  `${table} ${TABLES[table].key.map((column) => String(row[column])).join(' ')}`

const isSame = (a: Value | undefined, b: Value | undefined): boolean => (a ?? null) === (b ?? null)

const text = (value: Value | undefined): string => JSON.stringify(value ?? null)
