/**
 * How the rows of decisions came about, and which calls they allowed. A row can match the last decision about it although somebody
 * changed it before that decision was made, or put it back after a call had passed. Both show only here.
 */
import { crypto } from '../../protocol/builtin.ts'
import { HANDED_OVER } from '../../protocol/hand-over.ts'
import { PLAN_NAME } from '../../tool/name.ts'
import { NO_VERSION } from '../../tool/server-version.ts'
import type { AuditRecord } from '../audit/call-record.ts'
import type { Value } from '../db.ts'
import { type DefectCollector, DefectError } from './defect.ts'
import type { DecisionEntry, DecisionTable } from './entry.ts'

/** What counts of the record of a call that had an approval. */
export type ApprovedRecord = Omit<AuditRecord, 'args' | 'data'>

type Row = Readonly<Record<string, Value>>

/** What is left of a decision: texts of a row may be long. */
interface PastDecision {
  readonly id: string
  readonly what: string
  readonly isFromFile: boolean
  readonly time: number
  /** a hash of the columns that no later decision changes */
  readonly identity: string
  readonly tool: string
  readonly version: string
  readonly hash: string
  readonly argsHash: Value
  /** a person changed the arguments before approving; the hash is null if it was not known then */
  readonly edited: { readonly hash: Value } | undefined
  readonly end: number
}

/** The columns of a row that stay as they were when it was made. */
const FIXED: Readonly<Record<DecisionTable, readonly string[]>> = {
  trust: [],
  accepted_changes: 'tool version hash decided grade accepted_at'.split(' '),
  grants: 'tool version hash principal granted_by granted_at expires_at'.split(' '),
  approvals: 'tool version hash args_hash principal args reason requested_at'.split(' '),
  operators: ['public_key', 'set_by', 'set_at'],
  tokens: 'name sha256 profile scopes created_by created_at expires_at'.split(' '),
  switches: ['name', 'profile'],
  users: ['created_by', 'created_at'],
  sign_ins: 'server principal issuer scopes signed_in_by signed_in_at'.split(' '),
}

/** The decision that makes a row. Nothing can be decided about a row that was never made. */
const FIRST: Readonly<Record<DecisionTable, string | undefined>> = {
  trust: undefined,
  accepted_changes: 'accept',
  grants: 'grant',
  approvals: 'request',
  operators: 'lock',
  tokens: 'create token',
  switches: 'switch on',
  users: 'invite',
  sign_ins: 'sign_in',
}

/** A call that an approval or a grant allowed. */
interface AllowedCall {
  readonly call: string
  /** a step of a run may be tried again under the same approval */
  readonly user: string
  readonly tool: string
  readonly version: string
  readonly argsHash: string | undefined
  /** of the arguments that its caller sent, if others were approved */
  readonly sentHash: unknown
  readonly time: number
}

export class DecisionHistory {
  /** by table and key */
  readonly #decisions = new Map<string, PastDecision[]>()
  readonly #withdrawn = new Set<string>()
  /** by the id of the approval: two calls at most, because the second is one too many */
  readonly #approved = new Map<string, AllowedCall[]>()
  /** by the id of the grant and the tool: the last call */
  readonly #granted = new Map<string, AllowedCall & { readonly grant: string }>()

  decision(name: string, { id, what, from, table }: DecisionEntry, row: Row, time: number): void {
    const past = {
      id,
      what,
      isFromFile: from === 'file',
      time,
      identity: identityOf(table, row),
      tool: String(row.tool),
      version: String(row.version),
      hash: String(row.hash),
      argsHash: row.args_hash ?? null,
      edited: row.edited_args == null ? undefined : { hash: row.edited_hash ?? null },
      end: Number(row.revoked_at ?? row.expires_at ?? Number.POSITIVE_INFINITY),
    }
    const known = this.#decisions.get(name)
    if (known === undefined) this.#decisions.set(name, [past])
    else known.push(past)
  }

  withdraw(decisions: Iterable<string>): void {
    for (const id of decisions) this.#withdrawn.add(id)
  }

