/**
 * Suggests settings for the tools of a server that says nothing about what they change. Without annotations a tool counts as one that
 * changes state, so that each of its calls needs a trusted tool. Only names and descriptions are judged, and those are the server's word
 * too: nothing is applied until the operator accepts it. A tool that an annotation or the operator's file speaks about is left alone.
 */
import type { TrackedTool } from '../../ledger/decisions/tracked-tools.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { listingOf } from '../../tool/hash.ts'
import type { Tool } from '../../tool/tool.ts'
import { upstreamListing } from '../../tool/upstream-listing.ts'
import { settingsForTool } from '../catalogue/tool-settings.ts'
import type { ServerSettings, ToolSettings } from '../settings.ts'

export interface SettingsSuggestion {
  readonly server: string
  /** for `tools` of the server in myrmex.json, with the tools that each covers */
  readonly patterns: readonly { readonly pattern: string; readonly tools: readonly string[] }[]
  /** say nothing about what they change either, and look as if they change something */
  readonly others: readonly string[]
}

/** What a suggestion follows from. */
export interface SuggestionFacts {
  /** canonical */
  readonly name: string
  readonly destructive: boolean
  /** as the server lists it */
  readonly listing: JsonObject | undefined
}

export const suggestionFacts = (tool: Tool): SuggestionFacts => ({
  name: tool.name,
  destructive: tool.destructive,
  listing: upstreamListing(tool),
})

export const trackedSuggestionFacts = ({ tool, body }: TrackedTool): SuggestionFacts => ({
  name: tool,
  destructive: body.destructive,
  listing: listingOf(body),
})

/** Shows the suggestion, and accepts it. */
export const suggestCommand = (server: string): string => `npx myrmex host suggest ${server}`

/** What only reads begins with one of these. Not `query` and `run`: a query may write. */
const READS = new Set('get list read search find fetch describe show view count lookup'.split(' '))
/** A name with one of these, or a description that says it, is left to a person. */
const WRITES =
  /(?:^|[^a-z])(?:add|append|apply|archive|assign|ban|book|burn|buy|cancel|change|clear|clone|close|commit|copy|create|delete|deploy|destroy|disable|drain|drop|edit|enable|erase|evict|exec|execute|expire|flush|forward|grant|import|insert|install|invite|kick|kill|lock|mark|merge|modify|move|open|order|overwrite|patch|pay|post|publish|purge|push|put|remove|rename|replace|reset|restart|revoke|run|save|send|set|start|stop|store|submit|sync|terminate|toggle|trigger|truncate|unlock|unsubscribe|update|upload|upsert|wipe|withdraw|write)(?:e?s|d|ed|ing)?(?![a-z])/

type Rules = ServerSettings['tools']

/** Undefined: there is nothing to suggest. */
export function suggestSettings(
  server: string,
  tools: readonly SuggestionFacts[],
  rules: Rules,
): SettingsSuggestion | undefined {
  const own = tools.filter(({ name }) => name.startsWith(`${server}.`))
  // A rule behind one that fits already has no effect.
  const isFree = (one: SuggestionFacts): boolean => settingsOf([...rules, ['*', READ_ONLY]], server, one) === READ_ONLY
  const silent = own.filter((one) => one.destructive && isSilent(one) && isFree(one))
  const reading = silent.filter((one) => onlyReads(server, one))
  if (reading.length === 0) return undefined
  const names = new Set(reading.map(({ name }) => name))
  // A tool that its server calls read-only already may be covered too: nothing changes for it.
  const mayCover = (one: SuggestionFacts): boolean => names.has(one.name) || !one.destructive
  const byVerb = Map.groupBy(reading, (one) => `${verbOf(server, one)}_*`)
  const patterns = [...byVerb].flatMap(([pattern, some]) => {
    const covered = own.filter((one) => settingsOf([[pattern, READ_ONLY]], server, one) === READ_ONLY)
    const isWhole = some.length > 1 && some.every((one) => covered.includes(one)) && covered.every(mayCover)
    if (isWhole) return [{ pattern, tools: some.map(({ name }) => name) }]
    return some.map(({ name }) => ({ pattern: name.slice(server.length + 1), tools: [name] }))
  })
  return { server, patterns, others: silent.filter(({ name }) => !names.has(name)).map(({ name }) => name) }
}

const READ_ONLY: ToolSettings = Object.freeze({ destructive: false })

/** Its server says neither that it only reads nor that it changes something. */
function isSilent({ listing }: SuggestionFacts): boolean {
  if (listing === undefined) return false
  const { annotations } = listing
  if (!isObject(annotations)) return true
  return typeof annotations.readOnlyHint !== 'boolean' && typeof annotations.destructiveHint !== 'boolean'
}

function settingsOf(rules: Rules, server: string, { name, listing }: SuggestionFacts): ToolSettings {
  const original = typeof listing?.name === 'string' ? listing.name : name
  return settingsForTool(rules, { server, name, original })
}

const verbOf = (server: string, { name }: SuggestionFacts): string =>
  name.slice(server.length + 1).split('_', 1)[0] ?? ''

function onlyReads(server: string, one: SuggestionFacts): boolean {
  const verb = verbOf(server, one)
  if (!READS.has(verb)) return false
  const rest = one.name.slice(server.length + 1 + verb.length)
  return !WRITES.test(rest) && !WRITES.test(String(one.listing?.description ?? '').toLowerCase())
}
