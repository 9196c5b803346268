/** The definition hash: SHA-256 over the canonical JSON (RFC 8785) of everything a caller can see of a tool. */
import { crypto } from '../protocol/builtin.ts'
import { canonical } from '../protocol/canonical.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { AS_DEFINED } from './as-defined.ts'
import type { Tool } from './tool.ts'
import { upstreamListing } from './upstream-listing.ts'

/** What a caller can see. A change to any of it is a change of definition. */
export function visibleDefinition(tool: Omit<Tool, 'hash'>): Record<string, unknown> {
  const listing = upstreamListing(tool)
  return {
    name: tool.name,
    version: tool.version,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input.json,
    outputSchema: tool.output.json,
    errors: tool.errors,
    idempotent: tool.idempotent,
    destructive: tool.destructive,
    security: tool.security,
    examples: tool.examples,
    timeout: tool.timeout,
    limit: tool.limit,
    cacheTtl: tool.cacheTtl,
    deprecatedIn: tool.deprecatedIn,
    replacedBy: tool.replacedBy,
    task: tool.task,
    // Left out if absent, so that the hash of other tools stays the same.
    ...(tool.keyed && { keyed: true }),
    ...(tool.undo !== undefined && { undo: true }),
    ...(tool.dryRun !== undefined && { dryRun: true }),
    ...(tool.migration !== undefined && { migration: tool.migration }),
    ...(Object.keys(tool.errorDetails).length > 0 && { errorDetails: detailSchemas(tool.errorDetails) }),
    ...(tool.returnsText && { text: true }),
    ...(tool.openWorld !== undefined && { openWorld: tool.openWorld }),
    ...(tool.icons !== undefined && { icons: tool.icons }),
    ...(tool.meta !== undefined && { meta: tool.meta }),
    ...(listing !== undefined && { listing: extraListingFields(tool, listing) }),
  }
}

const detailSchemas = (details: Tool['errorDetails']): Record<string, JsonObject> =>
  Object.fromEntries(Object.entries(details).map(([type, { json }]) => [type, json]))

/** The fields of the listing that no other field covers: annotations, icons, later additions. */
function extraListingFields(
  { title, description, input, output }: Omit<Tool, 'hash'>,
  listing: JsonObject,
): JsonObject {
  const known: Record<string, unknown> = { title, description, inputSchema: input.json, outputSchema: output.json }
  const isKnown = (field: string, said: unknown): boolean =>
    Object.hasOwn(known, field) && canonical(said) === canonical(known[field] ?? null)
  // The name of a covered field is kept: an empty schema is not the same as no schema.
  return Object.fromEntries(
    Object.entries(listing).map(([field, said]) => [field, isKnown(field, said) ? AS_DEFINED : said]),
  ) as JsonObject
}

/** How the upstream itself lists the tool of a stored definition: the inverse of the above. Undefined if it has no listing. */
export function listingOf(body: Readonly<Record<string, unknown>>): JsonObject | undefined {
  if (!isObject(body.listing)) return undefined
  const known: Record<string, unknown> = {
    title: body.title,
    description: body.description,
    inputSchema: body.inputSchema,
    outputSchema: body.outputSchema,
  }
  return Object.fromEntries(
    Object.entries(body.listing).map(([field, said]) => [
      field,
      said === AS_DEFINED && Object.hasOwn(known, field) ? (known[field] ?? null) : said,
    ]),
  ) as JsonObject
}

export const sha256 = (text: string): string => crypto.hash('sha256', text, 'hex')

export const definitionHash = (tool: Omit<Tool, 'hash'>): string => sha256(canonical(visibleDefinition(tool)))
