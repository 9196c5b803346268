/** A plan for many tools as data: for `--json` and the operator's API. */
import { trackedVersion } from '../tracked-tools.ts'
import type { BulkItem, BulkPlan, LeftOut } from './bulk-plan.ts'

const definitionJson = ({ seen, server }: Pick<BulkItem, 'seen' | 'server'>) => ({
  server,
  tool: seen.tool,
  version: seen.version,
  server_version: seen.definition.server_version === null ? null : trackedVersion(seen),
  hash: seen.definition.hash,
  destructive: seen.body.destructive,
})

const itemJson = (item: BulkItem) => ({
  ...definitionJson(item),
  kind: item.kind,
  level: item.level,
  grant: item.grants,
  changes: [...item.changes],
  findings: item.findings.map((finding) => ({ ...finding })),
})

const leftOutJson = (item: LeftOut) => ({
  ...definitionJson(item),
  reason: item.reason,
  why: item.why,
  command: item.command,
})

export const planJson = ({ items, leftOut, settled, newServers }: BulkPlan) => ({
  servers: [...new Set([...items, ...leftOut].map(({ server }) => server))].map((server) => ({
    server,
    new: newServers.has(server),
    tools: items.filter((one) => one.server === server).map(itemJson),
    left_out: leftOut.filter((one) => one.server === server).map(leftOutJson),
  })),
  tools: items.length,
  left_out: leftOut.length,
  settled,
})
