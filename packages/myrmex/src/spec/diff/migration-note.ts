/** A draft of a migration note: what breaks and what callers have to do, what is new, what was reworded. Gaps are marked for the author. */
import { isObject } from '../../protocol/json.ts'
import { readableJson } from '../../tool/text/readable-json.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { Change, Comparison } from '../diff.ts'
import { inCode, inLine } from '../markdown/text.ts'
import { jsonBlock } from '../markdown/write-blocks.ts'
import { CHANGES, type ChangeKind, type ChangeLevel } from './change-kinds.ts'
import type { SchemaVerdict } from './verdict.ts'

export function migrationNote(before: ToolBody, after: ToolBody, comparison: Comparison): string {
  const of = (level: ChangeLevel): Change[] => comparison.changes.filter((change) => change.level === level)
  const parts = [
    `# ${inCode(after.name)}: from ${inLine(before.version)} to ${inLine(after.version)}`,
    summary(comparison),
    ...breaks(of('major'), after.name, comparison),
    ...list('What is new', of('minor')),
    ...list('What was only reworded', of('patch')),
  ]
  return `${parts.join('\n\n')}\n`
}

const SUMMARY: Readonly<Record<ChangeLevel, string>> = {
  major: 'This step breaks callers. Read what they have to do before taking it.',
  minor: 'Nothing breaks in this step, and there is something new.',
  patch: 'Nothing breaks in this step; only words and the like have changed.',
  none: 'Nothing has changed but the version.',
}

const summary = ({ level }: Comparison): string => {
  const open =
    level === 'major' ? `\n\n${forTheAuthor('why this had to change, and how long the old version stays.')}` : ''
  return `${SUMMARY[level]}${open}`
}

/** Nobody can take it for part of the text. */
const forTheAuthor = (what: string): string => `> **To be written by the author:** ${what}`

function breaks(changes: readonly Change[], name: string, { input, output }: Comparison): string[] {
  if (changes.length === 0) return []
  return [
    '## What breaks, and what to do',
    ...changes.flatMap((change, index) => breaking(change, index + 1)),
    ...witness(input, 'A call that was accepted and no longer is:', (value) => ({ tool_name: name, arguments: value })),
    ...witness(output, 'Data that may come now and could not before:', (value) => value),
  ]
}

function breaking(change: Change, number: number): string[] {
  const { reason, todo } = CHANGES[change.kind]
  return [
    `### ${number}. ${inLine(change.text)}`,
    `${reason} ${todo === undefined ? '' : `**What to do:** ${todo}`}`.trim(),
    ...snippets(change),
    ...(PROMPTS.has(change.kind) ? [forTheAuthor(PROMPTS.get(change.kind) as string)] : []),
  ]
}

/** What nobody but the author can say. */
const PROMPTS: ReadonlyMap<ChangeKind, string> = new Map<ChangeKind, string>([
  ['parameter-required-added', 'which value keeps the old behaviour.'],
  ['parameter-now-required', 'which value keeps the old behaviour.'],
  ['parameter-removed', 'what to use instead.'],
  ['enum-value-removed', 'which of the values that are left takes its place.'],
  ['output-field-removed', 'where to find the same information now.'],
  ['output-field-optional', 'when it is missing.'],
  ['default-changed', 'what the new default does that the old one did not.'],
  ['default-removed', 'what happens now when it is left out.'],
])

const MAX_LENGTH = 1500

/** The part of the schema as it was and as it is, where that is short enough to be looked at. A single value is in the sentence. */
function snippets({ where, before, after }: Change): string[] {
  if (!/^\/(?:input|output)Schema/.test(where) || ![before, after].flat().some(isObject)) return []
  return [...snippet('Before', before), ...snippet('After', after)]
}

function snippet(label: string, value: unknown): string[] {
  if (value === undefined || readableJson(value).length > MAX_LENGTH) return []
  return [`${label}:`, jsonBlock(value)]
}

function witness(verdict: SchemaVerdict | undefined, label: string, shown: (value: unknown) => unknown): string[] {
  if (verdict?.verdict !== 'not contained' || verdict.witness === undefined) return []
  return readableJson(verdict.witness).length > MAX_LENGTH ? [] : [label, jsonBlock(shown(verdict.witness))]
}

function list(heading: string, changes: readonly Change[]): string[] {
  if (changes.length === 0) return []
  return [`## ${heading}`, changes.map(({ kind, text }) => `- ${inLine(text)}. ${CHANGES[kind].reason}`).join('\n')]
}
