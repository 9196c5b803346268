/**
 * trust: a safe tool must be verified and a destructive tool must be trusted, with the definition it has now. An undo changes state,
 * so its tool must be trusted. The gate fails closed: if the ledger cannot be read, no call passes.
 */

import type { TrustStore } from '../../ledger/decisions/trust.ts'
import type { TrustLevel } from '../../ledger/decisions/trust-row.ts'
import { possibleResources } from '../../tool/possible-resources.ts'
import { shownVersion } from '../../tool/server-version.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed, type Step } from '../gate.ts'
import { levelWithHandOver } from '../handed-over.ts'
import { type CallEnd, isPromise, type Outcome, refusal } from '../outcome.ts'

const RANK: Readonly<Record<TrustLevel, number>> = { untrusted: 0, verified: 1, trusted: 2 }
const needed = (changesState: boolean): TrustLevel => (changesState ? 'trusted' : 'verified')

export const trust: Gate = (tool, next, pipeline) => {
  const byOrigin = tool.origin === 'own' && !tool.destructive
  // A revoked decision of another process holds from the next call on for a tool that changes state, and soon for the others.
  const levelFor = (call: Call): TrustLevel | Promise<TrustLevel> => {
    const levels = pipeline.ledger.trust
    if (call.changesState) return levels.currentLevel(tool)
    const read = levels.isStale(call.time) ? levels.refresh() : undefined
    return isPromise(read) ? read.then(() => levels.levelOf(tool)) : levels.levelOf(tool)
  }
  const isOpen = possibleResources(tool) !== undefined
  const pass: Step = (call) => (isOpen ? besideRefused(call) : undefined) ?? next(call)
  const decide = (call: Call, level: TrustLevel): CallEnd | Promise<CallEnd> =>
    RANK[levelWithHandOver(call, level)] >= RANK[needed(call.changesState)] ? pass(call) : refuse(call, level)
  return (call) =>
    byOrigin && !pipeline.hasLedger && call.undoOf === undefined ? next(call) : proceed(call, levelFor, decide)
}

/** Refuses the call, and stores the definition in the ledger so that a person can decide about it. */
async function refuse(call: Call, level: TrustLevel): Promise<CallEnd> {
  const { tool, pipeline } = call
  call.note({ isUnread: true })
  try {
    await keep(tool, pipeline.ledger.trust)
  } catch (thrown) {
    return call.endWith(thrown)
  }
  return untrusted(tool, level, call.changesState, pipeline.ledger.trust.isChanged(tool))
}

const keep = (tool: Tool, levels: TrustStore): Promise<void> =>
  tool.origin === 'own' ? levels.recordDefinitions([tool]) : levels.pin(tool)

/** For planners: the message with which the gate would refuse the tool now; undefined if it would let it pass. */
export async function trustRefusal(tool: Tool, levels: TrustStore): Promise<string | undefined> {
  await levels.refresh()
  if (isTrustedEnough(tool, levels)) return undefined
  await keep(tool, levels)
  return untrusted(tool, levels.levelOf(tool), tool.destructive, levels.isChanged(tool)).error?.error_message
}

/** For lists: whether the gate would let the tool pass, by the levels as last read. */
export const isTrustedEnough = (tool: Tool, levels: TrustStore): boolean =>
  RANK[levels.levelOf(tool)] >= RANK[needed(tool.destructive)]

/**
 * For lists: whether a model may read more of a tool than its name, by the levels as last read. A definition that somebody else wrote is
 * shown if calls of it would pass. Our own is shown until somebody decides against it.
 */
export const isReviewed = (tool: Tool, levels: TrustStore): boolean => isReviewedAt(tool, levels.levelOf(tool))

export const isReviewedAt = (tool: Tool, level: TrustLevel): boolean =>
  tool.origin === 'own' ? level !== 'untrusted' : RANK[level] >= RANK[needed(tool.destructive)]

/** For a call that waited for a person: its tool may have lost its trust meanwhile. */
export async function recheckTrust(call: Call): Promise<Outcome | undefined> {
  const levels = call.pipeline.ledger.trust
  const level = await levels.currentLevel(call.tool)
  const { tool, changesState } = call
  return RANK[levelWithHandOver(call, level)] >= RANK[needed(changesState)]
    ? besideRefused(call)
    : untrusted(tool, level, changesState, levels.isChanged(tool))
}

/** A URI that is not listed could mean a resource that was revoked or quarantined. */
function besideRefused({ tool, pipeline }: Call): Outcome | undefined {
  const refused = pipeline.ledger.trust.refusedResource(tool)
  if (refused === undefined) return undefined
  return refusal(
    'PermissionError',
    `${tool.name} cannot be used while ${refused} is untrusted: a URI that is not listed could mean that resource. The operator can ` +
      `look at it with \`npx myrmex trust status ${refused}\` and decide with \`npx myrmex verify ${refused}\`.`,
    { tool: tool.name, version: tool.version, definition: tool.hash, untrusted: refused },
  )
}

const CHANGED = ', because its definition has changed since it was reviewed'

function untrusted(tool: Tool, level: TrustLevel, changesState: boolean, isChanged: boolean): Outcome {
  const needs = needed(changesState)
  const what = !changesState
    ? 'must be verified'
    : `${tool.destructive ? 'changes state' : 'is to be undone, which changes state,'} and must be trusted`
  return refusal(
    'PermissionError',
    `${tool.name} ${shownVersion(tool)} ${what}; it is ${level}${isChanged ? CHANGED : ''}. The operator can look at it with ` +
      `\`npx myrmex trust status ${tool.name}\` and decide with \`npx myrmex ${needs === 'trusted' ? 'trust' : 'verify'} ${tool.name}\`.`,
    { tool: tool.name, version: tool.version, definition: tool.hash, level, needs },
  )
}
