/** The JSON object in what a model said: the whole of it, a fenced block, or an object with prose around it. */

import { parseTree } from 'jsonc-parser'
import { isObject, parseJson } from '../../protocol/json.ts'

/** Each unclosed or broken brace costs a look at the rest of the text. */
const MAX_TRIES = 50

export function jsonObjectIn(said: string): Record<string, unknown> | undefined {
  // Some models think aloud before they answer, and drafts are no answer.
  const text = said.replace(/^\s*<think>.*?<\/think>/is, '').trim()
  const whole = parsed(text)
  if (whole !== undefined) return whole
  const blocks = [...text.matchAll(/^[ \t]*```[a-z0-9]*[ \t]*\r?\n(.*?)^[ \t]*```/gims)].map(
    ([, block]) => block as string,
  )
  for (const block of blocks.reverse()) {
    const object = parsed(block)
    if (object !== undefined) return object
  }
  return longest(text)
}

function parsed(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}

/** The longest object in the text: an example in the prose is shorter than the answer. */
function longest(text: string): Record<string, unknown> | undefined {
  let best: { object: Record<string, unknown>; length: number } | undefined
  let start = text.indexOf('{')
  for (let tries = 0; start !== -1 && tries < MAX_TRIES; tries++) {
    const { length = 0 } = parseTree(text.slice(start)) ?? {}
    const object = parsed(text.slice(start, start + length))
    if (object !== undefined && length > (best?.length ?? 0)) best = { object, length }
    start = text.indexOf('{', object === undefined ? start + 1 : start + length)
  }
  return best?.object
}
