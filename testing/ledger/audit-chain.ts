/** Lines to record, and a check of the chain that shares nothing with the code that verifies it but the hash of a group. */

import { verify } from 'node:crypto'
import { type CallRecord, expandRecord } from '../../packages/myrmex/src/ledger/audit/call-record.ts'
import { type GroupRow, groupHash, sealText } from '../../packages/myrmex/src/ledger/audit/chain.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

export const isSignedBy = (publicPem: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), publicPem, Buffer.from(signature, 'base64'))

export const auditLine = (call_id: string, more: Partial<CallRecord> = {}): CallRecord => ({
  call_id,
  time: 1_800_000_000_000,
  principal: 'ann',
  transport: 'direct',
  tool: 'shop.sell',
  version: '1.0.0',
  outcome: 'success',
  error_type: null,
  duration_ms: 3,
  run: null,
  step: null,
  approval: null,
  repeat_of: null,
  args: { item: call_id },
  args_hash: null,
  data: { sold: true },
  error: null,
  ...more,
})

/** Records it and waits until it is kept, whichever way the engine has. */
export async function recordLine(ledger: Ledger, recorded: CallRecord): Promise<void> {
  const kept = ledger.audit.record(recorded)
  // Answers leave after everybody who came in this turn was heard, and so their lines become one group.
  await kept
  if (kept !== undefined && !(kept instanceof Promise)) kept.commit()
}

export interface AuditChain {
  readonly groups: readonly GroupRow[]
  /** all lines, whole, in their order */
  readonly lines: readonly CallRecord[]
  readonly callIds: readonly string[]
  /** numbers of the groups that are signed */
  readonly sealed: readonly number[]
}

/** Reads everything and throws at the first thing that does not fit. */
export async function wholeChain(ledger: Ledger): Promise<AuditChain> {
  const groups = await ledger.db.query<GroupRow>('SELECT * FROM audit_groups ORDER BY seq')
  const lines: CallRecord[] = []
  let seq = 0
  let prev = '0'.repeat(64)
  for (const group of groups) {
    seq++
    const texts = group.lines.split('\n')
    if (texts.pop() !== '') throw new Error(`group ${seq} does not end with a newline`)
    const expected = {
      seq,
      first_line: lines.length + 1,
      line_count: texts.length,
      prev,
      hash: groupHash(seq, lines.length + 1, texts.length, prev, group.lines),
    }
    for (const [name, value] of Object.entries(expected)) {
      const found = group[name as keyof GroupRow]
      if (found !== value) throw new Error(`group ${seq} has ${name} ${found} instead of ${value}`)
    }
    let before: CallRecord | undefined
    for (const text of texts) {
      before = expandRecord<CallRecord>(JSON.parse(text), before)
      lines.push(before)
    }
    prev = group.hash
  }
  const sealed = await checkSeals(ledger, groups)
  return { groups, lines, callIds: lines.map(({ call_id }) => call_id), sealed }
}

async function checkSeals(ledger: Ledger, groups: readonly GroupRow[]): Promise<number[]> {
  const seals = await ledger.db.query<{ seq: number; signature: string; public_key: string }>(
    `SELECT audit_seals.seq, signature, public_key FROM audit_seals JOIN keys ON keys.key_id = audit_seals.key_id
     ORDER BY audit_seals.seq`,
  )
  for (const { seq, signature, public_key } of seals) {
    const hash = groups[seq - 1]?.hash ?? 'no group of this number'
    if (!isSignedBy(public_key, sealText(seq, hash), signature))
      throw new Error(`the seal of group ${seq} does not fit`)
  }
  return seals.map(({ seq }) => seq)
}