  record(approval: string, record: ApprovedRecord): void {
    // The decision is in the ledger of the program that started the server.
    if (approval === HANDED_OVER) return
    const { call_id, run, step, tool, version, args_hash, time, transport, sent } = record
    // Runs call in their own process. A caller elsewhere can name any run.
    const user = run === undefined || transport !== 'direct' ? call_id : `run ${run} ${step}`
    const call = {
      call: call_id,
      user,
      tool,
      version: String(version),
      argsHash: args_hash,
      sentHash: sent?.args_hash,
      time,
    }
    if (isGrant(approval)) {
      const name = `${approval} ${call.tool} ${call.version}`
      if ((this.#granted.get(name)?.time ?? 0) <= time) this.#granted.set(name, { ...call, grant: approval })
      return
    }
    const known = this.#approved.get(approval) ?? []
    if (known.length < 2 && !known.some((one) => one.user === user)) this.#approved.set(approval, [...known, call])
  }

  /**
   * Adds to `defects`. `isPartial`: an operator has accepted that a part of the journal is lost, and with it decisions. What
   * is missing for that reason is returned, as sentences. `clocksDiffer`: by how many milliseconds the clock of the store and
   * those of servers may differ.
   */
  check(defects: DefectCollector, isPartial: boolean, clocksDiffer: number): readonly string[] {
    const lost: string[] = []
    const miss = (defect: DefectError): void => {
      if (!isPartial) throw defect
      lost.push(`${defect.message}, or the decision is in a part of the journal that was accepted as lost`)
    }
    for (const [name, all] of this.#decisions) {
      const table = name.slice(0, name.indexOf(' ')) as DecisionTable
      const past = all.filter(({ id }) => !this.#withdrawn.has(id))
      defects.check(name, () => {
        if (table === 'trust') checkPins(name, past)
        else checkOrigin(name, past, FIRST[table], miss)
      })
    }
    for (const [id, calls] of this.#approved)
      defects.check(`calls under ${id}`, () => this.#checkApproval(id, calls, miss))
    for (const [name, call] of this.#granted)
      defects.check(`calls under ${name}`, () => this.#checkGrant(call, clocksDiffer, miss))
    return lost
  }

  #past(name: string): PastDecision[] {
    return (this.#decisions.get(name) ?? []).filter(({ id }) => !this.#withdrawn.has(id))
  }

  #checkApproval(id: string, [call, second]: readonly AllowedCall[], miss: Miss): void {
    if (call === undefined) return
    const approved = this.#past(`approvals ${id}`).find(({ what }) => what === 'approve')
    if (approved === undefined) return miss(unallowed(call.call, `approval ${id}, which nobody gave`))
    if (approved.tool === PLAN_NAME) return
    if (second !== undefined)
      throw unallowed(second.call, `approval ${id}, which call ${call.call} had used: an approval is for one call`)
    if (!isSameTool(approved, call) || !isApprovedCall(approved, call))
      throw unallowed(call.call, `approval ${id}, which was given for another call`)
  }

  #checkGrant(allowed: AllowedCall & { grant: string }, slack: number, miss: Miss): void {
    const { grant, call, time } = allowed
    const past = this.#past(`grants ${grant}`)
    const [first] = past
    if (first === undefined) return miss(unallowed(call, `grant ${grant}, which nobody gave`))
    if (!isSameTool(first, allowed)) throw unallowed(call, `grant ${grant}, which was given for another tool`)
    const end = past.reduce((least, one) => Math.min(least, one.end), Number.POSITIVE_INFINITY)
    if (time > end + slack) throw unallowed(call, `grant ${grant} after it had been revoked or had expired`)
  }
}

type NamedTool = Pick<PastDecision, 'tool' | 'version'>

/** A tool of an upstream may have no version of its own. Records of its calls then have that of its server, and decisions follow no version. */
const isSameTool = (decided: NamedTool, called: NamedTool): boolean =>
  decided.tool === called.tool && (decided.version === NO_VERSION || decided.version === called.version)

/** With the arguments that were approved, in the place of those that were asked for. */
function isApprovedCall({ argsHash, edited }: PastDecision, call: AllowedCall): boolean {
  if (edited === undefined) return (call.argsHash ?? argsHash) === argsHash
  return call.sentHash === argsHash && (edited.hash === null || (call.argsHash ?? edited.hash) === edited.hash)
}

/** Reports what the journal does not have. */
type Miss = (defect: DefectError) => void

/** A pin is the first that is known of a definition, and trust from a file changes no pin. */
function checkPins(name: string, past: readonly PastDecision[]): void {
  for (const one of past) {
    if (one.what !== 'pin' && !one.isFromFile) continue
    const earlier = past.filter(({ time }) => time < one.time)
    const last = earlier.reduce<PastDecision | undefined>(
      (newest, other) => (newest === undefined || other.time >= newest.time ? other : newest),
      undefined,
    )
    const isReplaced = one.what === 'pin' ? last !== undefined : last !== undefined && last.hash !== one.hash
    if (isReplaced)
      throw new DefectError(
        'decision',
        `the row of ${name} was altered or removed before decision ${one.id}: decision ${last?.id} had pinned it`,
      )
  }
}

function checkOrigin(name: string, past: readonly PastDecision[], first: string | undefined, miss: Miss): void {
  const [one] = past
  if (one === undefined) return
  const origin = past.find(({ what }) => what === first)
  if (origin === undefined) {
    const why = `the row of ${name} was put in before decision ${one.id}: the journal has no ${first} of it`
    return miss(new DefectError('decision', why))
  }
  const altered = past.find(({ identity }) => identity !== origin.identity)
  if (altered !== undefined)
    throw new DefectError(
      'decision',
      `the row of ${name} was altered before decision ${altered.id}: it is not what decision ${origin.id} says`,
    )
}

const unallowed = (call: string, under: string): DefectError =>
  new DefectError('decision', `call ${call} ran under ${under}: a row was altered while it ran`)

const isGrant = (approval: string): boolean => approval.startsWith('g-')

const identityOf = (table: DecisionTable, row: Row): string =>
  crypto.hash('sha256', JSON.stringify(FIXED[table].map((column) => row[column] ?? null)), 'base64url')
