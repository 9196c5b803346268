/**
 * Asks a language model one question. If the answer cannot be used, the model gets one message with the faults and answers again.
 * Returns a value, or notes that say why there is none. Only the caller's abort is thrown.
 */

import type { ModelMessage } from 'ai'
import { messageOf } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'
import { scrub } from '../../protocol/secret.ts'
import { clip, fit } from '../../protocol/text.ts'
import { escapeHidden } from '../../tool/text/hidden-characters.ts'
import { fenced } from './fence.ts'
import { jsonObjectIn } from './json-text.ts'
import type { Model, Sdk } from './provider.ts'
import type { ModelQuestion, ReadResult } from './questions/question.ts'
import type { BrainSettings } from './settings.ts'

export type ModelAnswer<T> = { ok: true; value: T; notes: string[] } | { ok: false; notes: string[] }
export type AskModel = <T>(question: ModelQuestion<T>, signal?: AbortSignal) => Promise<ModelAnswer<T>>

/** Limits of the message that asks for a correction. */
const MAX_PROBLEMS = 20
const MAX_ANSWER_LENGTH = 20_000
/** A shorter key may be an ordinary word (`ollama`, `none`), and is no secret. */
const MIN_KEY_LENGTH = 8

/** What the turns of one question used. */
interface Usage {
  turns: number
  tokensIn: number
  tokensOut: number
  readonly warnings: Set<string>
}

export function modelClient(sdk: Sdk, model: Model, { name, key, timeout_ms }: BrainSettings): AskModel {
  /** A server may echo the key that it was sent. It is removed before anything is cut, or half of it could stay. */
  const hide = (text: string): string => (key === undefined || key.length < MIN_KEY_LENGTH ? text : scrub(text, [key]))

  return async (question, signal) => {
    signal?.throwIfAborted()
    const deadline = AbortSignal.timeout(timeout_ms)
    const abortSignal = AbortSignal.any([signal, deadline].filter((one) => one !== undefined))
    const usage: Usage = { turns: 0, tokensIn: 0, tokensOut: 0, warnings: new Set() }
    /** Notes quote what servers say: on one line, without hidden characters and without the key. */
    const notes = (...first: string[]): string[] =>
      [...first, ...question.notes, ...usageNotes(name, usage)].map((note) =>
        escapeHidden(hide(note).replace(/\s+/g, ' ')),
      )
    const messages: ModelMessage[] = [{ role: 'user', content: question.data }]
    let problems: string[] = []
    for (const round of [1, 2]) {
      // One retry a question, so at most three requests.
      const options = { messages: [...messages], maxRetries: round === 1 ? 1 : 0, abortSignal }
      const turn = await turnOf(sdk, model, question, options, usage).catch((error: unknown): Turn => {
        const late = `did not answer within ${timeout_ms} ms (MYRMEX_BRAIN_TIMEOUT_MS)`
        return { failure: deadline.aborted ? late : failureOf(error, hide) }
      })
      // A caller that gave up wants no other answer either.
      signal?.throwIfAborted()
      const text = hide(turn.text ?? '').trim()
      if (turn.failure !== undefined) return { ok: false, notes: notes(`${name} ${turn.failure}${quoted(text)}.`) }
      const read = readAnswer(question, text, turn.cut)
      if (read.ok) {
        const repaired = round === 1 ? [] : [`${name} had to correct its answer once: ${list(problems)}.`]
        return { ok: true, value: read.value, notes: notes(...repaired) }
      }
      problems = read.problems
      if (text !== '') messages.push({ role: 'assistant', content: text.slice(0, MAX_ANSWER_LENGTH) })
      messages.push({ role: 'user', content: repairOf(problems) })
    }
    return { ok: false, notes: notes(`${name} gave no usable answer in two rounds: ${list(problems)}.`) }
  }
}

interface Turn {
  readonly text?: string
  /** the limit of tokens that the text was cut at */
  readonly cut?: number | undefined
  readonly failure?: string | undefined
}

