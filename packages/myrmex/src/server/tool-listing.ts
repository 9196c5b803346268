/** A tool as `tools/list` shows it, and the hash by which a host that listed it knows the definition. */
import { canonical } from '../protocol/canonical.ts'
import { getOrMake } from '../protocol/get-or-make.ts'
import type { JsonObject } from '../protocol/json.ts'
import { META } from '../protocol/versions.ts'
import { sha256 } from '../tool/hash.ts'
import type { ListedTool } from '../tool/registry.ts'
import { serverVersionOf, shownVersion } from '../tool/server-version.ts'
import { listedTaskSupport, taskSupport } from '../tool/task-support.ts'
import { outputSchemaOf, type Tool } from '../tool/tool.ts'
import { shownMeta, upstreamListing } from '../tool/upstream-listing.ts'
import { deprecationMeta } from './results/call-result.ts'
import type { Server } from './server.ts'
import { notCallable } from './visible-items.ts'

/** Both sides of a hand-over compute it from the same JSON. */
export const definitionHash = (listed: JsonObject): string =>
  getOrMake(hashes, listed, () => sha256(canonical(JSON.parse(JSON.stringify(listed)))))
const hashes = new WeakMap<JsonObject, string>()

/** Undefined: this version is not listed. */
export function listedDefinitionHash({ registry }: Server, tool: Tool): string | undefined {
  const item = registry.listed().find((listed) => listed.tool === tool)
  return item && definitionHash(getOrMake(listings, item, toolListing))
}
const listings = new WeakMap<ListedTool, JsonObject>()

export const nameOnlyListing = ({ listedAs, tool }: ListedTool): JsonObject => ({
  name: listedAs,
  description: notCallable(tool.name),
  inputSchema: { type: 'object' },
  _meta: { ...namedVersion(tool), [META.notReviewed]: true },
})

const namedVersion = (tool: Tool): JsonObject => ({
  [META.name]: tool.name,
  [META.version]: shownVersion(tool),
  ...(serverVersionOf(tool) !== undefined && { [META.isServerVersion]: true }),
})

/** Since 2025-11-25 the list says which tools can run as tasks. Earlier clients ignore it. */
export function legacyToolListing(item: ListedTool): JsonObject {
  const listed = toolListing(item)
  const support = taskSupport(item.tool)
  if (support === undefined || listedTaskSupport(listed) === support) return listed
  return { ...listed, execution: { ...(listed.execution as JsonObject | undefined), taskSupport: support } }
}

/** A tool as MCP lists it, derived from its definition. */
export function toolListing({ listedAs, tool }: ListedTool): JsonObject {
  const output = outputSchemaOf(tool)
  const own = namedVersion(tool)
  const upstream = upstreamListing(tool)
  if (upstream !== undefined) {
    // The upstream's own listing. Its output schema is extended, so that our errors fit it too.
    const { outputSchema, _meta, ...said } = upstream
    const schema = outputSchema === undefined || output === undefined ? undefined : orErrorDetail(output)
    return {
      ...said,
      name: listedAs,
      ...(schema !== undefined && { outputSchema: schema }),
      _meta: { ...shownMeta(tool, _meta as JsonObject | undefined), ...own },
    }
  }
  return {
    name: listedAs,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    inputSchema: tool.input.json,
    ...(output !== undefined && !tool.returnsText && { outputSchema: orErrorDetail(output) }),
    ...(tool.icons !== undefined && { icons: tool.icons as unknown as JsonObject[] }),
    annotations: {
      ...(tool.title !== undefined && { title: tool.title }),
      readOnlyHint: !tool.destructive,
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      ...(tool.openWorld !== undefined && { openWorldHint: tool.openWorld }),
    },
    _meta: {
      ...tool.meta,
      ...own,
      ...(tool.returnsText && { [META.text]: true }),
      ...(tool.keyed && { [META.keyed]: true }),
      ...(tool.undo !== undefined && { [META.undo]: true }),
      ...(tool.dryRun !== undefined && { [META.dryRun]: true }),
      ...deprecationMeta(tool),
    },
  }
}

/**
 * A failure's structured content is an ErrorDetail, so the listed schema must allow one. The official SDK 1.x and the Inspector check
 * even failures against it, and would replace our error by one of their own.
 */
function orErrorDetail(output: JsonObject): JsonObject {
  // References into the root must point into the branch.
  const { $defs, ...data } = JSON.parse(JSON.stringify(output), (key, value) =>
    key === '$ref' && typeof value === 'string' && /^#(\/(?!\$defs\/)|$)/.test(value)
      ? `#/anyOf/0${value.slice(1)}`
      : value,
  ) as JsonObject
  return {
    type: 'object',
    anyOf: [data, { required: ['error_type', 'error_message'] }],
    ...($defs !== undefined && { $defs }),
  }
}
