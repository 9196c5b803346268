/** A parsed tool specification document: what it says about each tool, and where. Nothing is checked yet; that is the linter. */
import type { Json } from '../protocol/json.ts'

/** Line and column in the file, both counted from 1. */
export interface TextLocation {
  readonly line: number
  readonly column: number
}

/** The eight sections of a tool, in their order. */
export const SECTIONS = ['purpose', 'name', 'input', 'output', 'errors', 'idempotency', 'examples', 'security'] as const
export type SectionId = (typeof SECTIONS)[number]

/** A value that the document gives, and where. */
export interface StatedValue<T = string> {
  readonly value: T
  readonly location: TextLocation
}

/** A fenced block that holds JSON, or should. */
export interface JsonBlock {
  /** where its fence opens */
  readonly location: TextLocation
  /** undefined: it is not even JSON with comments */
  readonly value: Json | undefined
  /** what keeps it from being plain JSON: comments and trailing commas are forgiven, the rest is not */
  readonly faults: readonly JsonFault[]
  /** the location of the value at this path, or of the nearest value around it */
  locationOf(path: readonly PropertyKey[]): TextLocation
}

export interface JsonFault {
  readonly location: TextLocation
  readonly message: string
  /** comments and trailing commas: the value is known all the same */
  readonly tolerated: boolean
}

export interface Table {
  readonly location: TextLocation
  /** texts of the head row */
  readonly columns: readonly string[]
  readonly rows: readonly TableRow[]
}

export interface TableRow {
  readonly location: TextLocation
  /** texts of the cells, as many as there are; inline code without its backticks */
  readonly cells: readonly string[]
}

/** A parameter or a field of a result, as a table, a list or a signature gives it. */
export interface DocumentField {
  readonly location: TextLocation
  /** may be a path: `address.city`, `lines[].sku` */
  readonly name: string
  /** in the words of the document; undefined if there are none */
  readonly type: string | undefined
  /** undefined: the document does not say */
  readonly required: boolean | undefined
  /** as written; undefined if there is none */
  readonly default: string | undefined
  readonly description: string
  /** what is inside of it */
  readonly fields: readonly DocumentField[]
}

export interface Section {
  readonly id: SectionId
  /** the heading or label as written */
  readonly heading: string
  readonly location: TextLocation
  /** there is nothing below its heading */
  readonly empty: boolean
}

export interface DocumentExample {
  readonly location: TextLocation
  readonly title: string | undefined
  /** the block with the call; `{tool_name, arguments}`, or bare arguments */
  readonly call: JsonBlock
  /** the block with the result, if one follows: an envelope, or bare data */
  readonly result: JsonBlock | undefined
  /** what else may come of the call: results that follow the first one */
  readonly otherResults: readonly JsonBlock[]
  /** only the form of the result is shown: its values are not promised */
  readonly formOnly: boolean
  /** lists and texts in the result were cut */
  readonly shortened: boolean
}

/** An error type that the document lists, with the condition that brings it about. */
export interface DocumentError {
  readonly location: TextLocation
  readonly type: string
  readonly condition: string
  /** the schema of its `error_details` */
  readonly details?: JsonBlock
}

/** section: it has a part of the document; definition: only a block of code; listing: only a row of a table or an item of a list */
export type ToolOrigin = 'section' | 'definition' | 'listing'

export interface DocumentTool {
  readonly origin: ToolOrigin
  /** where it begins */
  readonly location: TextLocation
  /** its name is the blank of a template, such as `[ToolName]` */
  readonly isPlaceholder: boolean
  /** the name in the heading, the row or the item that opens it */
  readonly headingName: StatedValue | undefined
  /** the name in section 2 */
  readonly invocationName: StatedValue | undefined
  readonly version: StatedValue | undefined
  readonly title: StatedValue | undefined
  /** the text of section 1, less the facts in it */
  readonly description: StatedValue | undefined
  /** in the order of the document; a repeated section is repeated here */
  readonly sections: readonly Section[]
  readonly inputTable: Table | undefined
  readonly inputSchema: JsonBlock | undefined
  /** the parameters, where there is no schema; undefined if none could be read, empty if the tool takes none */
  readonly inputFields: readonly DocumentField[] | undefined
  readonly outputTable: Table | undefined
  readonly outputSchema: JsonBlock | undefined
  readonly outputFields: readonly DocumentField[] | undefined
  /** a result that the section about results shows, where it has neither a schema nor fields */
  readonly outputSample: JsonBlock | undefined
  /** the text of that section, where nothing in it could be read */
  readonly outputText: StatedValue | undefined
  /** blocks that were recognised and not read, with the reason */
  readonly unread: readonly StatedValue[]
  readonly errors: readonly DocumentError[]
  readonly idempotent: StatedValue<boolean> | undefined
  readonly destructive: StatedValue<boolean> | undefined
  readonly examples: readonly DocumentExample[]
  readonly security: StatedValue | undefined
  /** milliseconds */
  readonly timeout: StatedValue<number> | undefined
  readonly limit: StatedValue<{ calls: number; per_ms: number }> | undefined
  /** seconds */
  readonly cacheTtl: StatedValue<number> | undefined
  readonly task: StatedValue<false | 'allowed' | 'required'> | undefined
  readonly keyed: StatedValue<boolean> | undefined
  readonly undo: StatedValue<boolean> | undefined
  readonly dryRun: StatedValue<boolean> | undefined
  readonly text: StatedValue<boolean> | undefined
  readonly openWorld: StatedValue<boolean> | undefined
  readonly icons: StatedValue<unknown> | undefined
  readonly meta: StatedValue<unknown> | undefined
  readonly deprecatedIn: StatedValue | undefined
  readonly replacedBy: StatedValue | undefined
  /** what callers of the last major version have to do */
  readonly migration: StatedValue | undefined
}

/** Whether a tool is specified here, not only named in a list or a blank of a template. */
export const isSpecified = ({ origin, isPlaceholder }: DocumentTool): boolean => origin !== 'listing' && !isPlaceholder

/** What the Markdown itself has wrong, such as a fence that is never closed. */
export interface MarkdownFault {
  readonly location: TextLocation
  /** unreadable: too large or too deeply nested, so it was not parsed */
  readonly rule: 'open-fence' | 'unreadable'
  readonly message: string
}

export interface SpecDocument {
  readonly tools: readonly DocumentTool[]
  readonly faults: readonly MarkdownFault[]
  /** where it says that it defines no tool; only if it does not */
  readonly saysNoTool?: TextLocation
}
