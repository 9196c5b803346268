/** What the words around a name say about it: whether tools are listed there, and whether they exist. */
import { isPlaceholder } from './tool-name.ts'

const TOOLS =
  /\btools\b|\btool (?:references?|definitions?|lists?|catalog(?:ue)?s?|details|summary|inventory|specifications?|descriptions?|index|surface)\b/i
const NOT_THERE =
  /\b(?:planned|future|proposed|candidates?|upcoming|coming soon|road ?map|(?:not|never) (?:yet |currently )?(?:implemented|available|exposed|supported|part of)|to be (?:added|implemented)|removed|out of scope|unsupported)\b/i
const MAX_WORDS = 1000

/** A heading below which each name is a tool. */
export const isHeadingOfTools = (heading: string): boolean =>
  TOOLS.test(heading) && !NOT_THERE.test(heading) && !saysNoTool(heading)

/** What a list after a sentence can be about instead of tools. */
const OTHER_THINGS =
  /\b(?:parameters?|params|arguments?|args|fields?|options?|keys?|values?|errors?|settings?|variables?|returns?|flags?|properties|dependenc\w+|requirements?|permissions?|environment|events?|types?|rules?|files?|steps?|definitions?|schemas?)\b/i

/** The last sentence of a text, which says what comes next. */
function lastSentence(words: string): string {
  const text = words.slice(-MAX_WORDS).trimEnd()
  return text.slice(text.replace(/\.$/, '').lastIndexOf('. ') + 1)
}

/** Whether the last sentence opens a list or a table of tools. */
export function opensListOfTools(words: string): boolean {
  const sentence = lastSentence(words)
  const opens = sentence.endsWith(':') || /\bfollow/i.test(sentence)
  return opens && /\btools\b|\bfollowing (?:\w+ )?tool\b/i.test(sentence) && !OTHER_THINGS.test(sentence)
}

/** Whether the last sentence opens a list of something that is not a tool. */
export const opensOtherList = (words: string): boolean => {
  const sentence = lastSentence(words)
  return sentence.endsWith(':') && OTHER_THINGS.test(sentence)
}

/** Words about tools that do not exist, such as planned ones. */
export const isAboutMissingTools = (words: string): boolean => words.length <= MAX_WORDS && NOT_THERE.test(words)

/** The title of a document about tools. */
export const isTitleOfTools = (heading: string): boolean => /\btools?\b/i.test(heading) && !isPlaceholder(heading)

const NO_TOOLS = [
  /\bno (?:\w+ ){0,3}(?:mcp|model context protocol|production|public)?\s*tools?\b[^.]{0,60}?\b(?:defined|exposed|exported|available|provided|registered|implemented|specified|offered|published|yet)\b/i,
  /\bno (?:\w+ ){0,3}mcp tools?\b/i,
  /\b(?:does|do|will) (?:\w+ ){0,3}?not (?:\w+ ){0,2}?(?:expose|define|provide|export|register|offer|have|implement|publish|specify)(?: (?!to\b|for\b|from\b)\S+){0,5} (?:mcp|model context protocol|tools?)\b/i,
  /\b(?:does|do) (?:\w+ ){0,3}?not (?:\w+ ){0,2}?expose\b[^.]{0,80}\bas (?:mcp )?tools\b/i,
  /\bhas no (?:\S+ ){0,3}(?:mcp[\s_]?tools?|tools)\b/i,
  /\bnot (?:currently )?(?:mcp[- ]exposed|exposed (?:via|through|over|as) mcp)\b/i,
  /\bspecification is (?:n\/a|not applicable)\b/i,
]

/** Whether a text says that there is no tool. `words` are those of one paragraph, without marks. */
export function saysNoTool(words: string): boolean {
  if (words.length > MAX_WORDS) return false
  const text = words.replace(/[\s*_`@()]+/g, ' ')
  return NO_TOOLS.some((pattern) => pattern.test(text))
}
