/** Scans one text in every form that a model may read it in: as written, with its encodings undone, and as words. */
import { clip } from '../../../protocol/text.ts'
import { escapeHidden } from '../../text/hidden-characters.ts'
import { analyse } from './analyse.ts'
import { characterSignals } from './characters.ts'
import type { KnownNames } from './context.ts'
import { encodedTexts } from './encoded.ts'
import type { CompiledPattern } from './families.ts'
import { BLOCK_WEIGHT, WARN_WEIGHT } from './family.ts'
import { otherLanguageSignals } from './languages.ts'
import { normalise, visibleForm } from './normalise.ts'
import { matchRules } from './scan-words.ts'
import { sentencesOf } from './sentence-features.ts'
import type { Signal } from './signal.ts'
import { structureSignal } from './structure.ts'
import { doubted, scoreSentences, wordWeightSignal } from './word-weights-score.ts'

export type TextKind = 'prose' | 'data' | 'example'

/** Longer texts are not scanned to their end. A description has no need of them. */
export const MAX_TEXT_LENGTH = 32_000

const MAX_QUOTE = 100
const clipped = (text: string): string => clip(escapeHidden(text.replaceAll(/\s+/g, ' ').trim()), MAX_QUOTE)

export interface TextOptions {
  readonly kind: TextKind
  readonly names: KnownNames
  /** Rules about what exceeds the purpose of a tool apply. */
  readonly isPure: boolean
  /** the description of the whole, and not of a parameter */
  readonly isMain: boolean
  /** the words of the tool's name */
  readonly about: ReadonlySet<string>
  /** The word weights apply: they were learned from definitions. */
  readonly isDefinition: boolean
}

export function scanText(text: string, options: TextOptions): Signal[] {
  const scanned = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text
  const signals = [...characterSignals(scanned), ...wordSignals(scanned, options), ...encodedSignals(scanned, options)]
  if (text.length > MAX_TEXT_LENGTH) {
    const message = `only the first ${MAX_TEXT_LENGTH} of ${text.length} characters were scanned. Nobody reads a text of this length.`
    signals.push({ rule: 'too-long', weight: 5, message, quote: '' })
  }
  // An example may well show such a text, for a tool that looks for them.
  return options.kind === 'example' ? signals.map((signal) => ({ ...signal, isMention: true })) : signals
}

/** A model reads a name as words. */
const inWords = (name: string): string => (/\s/.test(name) ? name : name.replaceAll(/[_-]+/g, ' '))

/** A short name says nothing. */
const MIN_NAME_WORDS = 4

/** A description may repeat what the name of its tool says: `cancel_orders` cancels all orders. */
const PURPOSES = new Set(['orders-harm', 'sends-data-away', 'raises-privileges', 'asks-for-secrets', 'persists'])
const PURPOSE_DISCOUNT = 3
/** Below this weight a rule says nothing about a name, which is no sentence. */
const MIN_NAME_WEIGHT = 7

function weightOf(
  { family, weight }: CompiledPattern,
  quote: string,
  { kind, about }: Pick<TextOptions, 'kind' | 'about'>,
): number {
  if (weight >= MIN_NAME_WEIGHT) return weight
  if (kind === 'data') return Math.min(weight, WARN_WEIGHT - 2)
  const first = /[a-z]+/i.exec(quote)?.[0].toLowerCase() ?? ''
  return PURPOSES.has(family.rule) && about.has(first) ? Math.max(1, weight - PURPOSE_DISCOUNT) : weight
}

function wordSignals(text: string, { kind, names, isPure, isMain, about, isDefinition }: TextOptions): Signal[] {
  if (kind === 'data' && inWords(text).split(' ').length < MIN_NAME_WORDS) return []
  const plain = normalise(kind === 'data' ? inWords(text) : text)
  const analysis = analyse(plain, names)
  const matches = matchRules(plain, analysis)
  const sentences = kind === 'prose' ? sentencesOf(plain, analysis, about) : []
  const scored = isDefinition ? scoreSentences(plain, sentences) : []
  const isObfuscated = analysis.leeted
  const signals = matches
    .filter(({ pattern }) => isPure || pattern.family.rule !== 'exceeds-purpose')
    .map(({ pattern, quote, start, isMention }): Signal => {
      const { rule, what, why } = pattern.family
      const words = clipped(quote)
      const weight =
        isObfuscated && pattern.weight >= 5
          ? BLOCK_WEIGHT
          : doubted(weightOf(pattern, quote, { kind, about }), start, scored)
      return { rule, weight, message: `${what}: “${words}”. ${why}`, quote: words, isMention }
    })
  const structure = isMain ? structureSignal(plain, sentences) : undefined
  const found: (Signal | undefined)[] = [wordWeightSignal(plain, scored, isMain)]
  if (structure !== undefined) {
    const { start, weight, ...signal } = structure
    found.push({ ...signal, weight: doubted(weight, start, scored) })
  }
  for (const signal of found) {
    if (signal === undefined) continue
    const quote = clipped(signal.quote)
    signals.push({ ...signal, quote, message: `${signal.message}: “${quote}”.` })
  }
  return [...signals, ...otherLanguageSignals(visibleForm(text))]
}

const ABOUT_ENCODING = /base64|encod|decod|\bhex|token|jwt|blob|hash|binary|escap/i

/** An order that somebody has encoded needs less to be one. */
const MIN_HIDDEN_WEIGHT = 3

function encodedSignals(text: string, options: TextOptions): Signal[] {
  return encodedTexts(text).flatMap(({ how, says }) => {
    const isGuessed = how === 'words without spaces' || how === 'ROT13' || how === 'reversed text'
    const least = isGuessed ? WARN_WEIGHT : MIN_HIDDEN_WEIGHT
    const inside = wordSignals(says, { ...options, kind: 'prose' }).filter(({ weight }) => weight >= least)
    const strongest = inside.sort((a, b) => b.weight - a.weight)[0]
    if (strongest !== undefined) {
      const message = `${how} that hides an order; it says “${clipped(says)}”. Text for a reader is not encoded.`
      return [{ rule: 'encoded-text', weight: BLOCK_WEIGHT, message, quote: clipped(says) }]
    }
    if (options.kind !== 'prose' || isGuessed) return []
    const message = `text wrapped in ${how}, which says “${clipped(says)}”. A reviewer does not see that. Write it out.`
    // A tool for encodings shows encoded text; others have no reason to.
    const isShown = ABOUT_ENCODING.test(text) || !/^\w+(?:[ ,]+\S+){4,}/.test(says)
    return [{ rule: 'encoded-text', weight: isShown ? 3 : WARN_WEIGHT, message, quote: clipped(says) }]
  })
}
