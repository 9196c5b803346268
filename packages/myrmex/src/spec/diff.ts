/**
 * Compares two definitions of a tool: what each change means for callers, and which version step it requires. If the hashes of
 * two definitions differ, there is at least one change. lenient-schemas.ts describes how schemas are compared, change-kinds.ts
 * lists the kinds of change.
 */
import { ToolError } from '../protocol/errors.ts'
import { pointer } from '../protocol/json.ts'
import type { Difference } from '../tool/difference/difference.ts'
import { toolDifferences } from '../tool/difference/tool-differences.ts'
import type { ToolBody } from '../tool/verify/verify-tool.ts'
import { CHANGES, type ChangeKind, type ChangeLevel, compareLevels, highestLevel } from './diff/change-kinds.ts'
import { kindOfField } from './diff/field-changes.ts'
import { type JudgedChange, judgeSchemaChanges } from './diff/schema-changes.ts'
import type { SchemaVerdict } from './diff/verdict.ts'

export { type BumpCheck, checkBump } from './diff/bump.ts'
export { CHANGES, type ChangeKind, type ChangeLevel } from './diff/change-kinds.ts'
export { migrationNote } from './diff/migration-note.ts'

export interface Change {
  readonly kind: ChangeKind
  readonly level: ChangeLevel
  /** JSON pointer into the definition: into the new one, or into the old one where the new one has no such place */
  readonly where: string
  /** one line that says what changed; `CHANGES` has the reason for its level */
  readonly text: string
  readonly before?: unknown
  readonly after?: unknown
  /** of a removal: the release before said `deprecated` of it */
  readonly announced?: boolean
}

export interface Comparison {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly level: ChangeLevel
  /** those that matter most first */
  readonly changes: readonly Change[]
  /** what containment said, where it was asked */
  readonly input: SchemaVerdict | undefined
  readonly output: SchemaVerdict | undefined
}

export function compare(before: ToolBody, after: ToolBody): Comparison {
  if (before.name !== after.name) {
    throw ToolError.of(
      'ValidationError',
      `${JSON.stringify(before.name)} and ${JSON.stringify(after.name)} are different tools. A tool that is to have another ` +
        `name is a new tool; the old one says so with deprecatedIn and replacedBy.`,
    )
  }
  const differences = toolDifferences(before, after)
  const side = (name: string): Difference[] => differences.filter(({ path }) => path[0] === name)
  const input = judgeSchemaChanges(before, after, 'inputSchema', side('inputSchema'))
  const output = judgeSchemaChanges(before, after, 'outputSchema', side('outputSchema'))
  const fields = differences
    .filter(({ path }) => path[0] !== 'inputSchema' && path[0] !== 'outputSchema')
    .map((difference): JudgedChange => ({ kind: kindOfField(before, after, difference), difference }))
  const changes = [...fields, ...input.changes, ...output.changes].map(changeOf)
  return {
    name: after.name,
    before: before.version,
    after: after.version,
    level: highestLevel(changes.map(({ level }) => level)),
    changes: changes.sort((a, b) => compareLevels(b.level, a.level)),
    input: input.verdict,
    output: output.verdict,
  }
}

const changeOf = ({ kind, difference, announced }: JudgedChange): Change => ({
  kind,
  level: CHANGES[kind].level,
  where: pointer(difference.path),
  text: difference.text,
  ...(difference.before !== undefined && { before: difference.before }),
  ...(difference.after !== undefined && { after: difference.after }),
  ...(announced !== undefined && { announced }),
})
