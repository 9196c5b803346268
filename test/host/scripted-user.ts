/** The person and the model behind a client: what they can do, what they answer when asked, and what they were asked. */

export const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }

/** Answers to the fields that server-everything asks for; a field of no other server. */
const FORM = {
  name: 'Ada Lovelace',
  check: true,
  firstLine: 'Call me Ishmael.',
  email: 'ada@example.com',
  homepage: 'https://example.com/ada',
  birthdate: '1815-12-10',
  integer: 7,
  number: 2.5,
  untitledSingleSelectEnum: 'Phoebe',
  untitledMultipleSelectEnum: ['Bass'],
  titledSingleSelectEnum: 'hero-1',
  titledMultipleSelectEnum: ['fish-2', 'fish-3'],
  legacyTitledEnum: 'pet-3',
}

export interface Question {
  readonly method: string
  readonly params: Record<string, unknown>
}

export interface ElicitAnswer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
}

export class ScriptedUser {
  readonly #roots: readonly string[]
  /** since somebody last looked; roots are no question to a person */
  asked: Question[] = []
  /** what the next question for a form is answered with */
  mood: ElicitAnswer['action'] = 'accept'

  constructor(roots: readonly string[]) {
    this.#roots = roots
  }

  elicit(params: Record<string, unknown>): ElicitAnswer {
    this.#note('elicitation/create', params)
    if (this.mood !== 'accept') return { action: this.mood }
    return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { ...FORM } }
  }

  /** A model that repeats the question. */
  sample(params: Record<string, unknown>) {
    this.#note('sampling/createMessage', params)
    const [first] = params.messages as { content: { text?: string } }[]
    return {
      model: 'parrot',
      role: 'assistant' as const,
      stopReason: 'endTurn',
      content: { type: 'text' as const, text: `You asked: ${first?.content.text}` },
    }
  }

  roots(): { roots: { uri: string }[] } {
    return { roots: this.#roots.map((uri) => ({ uri })) }
  }

  #note(method: string, params: Record<string, unknown>): void {
    // The modern era has no such id; servers tell it in their results.
    const { _meta, elicitationId, ...said } = params
    this.asked.push({ method, params: said })
  }
}
