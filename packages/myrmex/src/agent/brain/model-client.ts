/**
 * Asks a language model one question. If the answer cannot be used, the model is told what is wrong and asked once more. Returns a
 * value, or notes that say why there is none. Only the caller's abort is thrown.
 */

import type { ModelMessage } from 'ai'
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

/** What is sent back for repair, and how much of it. */
const MOST_PROBLEMS = 20
const LONGEST_ANSWER = 20_000
/** A shorter key cannot be told from a word, and is none that anybody must hide (`ollama`, `none`). */
const SHORTEST_KEY = 8

export class ModelClient {
  readonly #sdk: Sdk
  readonly #model: Model
  readonly #settings: BrainSettings

  constructor(sdk: Sdk, model: Model, settings: BrainSettings) {
    this.#sdk = sdk
    this.#model = model
    this.#settings = settings
  }

  async ask<T>(question: ModelQuestion<T>, signal?: AbortSignal): Promise<ModelAnswer<T>> {
    signal?.throwIfAborted()
    const { name, timeout_ms } = this.#settings
    const deadline = AbortSignal.timeout(timeout_ms)
    const either = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    const talk = new Conversation(this.#sdk, this.#model, either, (text) => this.#hide(text))
    const messages: ModelMessage[] = [{ role: 'user', content: question.data }]
    let problems: string[] = []
    for (const round of [1, 2]) {
      const said = await talk.turn(question, messages, round).catch((error: unknown) => {
        if (deadline.aborted) return { failure: `did not answer within ${timeout_ms} ms (MYRMEX_BRAIN_TIMEOUT_MS)` }
        return { failure: failureOf(error, (text) => this.#hide(text)) }
      })
      // However it ended: whoever gave up on the answer wants no other one either.
      signal?.throwIfAborted()
      if ('failure' in said)
        return { ok: false, notes: this.#clean([`${name} ${said.failure}.`, ...question.notes, ...talk.notes(name)]) }
      const { text } = said
      const read = readAnswer(question, text, said.cut)
      if (read.ok) {
        const repaired = round === 1 ? [] : [`${name} was told once what was wrong: ${list(problems)}.`]
        return {
          ok: true,
          value: read.value,
          notes: this.#clean([...repaired, ...question.notes, ...talk.notes(name)]),
        }
      }
      problems = read.problems
      if (text !== '') messages.push({ role: 'assistant', content: text.slice(0, LONGEST_ANSWER) })
      messages.push({ role: 'user', content: repairOf(problems) })
    }
    const wrong = `${name} gave no usable answer in two rounds: ${list(problems)}.`
    return { ok: false, notes: this.#clean([wrong, ...question.notes, ...talk.notes(name)]) }
  }

  /** A server may echo the key that it was sent. It is taken out before anything is cut, lest half of it stays. */
  #hide(text: string): string {
    const { key } = this.#settings
    return key === undefined || key.length < SHORTEST_KEY ? text : scrub(text, [key])
  }

  /** Notes quote what servers say: on one line, nothing unseen in it, no key. */
  #clean(notes: readonly string[]): string[] {
    return notes.map((note) => escapeHidden(this.#hide(note).replace(/\s+/g, ' ')))
  }
}

/** The turns of one question, and what they used. */
class Conversation {
  readonly #sdk: Sdk
  readonly #model: Model
  readonly #signal: AbortSignal
  readonly #hide: (text: string) => string
  readonly #warnings = new Set<string>()
  #turns = 0
  #tokensIn = 0
  #tokensOut = 0

  constructor(sdk: Sdk, model: Model, signal: AbortSignal, hide: (text: string) => string) {
    this.#sdk = sdk
    this.#model = model
    this.#signal = signal
    this.#hide = hide
  }

  async turn(
    { instructions, maxOutputTokens }: ModelQuestion<unknown>,
    messages: readonly ModelMessage[],
    round: number,
  ): Promise<{ text: string; cut: number | undefined } | { failure: string }> {
    const { generateText, wrapLanguageModel } = this.#sdk
    const {
      text: raw,
      finishReason,
      usage,
    } = await generateText({
      // The SDK prints warnings of its own accord; ours go where the reader of the thought sees them.
      model: wrapLanguageModel({
        model: this.#model as Parameters<typeof wrapLanguageModel>[0]['model'],
        middleware: {
          specificationVersion: 'v4',
          wrapGenerate: async ({ doGenerate }) => {
            const result = await doGenerate()
            for (const warning of result.warnings) this.#warnings.add(JSON.stringify(warning))
            return { ...result, warnings: [] }
          },
        },
      }),
      instructions,
      messages: [...messages],
      maxOutputTokens,
      // One retry a question, so at most three requests.
      maxRetries: round === 1 ? 1 : 0,
      abortSignal: this.#signal,
      telemetry: { isEnabled: false },
    })
    this.#turns++
    this.#tokensIn += usage.inputTokens ?? 0
    this.#tokensOut += usage.outputTokens ?? 0
    const text = this.#hide(raw).trim()
    if (finishReason === 'content-filter') return { failure: `refused to answer${quoted(text)}` }
    return { text, cut: finishReason === 'length' ? maxOutputTokens : undefined }
  }

  notes(name: string): string[] {
    const used = this.#turns === 0 ? [] : [`${name} used ${this.#tokensIn} tokens in and ${this.#tokensOut} out.`]
    return [...used, ...[...this.#warnings].map((warning) => `${name}: the AI SDK warns: ${warning}.`)]
  }
}

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

const quoted = (text: string): string => (text === '' ? '' : ` (${JSON.stringify(clipped(text, 120))})`)

const clipped = (text: string, longest: number): string => fit(text, longest)

/** For a note: the first few, each short. */
function list(problems: readonly string[]): string {
  const first = problems.slice(0, 3).map((problem) => clipped(problem.replace(/\.$/, ''), 200))
  const more = problems.length - first.length
  return first.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Problems quote names and values that others chose, so they are data too. */
const repairOf = (problems: readonly string[]): string =>
  `Your answer cannot be used. What is wrong with it:\n${fenced('problems', problems.slice(0, MOST_PROBLEMS))}\n` +
  'Mend exactly that and answer again with the whole JSON object and nothing else.'

const MAX_MESSAGE = 200

/** What went wrong, to follow the model's name. The SDK's errors are compared by name, because its classes may be loaded twice. */
function failureOf(error: unknown, hide: (text: string) => string): string {
  const last = nameOf(error) === 'AI_RetryError' ? (error as { lastError: unknown }).lastError : error
  const again = last === error ? '' : ', and again when asked once more'
  const message = hide(last instanceof Error ? last.message : String(last)).replace(/[.\s]+$/, '')
  const said = message === '' ? '' : `: ${clip(message, MAX_MESSAGE)}`
  if (nameOf(last) !== 'AI_APICallError') return `failed${said}${again}`
  const status = isObject(last) ? last.statusCode : undefined
  if (typeof status !== 'number') return `could not be reached${said}${again}`
  if (status < 300) return `broke off or sent a response in an unknown format${said}${again}`
  return `answered HTTP ${status}${said}${again}`
}

const nameOf = (error: unknown): string | undefined => (error instanceof Error ? error.name : undefined)
