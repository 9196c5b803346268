/** What went wrong between us and a model, in words that follow its name: "openai:gpt-5 answered HTTP 500 …". */

import { isObject } from '../../protocol/json.ts'
import { clip } from '../../protocol/text.ts'

const LONGEST = 200

/** The SDK's errors are told apart by their names, since its classes may be there twice. */
export function failureOf(error: unknown, hide: (text: string) => string): string {
  const last = nameOf(error) === 'AI_RetryError' ? (error as { lastError: unknown }).lastError : error
  const again = last === error ? '' : ', and again when asked once more'
  const message = hide(last instanceof Error ? last.message : String(last)).replace(/[.\s]+$/, '')
  const said = message === '' ? '' : `: ${clip(message, LONGEST)}`
  if (nameOf(last) !== 'AI_APICallError') return `failed${said}${again}`
  const status = isObject(last) ? last.statusCode : undefined
  if (typeof status !== 'number') return `could not be reached${said}${again}`
  if (status < 300) return `broke off or sent what is no answer on its wire${said}${again}`
  return `answered HTTP ${status}${said}${again}`
}

const nameOf = (error: unknown): string | undefined => (error instanceof Error ? error.name : undefined)
