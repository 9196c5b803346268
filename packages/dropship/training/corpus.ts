/** Reads the labelled example messages. An invalid line is an error with its number, and is never skipped. */
import { readFileSync } from 'node:fs'
import { INTENTS, type Intent, type Sentiment } from '../src/tickets/intents.ts'

export interface Example {
  readonly intent: Intent
  readonly sentiment: Sentiment
  readonly text: string
}

const SENTIMENT_OF: Readonly<Record<string, Sentiment>> = { a: 'angry', u: 'unhappy', n: 'neutral', h: 'happy' }

export function readCorpus(file: URL = new URL('./corpus.txt', import.meta.url)): Example[] {
  const examples: Example[] = []
  let intent: Intent | undefined
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue
    const section = /^\[(\w+)\]$/.exec(line)?.[1]
    if (section !== undefined) {
      intent = INTENTS.find((known) => known === section)
      if (intent === undefined) throw new Error(`Line ${index + 1} of the corpus: unknown intent ${section}.`)
      continue
    }
    const sentiment = SENTIMENT_OF[line[0] ?? '']
    if (intent === undefined || sentiment === undefined || line[1] !== ' ')
      throw new Error(
        `Line ${index + 1} of the corpus: a message must be in a section and start with a, u, n or h and a space.`,
      )
    examples.push({ intent, sentiment, text: line.slice(2).replace(' | ', '. ') })
  }
  return examples
}
