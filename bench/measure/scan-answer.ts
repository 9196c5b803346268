// The cheap check of an answer, done in the received text without making a single object: the id, the value in both
// renderings, and no error. It knows the usual spellings; what it does not recognise, `checkAnswer` parses.
import { filler, type Work } from './messages.ts'

const idFirst = '{"jsonrpc":"2.0","id":'
const thenResult = ',"result":{'
const resultFirst = '{"result":{'
const thenId = ',"id":'
const patterns = {
  add: { structured: '"structuredContent":{"sum":', text: '"text":"{\\"sum\\":', structuredEnd: '}', textEnd: '}"' },
  echo10k: {
    structured: '"structuredContent":{"text":"',
    text: '"text":"{\\"text\\":\\"',
    // The filler is plain ASCII without quotes, so escaping it once more leaves it as it is.
    structuredEnd: ` ${filler}"}`,
    textEnd: ` ${filler}\\"}"`,
  },
}

const noNumber = -1
/** Where the last number read by `numberAt` ended. A module variable, for a pair would be an object per number. */
let numberEnd = 0

function numberAt(text: string, start: number): number {
  let value = 0
  let at = start
  for (let digit = text.charCodeAt(at) - 48; digit >= 0 && digit <= 9; digit = text.charCodeAt(++at) - 48)
    value = value * 10 + digit
  numberEnd = at
  return at > start ? value : noNumber
}

/** Whether `pattern`, then `value`, then `tail` stand somewhere in text[start, end). */
function holds(text: string, start: number, end: number, pattern: string, value: number, tail: string): boolean {
  const at = text.indexOf(pattern, start)
  if (at < 0 || at >= end) return false
  // Comparing a slice is a memcmp; `startsWith` goes character by character, which 10 kB tails feel.
  return numberAt(text, at + pattern.length) === value && text.slice(numberEnd, numberEnd + tail.length) === tail
}

/** The id of an answer that starts at `start` and ends before `end`, or -1 if it is spelled in an unusual way. */
function idOf(text: string, start: number, end: number): number {
  if (text.startsWith(idFirst, start)) {
    const id = numberAt(text, start + idFirst.length)
    return text.startsWith(thenResult, numberEnd) ? id : noNumber
  }
  if (!text.startsWith(resultFirst, start)) return noNumber
  const id = numberAt(text, text.lastIndexOf(thenId, end) + thenId.length)
  return numberEnd === end - 1 ? id : noNumber
}

/**
 * The id of the right answer in text[start, end), or -1 if this scan cannot find it. The caller has checked that the
 * text has no `"isError":true`.
 */
export function scanAnswer(text: string, start: number, end: number, work: Work): number {
  const id = idOf(text, start, end)
  if (id === noNumber) return noNumber
  const { structured, text: rendering, structuredEnd, textEnd } = patterns[work]
  const value = work === 'add' ? 3 * id + 1 : id
  const right =
    holds(text, start, end, structured, value, structuredEnd) && holds(text, start, end, rendering, value, textEnd)
  return right ? id : noNumber
}
