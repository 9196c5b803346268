/**
 * The parts of an upstream's listing that neither a model reads nor a call depends on: icons, `execution`, `_meta`. A change of them is
 * harmless as long as they have the form that the protocol gives them, so that no text hides there.
 */
import { isObject } from '../../protocol/json.ts'
import { isSameValue } from '../difference/format.ts'

/** Whether two listings are the same but for such parts. Either may be absent, for tools of this program. */
export function isSameListing(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return isSameValue(before, after)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].every((field) => {
    const [a, b] = [before[field], after[field]]
    return isSameValue(a, b) || (Object.hasOwn(SAME, field) && SAME[field]?.(a, b) === true)
  })
}

type Compare = (before: unknown, after: unknown) => boolean
const both =
  (fits: (value: unknown) => boolean): Compare =>
  (before, after) =>
    [before, after].every((value) => value === undefined || fits(value))

const hasOnly = (value: unknown, fields: Readonly<Record<string, (value: unknown) => boolean>>): boolean =>
  isObject(value) && Object.entries(value).every(([key, item]) => Object.hasOwn(fields, key) && fields[key]?.(item))

/** `required` would change how a call must be made. */
const isExecution = (value: unknown): boolean =>
  hasOnly(value, { taskSupport: (support) => support === 'forbidden' || support === 'optional' })

const isWord = (value: unknown): boolean => typeof value === 'string' && /^[\w.+/-]{0,64}$/.test(value)

/** Addresses have no spaces; a text that spells out something without any is not shown to a model either. */
const isAddress = (value: unknown): boolean => typeof value === 'string' && /^(https:|data:image\/)\S*$/.test(value)

const isIcons = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((icon) =>
    hasOnly(icon, {
      src: isAddress,
      mimeType: isWord,
      theme: isWord,
      sizes: (sizes) => isWord(sizes) || (Array.isArray(sizes) && sizes.every(isWord)),
    }),
  )

/** Facts for programs: numbers, flags and short words such as a version. Anything longer may be read or followed by a client or a model. */
function isFacts(value: unknown): boolean {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true
  if (Array.isArray(value)) return value.every(isFacts)
  if (isObject(value)) return Object.entries(value).every(([key, item]) => isWord(key) && isFacts(item))
  return isWord(value)
}

/** Myrmex's own keys say how a tool is called. */
const isSameMeta: Compare = (before = {}, after = {}) => {
  if (!isObject(before) || !isObject(after)) return false
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isSameValue(before[key], after[key]),
  )
  const areFacts = differing.every(
    (key) => isWord(key) && !key.startsWith('myrmex/') && both(isFacts)(before[key], after[key]),
  )
  const added = differing.map((key) => [key, after[key]])
  return areFacts && newWords(added, before).length <= MAX_NEW_WORDS
}

/** Names and labels of an ordinary upgrade. An order to a model takes more, also if it is spread over keys and items. */
const MAX_NEW_WORDS = 3

function newWords(added: unknown, before: unknown): string[] {
  const wordsOf = (value: unknown): string[] =>
    JSON.stringify(value)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{2,}/g) ?? []
  const known = new Set([...wordsOf(before), ...FACT_WORDS])
  return wordsOf(added).filter((word) => !known.has(word))
}

/** Words that say nothing to a model. */
const FACT_WORDS = ['true', 'false', 'null', 'version', 'tags', 'alpha', 'beta', 'rc', 'dev', 'pre']

const DEFAULT_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }

/** A hint that says what holds anyway is no change. */
export const withDefaultHints = (annotations: unknown): Record<string, unknown> => ({
  ...DEFAULT_HINTS,
  ...(isObject(annotations) && annotations),
})

const SAME: Readonly<Record<string, Compare>> = {
  execution: both(isExecution),
  icons: both(isIcons),
  _meta: isSameMeta,
  annotations: (before, after) =>
    both(isObject)(before, after) && isSameValue(withDefaultHints(before), withDefaultHints(after)),
}
