/** What the word weights see of a sentence: its words, its groups of meaning, and whether it opens the text. */
import type { TextAnalysis } from './analyse.ts'
import { conceptNames } from './concepts.ts'

export interface SentenceFeatures {
  readonly features: ReadonlySet<string>
  /** where it is in the analysed text */
  readonly start: number
  readonly end: number
  /** negated, quoted or reported words are in it */
  readonly isReport: boolean
}

const MIN_WORDS = 4

/** Groups that say more together than each alone. */
const PAIRED = new Set(
  'OWN UNKNOWN FOREIGN SELF TOBE STRONGMUST WHEN EVERYTIME BEFORE FIRST SEND! HAND! SET! TAMPER READ! CALL! DESTROY! SECRET CONVERSATION USERONLY YOU AGENT EMAIL URL PATH ANY DEST ARGUMENT EXTERNAL NOT'.split(
    ' ',
  ),
)

export function sentencesOf(analysis: TextAnalysis): SentenceFeatures[] {
  const sentences = readSentences(analysis)
  addConcepts(analysis, sentences)
  for (const { features } of sentences.values()) addPairs(features)
  for (const index of [...analysis.mentions, ...analysis.denials]) {
    const sentence = sentences.get(analysis.tokens[index]?.sentence ?? -1)
    if (sentence !== undefined) sentence.isReport = true
  }
  return [...sentences.values()].filter(({ words }) => words >= MIN_WORDS)
}

interface Sentence {
  readonly features: Set<string>
  readonly start: number
  end: number
  words: number
  isReport: boolean
}

function readSentences({ tokens, matched, isScanner }: TextAnalysis): Map<number, Sentence> {
  const sentences = new Map<number, Sentence>()
  for (const [index, { sentence: number, start, end, kind, text }] of tokens.entries()) {
    let sentence = sentences.get(number)
    if (sentence === undefined) {
      sentence = { features: new Set(number === 0 ? ['first'] : []), start, end, words: 0, isReport: isScanner }
      sentences.set(number, sentence)
    }
    sentence.end = end
    if (kind === 'mark') continue
    sentence.words++
    if (kind === 'word' && /^[a-z']{2,}$/.test(text)) sentence.features.add(text)
    if (matched[index]?.opensOrder) sentence.features.add(`^${kind === 'word' ? text : kind}`)
  }
  return sentences
}

function addConcepts({ tokens, matched, spans }: TextAnalysis, sentences: ReadonlyMap<number, Sentence>): void {
  const names = conceptNames()
  for (const { concept, from } of spans) {
    const name = names[concept] as string
    const sentence = sentences.get(tokens[from]?.sentence ?? -1)
    if (!name.startsWith('=')) sentence?.features.add(name)
    if (name.endsWith('!') && matched[from]?.opensOrder) sentence?.features.add(`^${name}`)
  }
}

function addPairs(features: Set<string>): void {
  const paired = [...features].filter((one) => PAIRED.has(one)).sort()
  for (const [index, one] of paired.entries())
    for (const other of paired.slice(index + 1)) features.add(`${one}+${other}`)
}
