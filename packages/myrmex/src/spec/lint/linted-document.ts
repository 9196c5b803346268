/** A document as the rules see it, and what the run has seen in earlier files. */
import type { SpecDocument, TextLocation } from '../document.ts'
import { LintedTool } from './linted-tool.ts'
import { TimeLimit } from './time-limit.ts'

export interface LintRun {
  /** where each tool was first seen, by name and version */
  readonly seen: Map<string, { readonly file: string; readonly location: TextLocation }>
  readonly timeLimit: TimeLimit
}

export const newLintRun = (): LintRun => ({ seen: new Map(), timeLimit: new TimeLimit() })

export interface LintedDocument extends Pick<SpecDocument, 'faults'> {
  readonly file: string
  readonly tools: readonly LintedTool[]
  readonly run: LintRun
}

/** The tools as the rules see them. `lines` are the lines of the file. Without them, the text of a section is unknown. */
export const lintedTools = ({ tools }: SpecDocument, lines: readonly string[], { timeLimit }: LintRun): LintedTool[] =>
  tools.map((tool, index) => {
    const end = tools[index + 1]?.location.line ?? lines.length + 1
    return new LintedTool(tool, end, lines, timeLimit)
  })
