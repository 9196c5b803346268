/**
 * Entries: the lines of a journal that are not calls. Every entry begins with its kind, which no record of a call does, so that
 * a reader finds entries without parsing records.
 */
import * as z from 'zod'
import { parseJson } from '../../protocol/json.ts'

/** The format of segments. A reader refuses newer formats. */
export const FORMAT = 1

/** How every entry begins. */
export const ENTRY_START = '{"kind":'

/** Milliseconds since the epoch, until the year 9999: whatever a file says, it can be shown as a date. */
export const entryTime = z.int().min(0).max(253_402_300_799_999)

/** Where a decision came from. `caller` asks for one, `host` pins what it sees for the first time. */
const SOURCES = ['cli', 'api', 'console', 'file', 'program', 'caller', 'host'] as const
export type DecisionSource = (typeof SOURCES)[number]

/** The tables that follow from decisions. */
const TABLES = [
  'trust',
  'accepted_changes',
  'grants',
  'approvals',
  'operators',
  'tokens',
  'switches',
  'users',
  'sign_ins',
] as const
export type DecisionTable = (typeof TABLES)[number]

/** Made for the first entry that is read: it takes milliseconds, and a server that starts may read none. */
function makeSchema() {
  const head = z.tuple([z.int().positive(), z.string()])
  const links = z.record(z.string(), head)

  /** The first line of a segment. */
  const segment = z.object({
    kind: z.literal('segment'),
    format: z.int(),
    journal: z.string(),
    /** the id of the key that the MACs of the chain are made with */
    key: z.string(),
    chain: z.string(),
    started: entryTime,
    number: z.int().positive(),
    /** heads of other chains when this one began */
    links,
  })

  /** A signature over the group before it, and what other chains had reached by then. */
  const seal = z.object({
    kind: z.literal('seal'),
    group: z.int().positive(),
    hash: z.string(),
    key: z.string(),
    links,
    /** the version of the mark when this was signed: an older mark is not the newest one */
    mark: z.int().optional(),
    signature: z.string(),
    /** the process has ended, and its chain with it */
    closed: z.literal(true).optional(),
  })

  /** What was decided, and the rows of the table as they are after it; see decision.ts. */
  const decision = z.object({
    kind: z.literal('decision'),
    id: z.string(),
    time: entryTime,
    what: z.string(),
    by: z.string(),
    from: z.enum(SOURCES),
    table: z.enum(TABLES),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  })

  /** Decisions that were recorded and then could not be stored: they do not count. */
  const withdrawal = z.object({ kind: z.literal('withdrawal'), decisions: z.array(z.string()) })

  /** Chains that no longer verify and that an operator has accepted as they were found. */
  const broken = z.object({
    kind: z.literal('break'),
    time: entryTime,
    by: z.string(),
    from: z.string(),
    reason: z.string(),
    /** what was wrong with the mark */
    mark: z.string().nullable(),
    /** by the id of the chain: what is wrong, and the SHA-256 of what is left of it (null: nothing is) */
    chains: z.record(z.string(), z.object({ defect: z.string(), digest: z.string().nullable() })),
  })

  return z.discriminatedUnion('kind', [segment, seal, decision, withdrawal, broken])
}

let entrySchema: ReturnType<typeof makeSchema> | undefined

export type Entry = Readonly<z.output<ReturnType<typeof makeSchema>>>
export type SegmentEntry = Extract<Entry, { kind: 'segment' }>
export type SealEntry = Extract<Entry, { kind: 'seal' }>
export type BreakEntry = Extract<Entry, { kind: 'break' }>
export type DecisionEntry = Extract<Entry, { kind: 'decision' }>

/** As one line. `kind` comes first in every entry. */
export const renderEntry = (entry: Entry): string => `${JSON.stringify(entry)}\n`

/** Undefined if the line is not an entry of this format. */
export function parseEntry(line: string): Entry | undefined {
  entrySchema ??= makeSchema()
  const parsed = entrySchema.safeParse(parseJson(line))
  return parsed.success ? parsed.data : undefined
}

/** The lines of a group that are entries. Most groups have none, and are not split. */
export function entryLines(lines: string): string[] {
  if (!lines.startsWith(ENTRY_START) && !lines.includes(`\n${ENTRY_START}`)) return []
  return lines.split('\n').filter((line) => line.startsWith(ENTRY_START))
}