async function turnOf(
  { generateText, wrapLanguageModel }: Sdk,
  model: Model,
  { instructions, maxOutputTokens }: ModelQuestion<unknown>,
  options: { messages: ModelMessage[]; maxRetries: number; abortSignal: AbortSignal },
  usage: Usage,
): Promise<Turn> {
  const result = await generateText({
    // The SDK prints warnings by itself; here they become notes.
    model: wrapLanguageModel({
      model: model as Parameters<typeof wrapLanguageModel>[0]['model'],
      middleware: {
        specificationVersion: 'v4',
        wrapGenerate: async ({ doGenerate }) => {
          const generated = await doGenerate()
          for (const warning of generated.warnings) usage.warnings.add(JSON.stringify(warning))
          return { ...generated, warnings: [] }
        },
      },
    }),
    instructions,
    maxOutputTokens,
    telemetry: { isEnabled: false },
    ...options,
  })
  usage.turns++
  usage.tokensIn += result.usage.inputTokens ?? 0
  usage.tokensOut += result.usage.outputTokens ?? 0
  return {
    text: result.text,
    cut: result.finishReason === 'length' ? maxOutputTokens : undefined,
    failure: result.finishReason === 'content-filter' ? 'refused to answer' : undefined,
  }
}

const usageNotes = (name: string, { turns, tokensIn, tokensOut, warnings }: Usage): string[] => [
  ...(turns === 0 ? [] : [`${name} used ${tokensIn} tokens in and ${tokensOut} out.`]),
  ...[...warnings].map((warning) => `${name}: the AI SDK warns: ${warning}.`),
]

/**
 * The answer is JSON in plain text. The structured modes of the two wires cannot carry a plan: a step's arguments are an open
 * object, which OpenAI's strict schemas refuse and Anthropic's turn into an empty one, and many compatible servers know
 * neither. Text works everywhere, and the schemas here are stricter than any of them.
 */
function readAnswer<T>(question: ModelQuestion<T>, text: string, cut: number | undefined): ReadResult<T> {
  const object = jsonObjectIn(text)
  if (object !== undefined) return question.read(object)
  if (cut !== undefined) return { ok: false, problems: [`the answer was cut off at ${cut} tokens; give a shorter one`] }
  if (text === '') return { ok: false, problems: ['the answer is empty'] }
  return { ok: false, problems: [`the answer is no JSON object${quoted(text)}`] }
}

const quoted = (text: string): string => (text === '' ? '' : ` (${JSON.stringify(fit(text, 120))})`)

/** For a note: the first few, each short. */
function list(problems: readonly string[]): string {
  const first = problems.slice(0, 3).map((problem) => fit(problem.replace(/\.$/, ''), 200))
  const more = problems.length - first.length
  return first.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Problems quote names and values that others chose, so they are data too. */
const repairOf = (problems: readonly string[]): string =>
  `Your answer cannot be used. What is wrong with it:\n${fenced('problems', problems.slice(0, MAX_PROBLEMS))}\n` +
  'Correct exactly that and answer again with the whole JSON object and nothing else.'

const MAX_MESSAGE_LENGTH = 200

/** What went wrong, to follow the model's name. The SDK's errors are compared by name, because its classes may be loaded twice. */
function failureOf(error: unknown, hide: (text: string) => string): string {
  const last = nameOf(error) === 'AI_RetryError' ? (error as { lastError: unknown }).lastError : error
  const again = last === error ? '' : ', and again when asked once more'
  const message = hide(messageOf(last)).replace(/[.\s]+$/, '')
  const said = message === '' ? '' : `: ${clip(message, MAX_MESSAGE_LENGTH)}`
  if (nameOf(last) !== 'AI_APICallError') return `failed${said}${again}`
  const status = isObject(last) ? last.statusCode : undefined
  if (typeof status !== 'number') return `could not be reached${said}${again}`
  if (status < 300) return `broke off or sent a response in an unknown format${said}${again}`
  return `answered HTTP ${status}${said}${again}`
}

const nameOf = (error: unknown): string | undefined => (error instanceof Error ? error.name : undefined)
