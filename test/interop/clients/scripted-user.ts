/** The person and the model behind an official client: what they can do and what they answer when asked. */

export const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } }

export const ROOTS = { roots: [{ uri: 'file:///home/tester', name: 'home' }] }

/** A model that repeats the question. */
export function sampled({ messages }: { messages: { content: unknown }[] }) {
  const { text } = (messages.at(0)?.content ?? {}) as { text?: string }
  return {
    model: 'parrot',
    role: 'assistant' as const,
    stopReason: 'endTurn',
    content: { type: 'text' as const, text: `You asked: ${text}` },
  }
}
