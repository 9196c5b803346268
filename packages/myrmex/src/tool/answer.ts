/** What `run` may return besides bare data: a status other than success, an explanation, content blocks of its own. */
import type { ContentBlock } from '../protocol/content.ts'
import type { ErrorDetail, Status } from '../protocol/envelope.ts'
import type { JsonObject } from '../protocol/json.ts'

export interface AnswerOptions {
  /** a sentence for people */
  explanation?: string
  /** blocks to show instead of the data's text rendering */
  content?: ContentBlock[]
  /** the whole result of another server, forwarded unchanged; the data is only checked */
  forwarded?: JsonObject
}

/** An error as a tool may write it: the details can be left out. */
export type GivenError = Pick<ErrorDetail, 'error_type' | 'error_message'> & Partial<ErrorDetail>

export class Answer<Data> {
  readonly status: Exclude<Status, 'failure'>
  readonly data: Data
  /** as it was given: the gate `check` judges and completes it */
  readonly error: GivenError | null
  readonly explanation: string | null
  readonly content: ContentBlock[] | null
  readonly forwarded: JsonObject | null

  constructor(status: Exclude<Status, 'failure'>, data: Data, options: AnswerOptions & { error?: GivenError } = {}) {
    this.status = status
    this.data = data
    this.error = options.error ?? null
    this.explanation = options.explanation ?? null
    this.content = options.content ?? null
    this.forwarded = options.forwarded ?? null
  }
}

/** A success with an explanation or content blocks of its own. */
export const answer = <const Data>(data: Data, options?: AnswerOptions): Answer<Data> =>
  new Answer('success', data, options)

/** Part of it was done. `error` may say what was not. */
export const partial = <const Data>(data: Data, options?: AnswerOptions & { error?: GivenError }): Answer<Data> =>
  new Answer('partial_success', data, options)

/** Everything already was as the caller wants it. */
export const unchanged = <const Data>(data: Data, options?: AnswerOptions): Answer<Data> =>
  new Answer('no_change_needed', data, options)
