/** Signals in the characters of a text: those nobody sees, those that look like others, comments, and marks of other speakers. */
import { clip } from '../../../protocol/text.ts'
import {
  codePointName,
  escapeHidden,
  type HiddenCharacter,
  hiddenIn,
  spelledByHidden,
  withoutHidden,
} from '../../text/hidden-characters.ts'
import { mixedWords } from '../lookalikes.ts'
import { BLOCK_WEIGHT, WARN_WEIGHT } from './family.ts'
import type { Signal } from './signal.ts'

const MAX_LENGTH = 80
const clipped = (text: string): string => clip(escapeHidden(text), MAX_LENGTH)

export function characterSignals(text: string): Signal[] {
  return [...hidden(text), ...mixed(text), ...comments(text), ...marks(text)]
}

function hidden(text: string): Signal[] {
  const found = hiddenIn(text)
  if (found.length === 0) return []
  const says = spelledByHidden(found)
  const message =
    `${found.length === 1 ? 'a character' : `${found.length} characters`} that nobody sees: ${named(found)}` +
    `${says === undefined ? '' : `; together they spell “${clipped(says)}”`}. A model reads what the reviewer cannot. Remove ${found.length === 1 ? 'it' : 'them'}.`
  return [{ rule: 'hidden-characters', weight: BLOCK_WEIGHT, message, quote: clipped(says ?? around(text, found)) }]
}

const around = (text: string, [first]: readonly HiddenCharacter[]): string =>
  text.slice(Math.max(0, (first?.index ?? 0) - 20), (first?.index ?? 0) + 20)

/** The first few, by kind and number. */
function named(found: readonly HiddenCharacter[]): string {
  const names = new Set(found.map(({ kind, character }) => `${kind} ${codePointName(character)}`))
  const first = [...names].slice(0, 3).join(', ')
  return names.size > 3 ? `${first} and others` : first
}

function mixed(text: string): Signal[] {
  const [word] = mixedWords(text)
  if (word === undefined) return []
  const foreign = [...word].filter((letter) => !/[\p{Script=Latin}\p{M}\p{N}]/u.test(letter)).map(codePointName)
  const message = `“${clipped(word)}” mixes Latin letters with letters that look like them (${foreign.slice(0, 5).join(', ')}). It may pass for another word.`
  return [{ rule: 'mixed-scripts', weight: WARN_WEIGHT, message, quote: clipped(word) }]
}

const isShownAt = (text: string, index: number): boolean => SHOWN.test(text.slice(Math.max(0, index - 60), index))

function comments(text: string): Signal[] {
  const start = text.indexOf('<!--')
  if (start === -1) return []
  const end = text.indexOf('-->', start)
  const quote = clipped(text.slice(start, end === -1 ? undefined : end + 3))
  const message = `a comment that a page would not show: “${quote}”. A model reads it, and a reviewer may not see it.`
  return [{ rule: 'hidden-comment', weight: WARN_WEIGHT, message, quote, isMention: isShownAt(text, start) }]
}

interface MarkPattern {
  readonly rule: string
  readonly weight: number
  readonly what: string
  readonly pattern: RegExp
}

const SPEAKER =
  'imitates the marks by which a model tells who is speaking. A model may take it for the words of its developer'
const ADDRESS = 'has an address in which data of the conversation would be sent away. Loading it hands the data over'

/** Bounded everywhere, so that each takes linear time. */
const MARKS: readonly MarkPattern[] = [
  [
    9,
    /<\/?\s{0,3}(?:system|assistant|important|instructions?|system[-_ ]?(?:prompt|message|reminder|instructions?)|tool_(?:call|result|use|description)s?|function_calls?|critical|secret|hidden|admin|developer|override|mandatory)\b[^<>]{0,80}>/i,
  ] as const,
  [8, /<(user|human|context|note|rules?|urgent|warning|security)>[\s\S]{10,500}?<\/\1>/i] as const,
  [
    8,
    /<((?:system|assistant|agent|model|important|instruction|critical|secret|hidden|admin|developer|mandatory)s?[-_]\w{1,20})>[\s\S]{10,500}?<\/\1>/i,
  ] as const,
  [9, /<\|[a-z_]{2,30}\|>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM|SYS|ADMIN|DEVELOPER)\]/i] as const,
  // A paragraph of its own; a list of parameters may well have one called system.
  [
    8,
    /\n\s{0,20}\n\s{0,20}(?:#{1,4}\s{0,3})?(?:SYSTEM|System|ASSISTANT|Assistant|HUMAN|Human)(?: (?:prompt|message|note|PROMPT|MESSAGE|NOTE))?\s{0,3}:\s{0,3}\S/,
  ] as const,
  [8, /\[(?:system|assistant|developer|admin|hidden|ai|llm|agent)(?: [a-z]{2,12}){0,2}\s{0,3}:/i] as const,
  [
    7,
    /(?:^|[.!?)\]\n])\s{0,5}(?:SYSTEM|ASSISTANT|DEVELOPER|ADMIN|HUMAN|AI|LLM|AGENT)(?: [A-Z]{2,12}){0,3}\s?:\s/,
  ] as const,
  [6, /[.!?]\s{1,5}(?:Human|System|Assistant|User): [A-Za-z]/] as const,
  [7, /\{\{\s{0,3}[#/]?(?:system|assistant|developer|admin)\b/i] as const,
  [5, /#{2,5} ?(?:new )?(?:instructions?|system|response|directive)\b[^\n]{0,40}(?:#{2,5}|:)/i] as const,
].map(([weight, pattern]) => ({ rule: 'fakes-markup', weight, what: SPEAKER, pattern }))

const ADDRESSES: readonly MarkPattern[] = [
  /!\[[^\]]{0,100}\]\(https?:\/\/[^)\s]{0,300}[{<$[%?=]/i,
  /https?:\/\/[^\s"'<>{}]{1,200}[{<[$][^\s}>\]]{0,30}(?:conversation|history|prompt|chat|secret|password|passwd|credential|environ|memory|context|ssh)/i,
].map((pattern) => ({ rule: 'data-in-url', weight: 9, what: ADDRESS, pattern }))

/** Before a mark that is only shown. */
const SHOWN = /(?:such as|e\.g\.?|like|for example|for instance|tags?|elements?|markup|xml|html|["'`])[^.!?\n]{0,40}$/i

function marks(text: string): Signal[] {
  if (!/[<[{:#]/.test(text)) return []
  const visible = withoutHidden(text).normalize('NFKC')
  const best = new Map<string, Signal>()
  for (const { rule, weight, what, pattern } of [...MARKS, ...ADDRESSES]) {
    const match = pattern.exec(visible)
    if (match === null) continue
    const quote = clipped(match[0].trim())
    const isMention = rule === 'fakes-markup' && isShownAt(visible, match.index)
    const known = best.get(rule)
    if (known === undefined || (known.isMention && !isMention) || (known.weight < weight && !isMention))
      best.set(rule, { rule, weight, message: `${what}: “${quote}”.`, quote, isMention })
  }
  return [...best.values()]
}
