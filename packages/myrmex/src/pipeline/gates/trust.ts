/**
 * trust: a safe tool must be verified and a destructive tool must be trusted, with the definition it has now. The gate fails
 * closed: if the ledger cannot be read, no call passes.
 */
import type { TrustLevel, TrustStore } from '../../ledger/decisions/trust.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { type CallEnd, fromThrown, type Outcome, refusal } from '../outcome.ts'

const RANK: Readonly<Record<TrustLevel, number>> = { untrusted: 0, verified: 1, trusted: 2 }
const needed = (tool: Tool): TrustLevel => (tool.destructive ? 'trusted' : 'verified')

export const trust: Gate = (tool, next, pipeline) => {
  const needs = RANK[needed(tool)]
  const byOrigin = tool.origin === 'own' && !tool.destructive
  const refresh = () => pipeline.ledger.trust.refresh()
  const go = (call: Call): CallEnd | Promise<CallEnd> =>
    RANK[pipeline.ledger.trust.levelOf(tool)] >= needs ? next(call) : refuse(call)
  return (call) => {
    if (byOrigin && !pipeline.hasLedger) return next(call)
    const levels = pipeline.ledger.trust
    // For a destructive tool the level is read on every call: a revoked decision holds from the next call on.
    return !tool.destructive && !levels.isStale(call.time) ? go(call) : proceed(call, refresh, go)
  }
}

/** Refuses the call, and stores the definition in the ledger so that a person can decide about it. */
async function refuse({ tool, pipeline, id }: Call): Promise<CallEnd> {
  const levels = pipeline.ledger.trust
  try {
    await keep(tool, levels)
  } catch (thrown) {
    return fromThrown(thrown, id)
  }
  return untrusted(tool, levels.levelOf(tool))
}

const keep = (tool: Tool, levels: TrustStore): Promise<void> =>
  tool.origin === 'own' ? levels.recordDefinitions([tool]) : levels.pin(tool)

/** For planners: the message with which the gate would refuse the tool now; undefined if it would let it pass. */
export async function trustRefusal(tool: Tool, levels: TrustStore): Promise<string | undefined> {
  await levels.refresh()
  if (isTrustedEnough(tool, levels)) return undefined
  await keep(tool, levels)
  return untrusted(tool, levels.levelOf(tool)).error?.error_message
}

/** For lists: whether the gate would let the tool pass, by the levels as last read. */
export const isTrustedEnough = (tool: Tool, levels: TrustStore): boolean =>
  RANK[levels.levelOf(tool)] >= RANK[needed(tool)]

/** For a call that waited for a person: its tool may have lost its trust meanwhile. */
export async function recheckTrust(call: Call): Promise<Outcome | undefined> {
  const levels = call.pipeline.ledger.trust
  await levels.refresh()
  return isTrustedEnough(call.tool, levels) ? undefined : untrusted(call.tool, levels.levelOf(call.tool))
}

function untrusted(tool: Tool, level: TrustLevel): Outcome {
  const needs = needed(tool)
  const what = tool.destructive ? 'changes state and must be trusted' : 'must be verified'
  return refusal(
    'PermissionError',
    `${tool.name} ${tool.version} ${what}; it is ${level}. The operator can look at it with ` +
      `\`myrmex trust status ${tool.name}\` and decide with \`myrmex ${needs === 'trusted' ? 'trust' : 'verify'} ${tool.name}\`.`,
    { tool: tool.name, version: tool.version, definition: tool.hash, level, needs },
  )
}
