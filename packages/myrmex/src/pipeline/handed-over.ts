/**
 * Decisions that the program which started this server handed over (protocol/hand-over.ts). They stand in for a decision that nobody has made
 * here, and for no other: what was revoked here stays refused, a rule of this server's policy or constitution still asks, a definition of
 * others needs its own decision, and in a locked ledger only the operator's signature counts.
 */
import type { TrustLevel } from '../ledger/decisions/trust-row.ts'
import type { Call } from './call.ts'

export const isHandedOver = ({ tool, depth, caller, pipeline }: Call): boolean =>
  depth === 0 && tool.origin === 'own' && !pipeline.ledger.lock.isLocked && caller.handedOver?.(tool) === true

/** Our own code is verified until somebody decides against it. */
export const levelWithHandOver = (call: Call, level: TrustLevel): TrustLevel =>
  level === 'verified' && call.changesState && isHandedOver(call) ? 'trusted' : level
