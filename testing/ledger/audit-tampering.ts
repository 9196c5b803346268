/**
 * Ways to tamper with an audit in its database, for somebody who can write to the file and has no key. Each gives the group
 * that it touched first, which is what verification has to name.
 */
import type { DatabaseSync } from 'node:sqlite'
import { renderRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { type GroupRow, groupHash } from '../../packages/myrmex/src/ledger/audit/chain.ts'
import { sampleLine } from './sample-audit.ts'

export interface TamperedGroup {
  /** the first group that is not as it was written */
  readonly seq: number
  /** the very line, where it is one */
  readonly line?: number
  /** nothing was rehashed: verification must name this group and no other */
  readonly exact: boolean
}

/** Picks by numbers that a generator chose, so that a failing case can be reported and repeated. */
export class Tampering {
  readonly #database: DatabaseSync
  readonly #choice: number
  readonly groups: GroupRow[]
  readonly sealed: number[]

  constructor(database: DatabaseSync, choice: number) {
    this.#database = database
    this.#choice = choice
    this.groups = database.prepare('SELECT * FROM audit_groups ORDER BY seq').all() as unknown as GroupRow[]
    this.sealed = database
      .prepare('SELECT seq FROM audit_seals ORDER BY seq')
      .all()
      .map(({ seq }) => Number(seq))
  }

  changeByteOfLine(): TamperedGroup {
    const group = this.#any()
    const at = this.#index(group.lines, (character) => character !== '\n')
    const other = group.lines[at] === 'x' ? 'y' : 'x'
    this.#set(group, 'lines', group.lines.slice(0, at) + other + group.lines.slice(at + 1))
    const line = group.first_line + (group.lines.slice(0, at).match(/\n/g)?.length ?? 0)
    return { seq: group.seq, line, exact: true }
  }

  changeHash(): TamperedGroup {
    return this.#changeDigit('hash')
  }

  changePrevious(): TamperedGroup {
    return this.#changeDigit('prev')
  }

  changeTime(): TamperedGroup {
    const group = this.#any()
    this.#set(group, this.#choice % 2 === 0 ? 'first_time' : 'last_time', group.last_time + 1)
    return { seq: group.seq, exact: true }
  }

  changeLineNumbers(): TamperedGroup {
    const group = this.#any()
    for (const later of this.groups.filter(({ seq }) => seq >= group.seq)) {
      this.#set(later, 'first_line', later.first_line + 1)
    }
    return { seq: group.seq, exact: true }
  }

  changeSignature(): TamperedGroup {
    const seq = this.#pick(this.sealed)
    const { signature } = this.#database.prepare('SELECT signature FROM audit_seals WHERE seq = ?').get(seq) as {
      signature: string
    }
    const at = this.#choice % signature.length
    const changed = signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1)
    this.#database.prepare('UPDATE audit_seals SET signature = ? WHERE seq = ?').run(changed, seq)
    return { seq, exact: this.sealed.some((other) => other > seq) }
  }

  signWithUnknownKey(): TamperedGroup {
    const seq = this.#pick(this.sealed)
    this.#database.prepare(`UPDATE audit_seals SET key_id = '0123456789abcdef' WHERE seq = ?`).run(seq)
    return { seq, exact: this.sealed.some((other) => other > seq) }
  }

  deleteGroup(): TamperedGroup {
    const { seq } = this.#any()
    this.#database.prepare('DELETE FROM audit_groups WHERE seq = ?').run(seq)
    return { seq, exact: true }
  }

  /** With its signature, and the later ones moved up. Not the last: that the end was cut off shows against a noted head. */
  deleteGroupAndRenumber(): TamperedGroup {
    const { seq } = this.#pick(this.groups.slice(0, -1))
    this.#database.prepare('DELETE FROM audit_groups WHERE seq = ?').run(seq)
    this.#database.prepare('DELETE FROM audit_seals WHERE seq = ?').run(seq)
    this.#renumber(seq, -1)
    return { seq, exact: false }
  }

  deleteLine(): TamperedGroup {
    return this.#changeLines((lines) => lines.toSpliced(this.#choice % lines.length, 1))
  }

  insertLine(): TamperedGroup {
    return this.#changeLines((lines) =>
      lines.toSpliced(this.#choice % lines.length, 0, renderRecord(sampleLine(4711)).trimEnd()),
    )
  }

  swapLines(): TamperedGroup {
    return this.#changeLines((lines) => {
      const at = this.#choice % (lines.length - 1)
      return lines.toSpliced(at, 2, lines[at + 1] as string, lines[at] as string)
    })
  }

  /** One line less, and the hash of that one group made to fit. */
  deleteLineAndRehash(): TamperedGroup {
    const { seq } = this.deleteLine()
    this.#rehash(seq, seq)
    return { seq, exact: false }
  }

  /** A line that reads as if it had always been so, and every later hash made to fit: only the signatures tell. */
  rewriteFrom(): TamperedGroup {
    const group = this.#any()
    this.#set(group, 'lines', group.lines.replace(/"call_id":"call-/, '"call_id":"fake-'))
    this.#rehash(group.seq, this.groups.length)
    return { seq: group.seq, exact: false }
  }

  /** The same in one group only. Not the last, which nothing is chained to: its signature is another case. */
  rewriteOne(): TamperedGroup {
    const group = this.#pick(this.groups.slice(0, -1))
    this.#set(group, 'lines', group.lines.replace(/"call_id":"call-/, '"call_id":"fake-'))
    this.#rehash(group.seq, group.seq)
    return { seq: group.seq, exact: false }
  }

  changeOrderOfKeys(): TamperedGroup {
    const group = this.#any()
    const lines = group.lines.split('\n').slice(0, -1)
    const at = this.#choice % lines.length
    const members = Object.entries(JSON.parse(lines[at] as string)).reverse()
    const reversed = lines.with(at, JSON.stringify(Object.fromEntries(members)))
    this.#set(group, 'lines', `${reversed.join('\n')}\n`)
    return { seq: group.seq, line: group.first_line + at, exact: true }
  }

  /** A forged group with hashes that fit, the later ones moved on. */
  insertGroup(): TamperedGroup {
    const { seq } = this.#any()
    this.#renumber(seq, 1)
    const before = this.groups[seq - 2]
    const lines = renderRecord(sampleLine(4711))
    const first = this.groups[seq - 1]?.first_line ?? 1
    const prev = before?.hash ?? '0'.repeat(64)
    const { time } = sampleLine(4711)
    this.#database
      .prepare('INSERT INTO audit_groups VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(seq, first, 1, time, time, prev, groupHash(seq, first, 1, prev, lines), lines)
    return { seq, exact: false }
  }

  insertGroupBeforeTheFirst(): TamperedGroup {
    const [first] = this.groups as [GroupRow]
    this.#database
      .prepare('INSERT INTO audit_groups VALUES (0, ?, ?, ?, ?, ?, ?, ?)')
      .run(0, 1, first.first_time, first.last_time, first.prev, first.hash, first.lines)
    return { seq: 0, exact: true }
  }

  swapGroups(): TamperedGroup {
    const first = this.#pick(this.groups.slice(0, -1)).seq
    const second = this.#pick(this.groups.slice(first)).seq
    const move = this.#database.prepare('UPDATE audit_groups SET seq = ? WHERE seq = ?')
    move.run(-1, first)
    move.run(first, second)
    move.run(second, -1)
    return { seq: first, exact: true }
  }

  renumberGroups(): TamperedGroup {
    const { seq } = this.#any()
    this.#renumber(seq, 3)
    return { seq, exact: false }
  }

  signatureOfMissingGroup(): TamperedGroup {
    const seq = this.groups.length + 1
    this.#database
      .prepare('INSERT INTO audit_seals SELECT ?, key_id, signature FROM audit_seals WHERE seq = ?')
      .run(seq, this.sealed.at(-1) ?? 0)
    return { seq, exact: true }
  }

  #any(): GroupRow {
    return this.#pick(this.groups)
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#choice % from.length] as T
  }

  #index(text: string, fits: (character: string) => boolean): number {
    let at = this.#choice % text.length
    while (!fits(text[at] as string)) at = (at + 1) % text.length
    return at
  }

  #set(group: GroupRow, column: keyof GroupRow, value: string | number): void {
    this.#database.prepare(`UPDATE audit_groups SET ${column} = ? WHERE seq = ?`).run(value, group.seq)
  }

  #changeDigit(column: 'hash' | 'prev'): TamperedGroup {
    const group = this.#any()
    const at = this.#choice % 64
    const digits = group[column]
    this.#set(group, column, digits.slice(0, at) + (digits[at] === '0' ? '1' : '0') + digits.slice(at + 1))
    return { seq: group.seq, exact: true }
  }

  /** In a group of several lines; its count is corrected. */
  #changeLines(change: (lines: string[]) => string[]): TamperedGroup {
    const group = this.#pick(this.groups.filter(({ line_count }) => line_count > 1))
    const lines = change(group.lines.split('\n').slice(0, -1))
    this.#set(group, 'lines', `${lines.join('\n')}\n`)
    this.#set(group, 'line_count', lines.length)
    return { seq: group.seq, exact: true }
  }

  #rehash(from: number, to: number): void {
    const rows = this.#database
      .prepare('SELECT * FROM audit_groups WHERE seq >= ? AND seq <= ? ORDER BY seq')
      .all(from, to) as unknown as GroupRow[]
    let prev = this.groups[from - 2]?.hash ?? '0'.repeat(64)
    for (const row of rows) {
      const hash = groupHash(row.seq, row.first_line, row.line_count, prev, row.lines)
      this.#set(row, 'prev', prev)
      this.#set(row, 'hash', hash)
      const times = this.#timesOf(row)
      this.#set(row, 'first_time', Math.min(...times))
      this.#set(row, 'last_time', Math.max(...times))
      prev = hash
    }
  }

  #timesOf({ lines }: GroupRow): number[] {
    const times = [...lines.matchAll(/"time":(\d+)/g)].map(([, time]) => Number(time))
    return times.length === 0 ? [0] : times
  }

  #renumber(from: number, by: number): void {
    const rows = this.groups.filter(({ seq }) => seq >= from + (by < 0 ? 1 : 0))
    const move = (table: string, seq: number): void => {
      this.#database.prepare(`UPDATE ${table} SET seq = ? WHERE seq = ?`).run(seq + by, seq)
    }
    for (const { seq } of by < 0 ? rows : rows.toReversed()) {
      move('audit_groups', seq)
      move('audit_seals', seq)
    }
  }
}
