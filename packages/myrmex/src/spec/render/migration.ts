/** After the eight sections: what callers of earlier major versions have to do. */
import { asSentence } from '../../protocol/text.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { MigrationStep } from '../lock/migration-steps.ts'
import { inLine, writeText } from '../markdown/text.ts'

/** The text of the definition comes first: the reader of documents takes all up to the next heading for it. */
export function migrationParts({ migration }: ToolBody, steps: readonly MigrationStep[]): string[] {
  if (migration === undefined && steps.length === 0) return []
  return ['### Migration', ...(migration === undefined ? [] : [writeText(migration)]), ...steps.flatMap(stepParts)]
}

const stepParts = ({ from, to, text, breaks }: MigrationStep): string[] => [
  `#### From ${inLine(from)} to ${inLine(to)}`,
  ...(text === undefined ? [] : [writeText(text)]),
  breaks.length === 0
    ? 'Nothing breaks in this step.'
    : breaks
        .map(({ change, reason, todo }) => `- ${inLine(asSentence(change))} ${reason} ${todo ?? ''}`.trimEnd())
        .join('\n'),
]
