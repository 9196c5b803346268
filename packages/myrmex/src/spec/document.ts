/**
 * A tool specification document as it was read: what it says of each tool, and where it says it. Nothing in it is checked
 * yet; that is for `lint`. Whatever Markdown was given, there is a document like this for it.
 */
import type { Json } from '../protocol/json.ts'

/** Line and column in the file, both counted from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The eight sections of a tool, in their order. */
export const SECTIONS = ['purpose', 'name', 'input', 'output', 'errors', 'idempotency', 'examples', 'security'] as const
export type SectionId = (typeof SECTIONS)[number]

/** A value that the document gives, and where. */
export interface Said<T = string> {
  readonly value: T
  readonly place: Place
}

/** A fenced block that holds JSON, or should. */
export interface JsonBlock {
  /** where its fence opens */
  readonly place: Place
  /** undefined: it is not even JSON with comments */
  readonly value: Json | undefined
  /** what keeps it from being plain JSON: comments and trailing commas are forgiven, the rest is not */
  readonly faults: readonly JsonFault[]
  /** where the value at this path stands; the place of the nearest value around it where there is none */
  placeOf(path: readonly PropertyKey[]): Place
}

export interface JsonFault {
  readonly place: Place
  readonly message: string
  /** comments and trailing commas: the value is known all the same */
  readonly forgiven: boolean
}

export interface Table {
  readonly place: Place
  /** texts of the head row */
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}

export interface TableRow {
  readonly place: Place
  /** texts of the cells, as many as there are; inline code without its backticks */
  readonly cells: readonly string[]
}

export interface Section {
  readonly id: SectionId
  /** the heading or label as written */
  readonly heading: string
  readonly place: Place
  /** nothing stands below its heading */
  readonly empty: boolean
}

export interface ReadExample {
  readonly place: Place
  readonly title: string | undefined
  /** the block with the call; `{tool_name, arguments}`, or bare arguments */
  readonly call: JsonBlock
  /** the block with the result, if one follows: an envelope, or bare data */
  readonly result: JsonBlock | undefined
  /** what else may come of the call: results that follow the first one */
  readonly also: readonly JsonBlock[]
  /** only the form of the result is shown: its values are not promised */
  readonly formOnly: boolean
}

/** An error type that the document lists, with the condition that brings it about. */
export interface ReadError {
  readonly place: Place
  readonly type: string
  readonly condition: string
}

export interface ReadTool {
  /** where it begins */
  readonly place: Place
  /** the name in the heading that opens it */
  readonly headingName: Said | undefined
  /** the name in section 2 */
  readonly invocationName: Said | undefined
  readonly version: Said | undefined
  readonly title: Said | undefined
  /** the text of section 1, less the facts in it */
  readonly description: Said | undefined
  /** in the order they stand in; one that stands twice is here twice */
  readonly sections: readonly Section[]
  readonly inputTable: Table | undefined
  readonly inputSchema: JsonBlock | undefined
  readonly outputTable: Table | undefined
  readonly outputSchema: JsonBlock | undefined
  readonly errors: readonly ReadError[]
  readonly idempotent: Said<boolean> | undefined
  readonly destructive: Said<boolean> | undefined
  readonly examples: readonly ReadExample[]
  readonly security: Said | undefined
  /** milliseconds */
  readonly timeout: Said<number> | undefined
  readonly limit: Said<{ calls: number; per_ms: number }> | undefined
  /** seconds */
  readonly cacheTtl: Said<number> | undefined
  readonly task: Said<false | 'allowed' | 'required'> | undefined
  readonly keyed: Said<boolean> | undefined
  readonly undo: Said<boolean> | undefined
  readonly deprecatedIn: Said | undefined
  readonly replacedBy: Said | undefined
}

/** What the Markdown itself has wrong, such as a fence that is never closed. */
export interface MarkdownFault {
  readonly place: Place
  /** unreadable: too large or too deeply nested, so it was not parsed */
  readonly rule: 'open-fence' | 'unreadable'
  readonly message: string
}

export interface SpecDocument {
  readonly tools: readonly ReadTool[]
  readonly faults: readonly MarkdownFault[]
}
