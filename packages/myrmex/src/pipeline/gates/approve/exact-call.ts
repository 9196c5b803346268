/** A call as a person decides about it: what makes two calls the same, what is shown of it, why it is asked for, and who uses the approval. */
import type { Approval, Approvals, ExactCall } from '../../../ledger/decisions/approvals.ts'
import { recentDenials } from '../../../ledger/decisions/denials.ts'
import { canonical } from '../../../protocol/canonical.ts'
import type { InputResponses } from '../../../protocol/content.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import { redact } from '../../../protocol/secret.ts'
import { plural } from '../../../protocol/text.ts'
import { secretFields, secretFilter } from '../../audit/call-secrets.ts'
import type { Call } from '../../call.ts'
import { RequestCall } from '../../request-call.ts'

export function exactCall(call: Call, rounds: readonly InputResponses[]): ExactCall {
  const { name, version, hash } = call.tool
  return { tool: name, version, hash, args_hash: call.exactHash(rounds), principal: call.principal.id }
}

/**
 * What a person reads about the arguments and answers: canonical JSON without secrets. Throws if a secret hides more than its own field: the
 * caller chooses the secret, and could hide an account or an amount with it.
 */
export function shownArgs(call: Call, rounds: readonly InputResponses[]): string {
  const all = rounds.length === 0 ? (call.shownArguments ?? {}) : call.shownWith(rounds)
  const clean = secretFilter(call, undefined, rounds).value(all)
  const shown = canonical(clean)
  // The arguments of an undo were sent with the call that it undoes.
  if (clean !== all && call.undoOf === undefined && shown !== canonical(redact(all, secretFields(call.tool)))) {
    const why = `The arguments of ${call.tool.name} repeat a secret outside its own field, so that nobody could see what they approve.`
    throw ToolError.of('ValidationError', `${why} Send the secret in its field only.`)
  }
  return shown
}

/** Requests being written: the same call twice at once makes one approval request. */
const pendingRequests = new WeakMap<Approvals, Map<string, Promise<Approval>>>()

export function requestApproval(
  call: Call,
  exact: ExactCall,
  rounds: readonly InputResponses[],
  reason: string,
): Promise<Approval> {
  const { approvals, trust } = call.pipeline.ledger
  const pending = getOrMake(pendingRequests, approvals, () => new Map())
  const isEditable = rounds.length === 0 && mayBeEdited(call)
  const request = async (): Promise<Approval> => {
    // Arguments that a person changes are checked against the definition, in every process.
    if (isEditable && call.tool.origin === 'own') await trust.recordDefinitions([call.tool])
    const why = `${reason}${await denialsText(call, exact)}`
    return approvals.request(exact, shownArgs(call, rounds), why, undefined, isEditable, call.caller.recordedClient)
  }
  return getOrMake(pending, canonical(exact), (name) => request().finally(() => pending.delete(name)))
}

async function denialsText({ pipeline }: Call, exact: ExactCall): Promise<string> {
  const { afterDenialMs } = pipeline.approvalSettings
  const count = afterDenialMs === 0 ? 0 : await recentDenials(pipeline.ledger, exact, afterDenialMs)
  if (count === 0) return ''
  return `; ${plural(count, 'call')} of this tool by this caller ${count === 1 ? 'was' : 'were'} denied a short time ago`
}

/**
 * Whether a person may change the arguments. Those of an undo belong to the call that it undoes, those of a step to the plan of its run, and
 * a resource or prompt is what its request names.
 */
export const mayBeEdited = (call: Call): boolean =>
  call.undoOf === undefined && call.caller.runContext === undefined && !(call instanceof RequestCall)

export function natureOf({ undoOf, depth, caller: { runContext } }: Call): string {
  if (undoOf !== undefined) return 'it undoes what an earlier call did'
  if (runContext === undefined) return 'it changes state'
  const { run, step } = runContext
  return depth === 0
    ? `it changes state, and the approved plan of run ${run} does not have it with these arguments`
    : `it changes state, and step ${step} of run ${run} calls it in turn, which the approved plan does not show`
}

/** A step of a run is approved as such: a retry, or another process that takes the run over, needs no second approval. */
export const userOf = ({ id, depth, caller: { runContext } }: Call): string =>
  runContext !== undefined && depth === 0 ? runContext.key : id
