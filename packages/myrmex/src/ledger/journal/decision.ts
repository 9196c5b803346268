/**
 * Decisions as entries of the journal: who decided what, when, about which definition, and from where. Each has the rows of the
 * ledger's tables as they are after it, so that the tables can be compared with the journal and made again from it.
 */
import { crypto } from '../../protocol/builtin.ts'
import type { OperatorSigner } from '../operator/operator-key.ts'
import type { DecisionEntry, DecisionSource, DecisionTable } from './entry.ts'

/**
 * Who decided, and from where. A bare name is a program that has opened the ledger. In a locked ledger only a decider with an unlocked
 * operator's key can raise rights.
 */
export type Decider =
  | string
  | { readonly name: string; readonly from: DecisionSource; readonly signer?: OperatorSigner | undefined }

export const deciderName = (by: Decider): string => (typeof by === 'string' ? by : by.name)
export const deciderSource = (by: Decider): DecisionSource => (typeof by === 'string' ? 'program' : by.from)

export interface Decision {
  /** a verb: trust, pin, grant, revoke, request, approve, deny */
  readonly what: string
  readonly by: Decider
  readonly table: DecisionTable
  /** as they are after the decision */
  readonly rows: readonly object[]
}

export const decisionEntry = ({ what, by, table, rows }: Decision): DecisionEntry => ({
  kind: 'decision',
  id: `d-${crypto.randomBytes(6).toString('hex')}`,
  time: Date.now(),
  what,
  by: deciderName(by),
  from: deciderSource(by),
  table,
  rows: rows.map((row) => ({ ...row })),
})
