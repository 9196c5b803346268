// Every answer is checked: the id, the value in both renderings, and that it is no error. The usual spellings are
// recognised in the text itself, so that the driver stays cheap; any other spelling is parsed and compared.
import { type Era, expectedData, type Work } from './messages.ts'
import { scanAnswer } from './scan-answer.ts'

export class WrongAnswer extends Error {
  override name = 'WrongAnswer'
}

type ParsedAnswer = {
  id?: unknown
  error?: unknown
  result?: {
    isError?: boolean
    resultType?: string
    structuredContent?: unknown
    content?: { type?: string; text?: string }[]
  }
}

/** Whether a text of one or many answers may hold a failed call, so that its answers have to be parsed. */
export function mayHoldFailure(text: string): boolean {
  return text.includes('"isError":true')
}

/** The id that the right answer in text[start, end) belongs to. Throws WrongAnswer if it is no right answer. */
export function checkAnswer(text: string, work: Work, suspicious: boolean, start = 0, end = text.length): number {
  const id = suspicious ? -1 : scanAnswer(text, start, end, work)
  return id >= 0 ? id : checkParsed(parse(text.slice(start, end)), work)
}

/** The long way, for objects and for the first answer of a server: nothing about its shape is taken for granted. */
export function checkParsed(answer: ParsedAnswer, work: Work, era: Era = 'legacy'): number {
  const { id, error, result } = answer
  if (typeof id !== 'number') throw wrong('an answer without a known id', answer)
  if (error !== undefined || result === undefined) throw wrong(`call ${id} was answered with an error`, answer)
  if (result.isError) throw wrong(`the tool failed in call ${id}`, answer)
  const expected = JSON.stringify(expectedData(work, id))
  if (JSON.stringify(result.structuredContent) !== expected)
    throw wrong(`wrong structuredContent in call ${id}, expected ${expected.slice(0, 80)}`, answer)
  const block = result.content?.[0]
  if (block?.type !== 'text' || JSON.stringify(parse(block.text ?? '')) !== expected)
    throw wrong(`wrong text content in call ${id}, expected ${expected.slice(0, 80)}`, answer)
  if (era === 'modern' && result.resultType !== 'complete') throw wrong(`no resultType in call ${id}`, answer)
  return id
}

export function parse(text: string): ParsedAnswer {
  try {
    return JSON.parse(text)
  } catch {
    throw new WrongAnswer(`not JSON: ${text.slice(0, 200)}`)
  }
}

function wrong(what: string, answer: unknown): WrongAnswer {
  return new WrongAnswer(`${what}: ${JSON.stringify(answer).slice(0, 400)}`)
}
