/**
 * The content blocks of a result: what a model reads of it, because most clients show it nothing else.
 *
 * - A partial success, "no change needed" and a dry run are named in a text before the data.
 * - A plain success begins with its data, whose text is the JSON of the structured content. An explanation follows it.
 * - A failure begins with its error.
 * - The text of a tool that returns one is in the place of the data, before blocks of the tool.
 */
import type { Outcome } from '../../pipeline/outcome.ts'
import type { ContentBlock } from '../../protocol/content.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { asSentence } from '../../protocol/text.ts'

export function contentOf(outcome: Outcome, isDryRun: boolean, returnsText = false): ContentBlock[] {
  const { status, data, error, explanation, content } = outcome
  if (status === 'failure' && error !== null) return [text(errorText(error)), ...optional(explanation)]
  const shown = returnsText
    ? [text(String(data?.text)), ...(content ?? [])]
    : (content ?? (data === null ? [] : [text(outcome.text)]))
  if (status !== 'success') return [text(noticeOf(outcome)), ...shown]
  if (isDryRun) return [...optional(explanation), ...shown]
  // With blocks of its own, a tool has decided what to show.
  return content === null ? [...shown, ...optional(explanation)] : shown
}

/** Which block of `contentOf` has the text of a tool that returns one. */
export const textBlock = ({ status, explanation }: Outcome, isDryRun: boolean): number =>
  status !== 'success' || (isDryRun && explanation !== null) ? 1 : 0

const text = (value: string): ContentBlock => ({ type: 'text', text: value })

const optional = (value: string | null): ContentBlock[] => (value === null ? [] : [text(value)])

const errorText = ({ error_type, error_message }: ErrorDetail): string => `${error_type}: ${error_message}`

/** How a call ended that was neither a failure nor a plain success. */
export function noticeOf({ status, explanation, error }: Pick<Outcome, 'status' | 'explanation' | 'error'>): string {
  const lead = status === 'partial_success' ? 'Partly done.' : 'No change was needed.'
  const parts = [lead, explanation === null ? '' : asSentence(explanation), error === null ? '' : errorText(error)]
  return parts.filter((part) => part !== '').join(' ')
}
