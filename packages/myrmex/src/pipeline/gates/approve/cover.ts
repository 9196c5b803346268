/** What lets a call through that changes state, without asking a person: a standing grant, the approved plan of its run, or a decision that was handed over. */
import { ToolError } from '../../../protocol/errors.ts'
import { HANDED_OVER } from '../../../protocol/hand-over.ts'
import type { Call } from '../../call.ts'
import { isHandedOver } from '../../handed-over.ts'
import { isPromise } from '../../outcome.ts'

/** The id of the standing grant or the approved plan that covers the call. */
export type Cover = string | undefined

export function coverOf(call: Call): Cover | Promise<Cover> {
  call.checkArgs()
  const { name, version, hash } = call.tool
  const grant = call.pipeline.ledger.grants.covering({ tool: name, version, hash }, call.principal.id)
  return isPromise(grant) ? grant.then((late) => late ?? followedCover(call)) : (grant ?? followedCover(call))
}

/** The grants of the decided definition also cover one that the host proved to mean the same. A revoked one covers neither. */
function followedCover(call: Call): Cover | Promise<Cover> {
  const { trust, grants } = call.pipeline.ledger
  const followed = trust.followedDefinition(call.tool)
  if (followed === undefined) return planOf(call)
  if (isPromise(followed)) {
    return followed.then(async (late) => (late && (await grants.covering(late, call.principal.id))) ?? planOf(call))
  }
  const grant = grants.covering(followed, call.principal.id)
  return isPromise(grant) ? grant.then((late) => late ?? planOf(call)) : (grant ?? planOf(call))
}

export function planOf(call: Call): Cover {
  // Its arguments and answers were approved there.
  if (isHandedOver(call)) return HANDED_OVER
  const plan = call.caller.runContext?.covers(call)
  // The person who approved the plan saw no answers.
  if (plan === undefined) return undefined
  call.useCanonicalArguments()
  call.answerGuard = () => Promise.reject(ToolError.of('PermissionError', UNSEEN_ANSWERS))
  return plan
}
const UNSEEN_ANSWERS = 'The approval of a plan covers no answers of a client.'
