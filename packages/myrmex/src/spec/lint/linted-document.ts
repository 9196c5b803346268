/** A document as the rules see it, and what the run has seen in earlier files. */
import type { DocumentTool, SpecDocument, TextLocation } from '../document.ts'
import { LintedTool } from './linted-tool.ts'
import { TimeLimit } from './time-limit.ts'

/** A file of a run, and what was read in it. */
export interface LintedFile {
  readonly file: string
  readonly document: SpecDocument
}

export interface LintRun {
  /** where each tool was first seen, by name and version */
  readonly seen: Map<string, { readonly file: string; readonly location: TextLocation }>
  readonly timeLimit: TimeLimit
}

export const newLintRun = (): LintRun => ({ seen: new Map(), timeLimit: new TimeLimit() })

export interface LintedDocument extends Pick<SpecDocument, 'faults' | 'saysNoTool'> {
  readonly file: string
  /** without those of a template */
  readonly tools: readonly LintedTool[]
  readonly placeholders: readonly DocumentTool[]
  readonly run: LintRun
}

/** The tools as the rules see them. `lines` are the lines of the file. Without them, the text of a section is unknown. */
export const lintedTools = ({ tools }: SpecDocument, lines: readonly string[], { timeLimit }: LintRun): LintedTool[] =>
  tools.flatMap((tool, index) => {
    const end = tools[index + 1]?.location.line ?? lines.length + 1
    return tool.isPlaceholder ? [] : [new LintedTool(tool, end, lines, timeLimit)]
  })
