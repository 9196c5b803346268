/** The JSON object in what a model said: the whole of it, a fenced block, or an object with prose around it. */

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
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    // Not JSON is one of the answers this function is asked for.
    return undefined
  }
}

/** The longest object in the text: an example in the prose is shorter than the answer. */
function longest(text: string): Record<string, unknown> | undefined {
  let best: { object: Record<string, unknown>; length: number } | undefined
  let start = text.indexOf('{')
  for (let tries = 0; start !== -1 && tries < MAX_TRIES; tries++) {
    const end = endOf(text, start)
    const object = end === undefined ? undefined : parsed(text.slice(start, end))
    const length = object === undefined ? 0 : (end as number) - start
    if (object !== undefined && length > (best?.length ?? 0)) best = { object, length }
    start = text.indexOf('{', object === undefined ? start + 1 : (end as number))
  }
  return best?.object
}

/** Just past the brace that closes the one at `start`; braces within strings do not count. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let index = start; index < text.length; index++) {
    const character = text[index]
    if (quoted && character === '\\') index++
    else if (character === '"') quoted = !quoted
    else if (!quoted && character === '{') depth++
    else if (!quoted && character === '}' && --depth === 0) return index + 1
  }
  return undefined
}
