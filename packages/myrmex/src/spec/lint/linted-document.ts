/** A document as the rules look at it, and what was seen in the files before it. */
import type { MarkdownFault, Place, SpecDocument } from '../document.ts'
import { LintedTool } from './linted-tool.ts'
import { Patience } from './patience.ts'

/** Where a tool was seen first. */
export interface Seen {
  readonly file: string
  readonly place: Place
}

/** What one run of the linter has seen so far. */
export interface Run {
  /** by name and version */
  readonly seen: Map<string, Seen>
  readonly patience: Patience
}

export const newRun = (): Run => ({ seen: new Map(), patience: new Patience() })

export class LintedDocument {
  readonly file: string
  readonly tools: readonly LintedTool[]
  readonly faults: readonly MarkdownFault[]
  readonly run: Run

  /** `lines` are those of the file; without them, what a section says in words is not known. */
  constructor(file: string, document: SpecDocument, lines: readonly string[], run: Run) {
    const { tools, faults } = document
    this.file = file
    this.faults = faults
    this.run = run
    this.tools = tools.map((tool, index) => {
      const end = tools[index + 1]?.place.line ?? lines.length + 1
      return new LintedTool(tool, end, lines, run.patience)
    })
  }
}
