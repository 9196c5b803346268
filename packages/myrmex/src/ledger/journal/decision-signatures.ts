/**
 * The operator's signatures on decisions, checked against the operators' keys in the journal. A signature that does not fit, or that
 * an unknown or retired key made, is a defect. A decision that nobody signed although the ledger was locked is reported: the gates
 * ignore it.
 */
import type { KeyObject } from 'node:crypto'
import { crypto } from '../../protocol/builtin.ts'
import type { Value } from '../db.ts'
import { operatorKeyId, publicKeyOf } from '../operator/operator-key.ts'
import { decisionText, type SignedTable } from '../operator/signed-row.ts'
import { type DefectCollector, DefectError } from './defect.ts'
import type { DecisionEntry } from './entry.ts'

type Row = Readonly<Record<string, Value>>

interface RecordedOperator {
  /** the bytes of the public key, base64url */
  readonly publicKey: string
  readonly key: KeyObject | undefined
  readonly from: number
  readonly until: number
}

/** A decision that raised rights: what is left of it, because texts of a row may be long. */
interface RaisingDecision {
  readonly id: string
  readonly name: string
  readonly time: number
  /** what was signed, without the id of the ledger */
  readonly text: (ledger: string) => string
  readonly signedBy: string | null
  readonly signature: string | null
}

/** The decisions that can raise rights. Others need no signature. */
const RAISING: ReadonlySet<string> = new Set([
  'trust',
  'verify',
  'grant',
  'approve',
  'create token',
  'switch off',
  'invite',
  'change',
  'enable',
])

export class DecisionSignatures {
  readonly #operators = new Map<string, RecordedOperator>()
  readonly #decisions = new Map<string, RaisingDecision[]>()

  /** `name` is the table and the key of the row, `time` when it was decided. */
  decision({ id, what, table, from }: DecisionEntry, row: Row, name: string, time: number): void {
    if (table === 'operators') this.#operator(row)
    else if (table !== 'accepted_changes' && table !== 'sign_ins' && RAISING.has(what) && row.level !== 'untrusted')
      this.#raising(id, table, from === 'file', row, name, time)
  }

  #raising(id: string, table: SignedTable, isFromFile: boolean, row: Row, name: string, time: number): void {
    const signedBy = row.signed_by === null || row.signed_by === undefined ? null : String(row.signed_by)
    // What a file says waits for a signature, as it should.
    if (signedBy === null && isFromFile) return
    const digest = decisionText('', table, row)
    const decision = {
      ...{ id, name, time, signedBy },
      text: (ledger: string) => digest.replace('myrmex decision  ', `myrmex decision ${ledger} `),
      signature: row.signature === null || row.signature === undefined ? null : String(row.signature),
    }
    const known = this.#decisions.get(id)
    if (known === undefined) this.#decisions.set(id, [decision])
    else known.push(decision)
  }

  #operator(row: Row): void {
    const [id, publicKey] = [String(row.key_id), String(row.public_key)]
    const known = this.#operators.get(id)
    const until = Number(row.retired_at ?? Number.POSITIVE_INFINITY)
    this.#operators.set(id, {
      publicKey,
      key: operatorKeyId(publicKey) === id ? publicKeyOf(publicKey) : undefined,
      from: Number(row.set_at),
      until: Math.min(until, known?.until ?? Number.POSITIVE_INFINITY),
    })
  }

  /** The public key that the ledger is locked with now, as far as the journal says; `otherwise` if it names no operator at all. */
  currentOperator(otherwise: string | undefined): string | undefined {
    if (this.#operators.size === 0) return otherwise
    const current = [...this.#operators.values()].filter(({ until }) => until === Number.POSITIVE_INFINITY)
    return current.reduce<RecordedOperator | undefined>(
      (newest, one) => (newest === undefined || one.from > newest.from ? one : newest),
      undefined,
    )?.publicKey
  }

  withdraw(decisions: Iterable<string>): void {
    for (const id of decisions) this.#decisions.delete(id)
  }

  /** Adds to `defects`. Returns what does not count, as sentences. `slack`: by how many milliseconds clocks may differ. */
  check(defects: DefectCollector, ledger: string, slack: number): string[] {
    const notices: string[] = []
    for (const decision of [...this.#decisions.values()].flat()) {
      if (decision.signedBy !== null)
        defects.check(`decision ${decision.id}`, () => this.#verify(decision, ledger, slack))
      else if (this.#wasLocked(decision.time, slack))
        notices.push(
          `decision ${decision.id} about ${decision.name} has no signature of the operator, although the ledger was locked: it does ` +
            'not count for processes that opened the ledger since',
        )
    }
    return notices
  }

  #wasLocked(time: number, slack: number): boolean {
    return [...this.#operators.values()].some(({ from, until }) => time > from + slack && time < until - slack)
  }

  #verify({ id, name, time, text, signedBy, signature }: RaisingDecision, ledger: string, slack: number): void {
    const fault = (why: string): DefectError =>
      new DefectError('signature', `the operator's signature of decision ${id} about ${name} ${why}`)
    const operator = this.#operators.get(String(signedBy))
    if (operator === undefined) throw fault(`is by key ${signedBy}, which no operator of this ledger had`)
    if (operator.key === undefined) throw fault(`cannot be checked: key ${signedBy} was altered`)
    const bytes = Buffer.from(signature ?? '', 'base64')
    if (!crypto.verify(null, Buffer.from(text(ledger)), operator.key, bytes)) throw fault('does not fit')
    if (time > operator.until + slack) throw fault(`was made after key ${signedBy} was retired`)
  }
}
