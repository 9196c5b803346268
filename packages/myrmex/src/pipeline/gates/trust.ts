/**
 * trust: a tool that changes nothing must be verified, one that changes state trusted, and that by the definition it has now.
 * The gate fails closed: where the ledger cannot be asked, nothing passes.
 */
import type { TrustLevel, TrustStore } from '../../ledger/decisions/trust.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Call } from '../call.ts'
import type { Gate } from '../gate.ts'
import { type CallEnd, failure, fromThrown, isPromise, type Outcome } from '../outcome.ts'

const RANK: Readonly<Record<TrustLevel, number>> = { untrusted: 0, verified: 1, trusted: 2 }
const needed = (tool: Tool): TrustLevel => (tool.destructive ? 'trusted' : 'verified')

export const trust: Gate = (tool, next, pipeline) => {
  const needs = RANK[needed(tool)]
  const byOrigin = tool.origin === 'own' && !tool.destructive
  const go = (call: Call): CallEnd | Promise<CallEnd> =>
    RANK[pipeline.ledger.trust.levelOf(tool)] >= needs ? next(call) : refuse(call)
  return (call) => {
    if (byOrigin && !pipeline.hasLedger) return next(call)
    const levels = pipeline.ledger.trust
    // What changes state is looked up every time: a decision taken back must hold from the next call on.
    if (!tool.destructive && !levels.isStale(call.time)) return go(call)
    try {
      const read = levels.refresh()
      if (isPromise(read)) return read.then(() => go(call)).catch((thrown) => fromThrown(thrown, call.id))
      return go(call)
    } catch (thrown) {
      return fromThrown(thrown, call.id)
    }
  }
}

/** Refuses, and makes sure that whoever decides finds the definition in the ledger. */
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

/** For whoever plans calls: what the gate would say of a tool now, in words. Undefined: it would let it pass. */
export async function trustRefusal(tool: Tool, levels: TrustStore): Promise<string | undefined> {
  await levels.refresh()
  if (RANK[levels.levelOf(tool)] >= RANK[needed(tool)]) return undefined
  await keep(tool, levels)
  return untrusted(tool, levels.levelOf(tool)).error?.error_message
}

/** For lists: whether the gate would let it pass, by the levels as they were last read. */
export const isTrustedEnough = (tool: Tool, levels: TrustStore): boolean =>
  RANK[levels.levelOf(tool)] >= RANK[needed(tool)]

/** For a call that waited: what was trusted when it came may not be any more. */
export async function recheckTrust(call: Call): Promise<Outcome | undefined> {
  const levels = call.pipeline.ledger.trust
  await levels.refresh()
  const level = levels.levelOf(call.tool)
  return RANK[level] >= RANK[needed(call.tool)] ? undefined : untrusted(call.tool, level)
}

function untrusted(tool: Tool, level: TrustLevel): Outcome {
  const needs = needed(tool)
  const what = tool.destructive ? 'changes state and must be trusted' : 'must be verified'
  return failure({
    error_type: 'PermissionError',
    error_message:
      `${tool.name} ${tool.version} ${what}; it is ${level}. The operator can look at it with ` +
      `\`myrmex trust status ${tool.name}\` and decide with \`myrmex ${needs === 'trusted' ? 'trust' : 'verify'} ${tool.name}\`.`,
    error_details: { tool: tool.name, version: tool.version, definition: tool.hash, level, needs },
  })
}
