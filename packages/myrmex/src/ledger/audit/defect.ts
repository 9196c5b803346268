/** What verification finds, described for people. */

export type DefectKind = 'altered' | 'missing' | 'inserted' | 'reordered' | 'signature' | 'stub' | 'head' | 'file'

/** The first defect. If no single group can be named, it is one of those from first_seq to last_seq. */
export interface Defect {
  readonly kind: DefectKind
  readonly message: string
  readonly first_seq: number
  readonly last_seq: number
  /** null if no lines can be named */
  readonly first_line: number | null
  readonly last_line: number | null
}

/** Thrown at the first defect: nothing after it can be relied on. */
export class DefectError extends Error {
  readonly defect: Defect

  constructor(kind: DefectKind, message: string, [first_seq, last_seq]: Span, lines?: Span) {
    super(message)
    const [first_line, last_line] = lines ?? [null, null]
    this.defect = { kind, message, first_seq, last_seq, first_line, last_line }
  }
}

/** Groups or lines from..to, inclusive. */
export type Span = readonly [number, number]

export const groupRange = ([from, to]: Span): string => (from === to ? `group ${from}` : `groups ${from} to ${to}`)
export const lineRange = ([from, to]: Span): string => (from === to ? `line ${from}` : `lines ${from} to ${to}`)
