/**
 * The supported protocol revisions and the reserved `_meta` keys. In the modern era every request carries its own metadata; in
 * the legacy era `initialize` opens a session.
 */

/** The version of the specification's protocol: its envelopes, error format and tool documents. MCP has revisions of its own, below. */
export const PROTOCOL_VERSION = '1.0.0'

/** The version of this package; a test holds it equal to package.json. */
export const MYRMEX_VERSION = '0.1.0'

export const MODERN_VERSION = '2026-07-28'

/** Newest first: the first one is offered to a legacy client that requests an unknown revision. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
export type LegacyVersion = (typeof LEGACY_VERSIONS)[number]

export const SUPPORTED_VERSIONS: readonly string[] = [MODERN_VERSION, ...LEGACY_VERSIONS]

/** The only revision whose JSON-RPC allowed batches. */
export const BATCH_VERSION = '2025-03-26'

/** The only legacy revision that has tasks. */
export const LEGACY_TASKS_VERSION = '2025-11-25'

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  progressToken: 'progressToken',
  /** on everything about a task of the legacy era: its id */
  relatedTask: 'io.modelcontextprotocol/related-task',
  /** canonical name of a listed tool */
  name: 'myrmex/name',
  /** status, explanation and call id of a result */
  result: 'myrmex/result',
  /** the version range a caller asks for */
  version: 'myrmex/version',
  /** on a listed tool, true: its version is that of the server behind the host, and no part of its definition */
  isServerVersion: 'myrmex/isServerVersion',
  /** the version of a tool in which it was deprecated, and what to use instead: on what is listed and on every result */
  deprecatedIn: 'myrmex/deprecatedIn',
  replacedBy: 'myrmex/replacedBy',
  idempotencyKey: 'myrmex/idempotencyKey',
  /** on a listed tool, true: with the same idempotency key it has its effect once, however often it runs */
  keyed: 'myrmex/keyed',
  /** on a listed tool, true: it returns a text, which is `{ text }` in a ToolResult */
  text: 'myrmex/text',
  /** on a listed tool, true: its calls can be undone. On a call: the id of the recorded call to undo */
  undo: 'myrmex/undo',
  /** on a listed tool, true: it has a dry run. On a call, true: its dry run runs in its place */
  dryRun: 'myrmex/dryRun',
  /** on a listed tool, true: it is listed by its name only, because the operator of its server has not reviewed it */
  notReviewed: 'myrmex/notReviewed',
  /** on a call: the proof that the program which started this server has decided about it; see protocol/hand-over.ts */
  handOver: 'myrmex/handOver',
  /** on `tools/list`: calls that are planned; on its result: those that would be refused, with the reason */
  refusals: 'myrmex/refusals',
  /** on a task: the approval that its call waits for, in the ledger of the server */
  waitsFor: 'myrmex/waitsFor',
  /** on a request without a connection of its own: the session of its client; see server/session-handle.ts */
  session: 'myrmex/session',
  /** the standard context object */
  context: 'myrmex/context',
  /** a partial result, on a progress notification */
  partial: 'myrmex/partial',
  /** on a progress notification: a host that forwards the call may end its client's stream early */
  disconnect: 'myrmex/disconnect',
  /** on a list of a host: the hosts that its items came through; on a request for an unlisted URI: those that it came through. See tool/passed-hosts.ts */
  hosts: 'myrmex/hosts',
  /** on a result that a host marked as data: the server it came from, and what the scanner found in it */
  marked: 'myrmex/marked',
} as const

/** MCP Apps */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
export const AGENT_EXTENSION = 'myrmex/agent'
export const BATCH_EXTENSION = 'myrmex/batch'
/** The server never runs a tool if it is asked for a dry run. Another server would ignore the flag and run it. */
export const DRY_RUN_EXTENSION = 'myrmex/dryRun'

export function isLegacyVersion(version: unknown): version is LegacyVersion {
  return (LEGACY_VERSIONS as readonly unknown[]).includes(version)
}
