/**
 * trust: a safe tool must be verified and a destructive tool must be trusted, with the definition it has now. The gate fails
 * closed: if the ledger cannot be read, no call passes.
 */
import type { TrustLevel, TrustStore } from '../../ledger/decisions/trust.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import { type Gate, proceed } from '../gate.ts'
import { type CallEnd, isPromise, type Outcome, refusal } from '../outcome.ts'

const RANK: Readonly<Record<TrustLevel, number>> = { untrusted: 0, verified: 1, trusted: 2 }
const needed = (tool: Tool): TrustLevel => (tool.destructive ? 'trusted' : 'verified')

export const trust: Gate = (tool, next, pipeline) => {
  const needs = RANK[needed(tool)]
  const byOrigin = tool.origin === 'own' && !tool.destructive
  // A revoked decision of another process holds from the next call on for a tool that changes state, and soon for the others.
  const levelFor = (call: Call): TrustLevel | Promise<TrustLevel> => {
    const levels = pipeline.ledger.trust
    if (tool.destructive) return levels.currentLevel(tool)
    const read = levels.isStale(call.time) ? levels.refresh() : undefined
    return isPromise(read) ? read.then(() => levels.levelOf(tool)) : levels.levelOf(tool)
  }
  const decide = (call: Call, level: TrustLevel): CallEnd | Promise<CallEnd> =>
    RANK[level] >= needs ? next(call) : refuse(call, level)
  return (call) => (byOrigin && !pipeline.hasLedger ? next(call) : proceed(call, levelFor, decide))
}

/** Refuses the call, and stores the definition in the ledger so that a person can decide about it. */
async function refuse(call: Call, level: TrustLevel): Promise<CallEnd> {
  const { tool, pipeline } = call
  try {
    await keep(tool, pipeline.ledger.trust)
  } catch (thrown) {
    return call.endWith(thrown)
  }
  return untrusted(tool, level)
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
  const level = await call.pipeline.ledger.trust.currentLevel(call.tool)
  return RANK[level] >= RANK[needed(call.tool)] ? undefined : untrusted(call.tool, level)
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
