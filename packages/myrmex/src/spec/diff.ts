/**
 * What the changes between two definitions of a tool mean for whoever calls it, and which version they ask for. Complete: if
 * the hashes of two definitions differ, there is at least one change. How schemas are read is told in `diff/reading.ts`, which
 * kinds of change there are in `diff/changes.ts`.
 */
import { ToolError } from '../protocol/errors.ts'
import { pointer } from '../protocol/json.ts'
import type { Difference } from '../tool/difference/difference.ts'
import { told } from '../tool/difference.ts'
import type { Body } from '../tool/verify.ts'
import { CHANGES, type ChangeKind, compareLevels, highestLevel, type Level } from './diff/changes.ts'
import { kindOfField } from './diff/fields.ts'
import { type Judged, judgeSide } from './diff/schemas.ts'
import type { Verdict } from './diff/verdict.ts'

export { type Bump, judgeBump } from './diff/bump.ts'
export { CHANGES, type ChangeKind, type Level } from './diff/changes.ts'
export { migrationNote } from './diff/note.ts'

export interface Change {
  readonly kind: ChangeKind
  readonly level: Level
  /** JSON pointer into the definition: into the new one, or into the old one where the new one has no such place */
  readonly where: string
  /** one line that says what changed; why it is of its level stands in `CHANGES` */
  readonly text: string
  readonly before?: unknown
  readonly after?: unknown
  /** of a removal: the release before said `deprecated` of it */
  readonly announced?: boolean
}

export interface Comparison {
  readonly name: string
  /** the two versions */
  readonly before: string
  readonly after: string
  /** the highest level of all changes */
  readonly level: Level
  /** those that matter most first */
  readonly changes: readonly Change[]
  /** what containment said, where it was asked */
  readonly input: Verdict | undefined
  readonly output: Verdict | undefined
}

export function compare(before: Body, after: Body): Comparison {
  if (before.name !== after.name) {
    throw new ToolError(
      'ValidationError',
      `${JSON.stringify(before.name)} and ${JSON.stringify(after.name)} are different tools. A tool that is to have another ` +
        `name is a new tool; the old one says so with deprecatedIn and replacedBy.`,
    )
  }
  const differences = told(before, after)
  const side = (name: string): Difference[] => differences.filter(({ path }) => path[0] === name)
  const input = judgeSide(before, after, 'inputSchema', side('inputSchema'))
  const output = judgeSide(before, after, 'outputSchema', side('outputSchema'))
  const fields = differences
    .filter(({ path }) => path[0] !== 'inputSchema' && path[0] !== 'outputSchema')
    .map((difference): Judged => ({ kind: kindOfField(before, after, difference), difference }))
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

const changeOf = ({ kind, difference, announced }: Judged): Change => ({
  kind,
  level: CHANGES[kind].level,
  where: pointer(difference.path),
  text: difference.text,
  ...(difference.before !== undefined && { before: difference.before }),
  ...(difference.after !== undefined && { after: difference.after }),
  ...(announced !== undefined && { announced }),
})
