/**
 * What the word weights see of a sentence: its words, its groups of meaning, the literal values in it, which part another tool has in it,
 * and whether it does what the tool is for. Words that are only reported ("such as …", "detects …") are left out.
 */
import type { TextAnalysis } from './analyse.ts'
import { conceptNames, conceptsOfWord } from './concepts.ts'
import { nameKinds } from './name-kinds.ts'
import { placeFeatures } from './name-places.ts'
import type { MatchedToken } from './pattern.ts'
import type { Token } from './tokens.ts'

export interface SentenceFeatures {
  readonly features: ReadonlySet<string>
  /** where it is in the analysed text */
  readonly start: number
  /** where it ends, or where a report begins */
  readonly end: number
}

const MIN_WORDS = 4
/** Fragments of a list say little. */
const FEW_WORDS = 7
/** A sentence is read up to here for literal values. */
const MAX_SENTENCE = 1000

/** Groups that say more together than each alone. */
const PAIRED = new Set(
  'OWN UNKNOWN FOREIGN NAME NAMES SELF TOBE STRONGMUST WHEN EVERYTIME BEFORE FIRST SEND! HAND! SET! TAMPER READ! CALL! DESTROY! SECRET SECRETFILE CONVERSATION USERONLY YOU AGENT EMAIL URL PATH ANY DEST ARGUMENT EXTERNAL NOT LITERAL QUOTED CODE REGARDLESS TRANSFER GRANT DISABLE ENTAILS ALSO UNASKED PERSONAL OURS CLAIMEDGAIN OPENED PROTECTS NAMEACTS NAMELOOKSUP KINNAME TRIGGERNAME TRIGGERKIND CALLNAME VIANAME NAMEUSED NAMEVALUE ARGUMENTOFNAME OFFDESTROY OFFSEND OFFSET OFFREAD OFFHAND OFFGRANT'.split(
    ' ',
  ),
)

/** Values that a description of a tool seldom has, but an order needs: where to send, what to run. Bounded, so that each takes linear time. */
const LITERALS: readonly (readonly [string, RegExp])[] = [
  ['IPADDRESS', /\b\d{1,3}(?:\.\d{1,3}){3}\b/],
  ['SYSTEMPATH', /(?<![\w/])(?:~\/|\/(?:etc|home|root|var|usr|tmp|proc|dev|opt|srv|bin|users|workspace)\/|[a-z]:\\)/i],
  ['PHONE', /\+\d[\d ()-]{6,18}\d/],
  ['ACCOUNT', /\b0x[\da-f]{16,64}\b|\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}\b|\bacct_\w{4,30}\b/],
  [
    'CODE',
    /\b(?:curl|wget) |\bchmod \S|\brm -|\bsudo \w|\bbash -|\bcat [~/]|\|\s{0,3}(?:ba)?sh\b|\b(?:eval|exec|system)\(|\bprintenv\b|\benv >/i,
  ],
  [
    'SQL',
    /\bSELECT .{1,60} FROM\b|\b(?:DROP|TRUNCATE) (?:TABLE|DATABASE|SCHEMA)\b|\bGRANT \w|\bDELETE FROM\b|\bALTER USER\b|\bINSERT INTO\b|\bUPDATE \w{1,40} SET\b/,
  ],
]

/** `about`: the words of the tool's name. */
export function sentencesOf(
  text: string,
  analysis: TextAnalysis,
  about: ReadonlySet<string> = new Set(),
): SentenceFeatures[] {
  const reported = reportedTokens(analysis)
  const sentences = readSentences(analysis, about, reported)
  addConcepts(analysis, sentences, { reported, about })
  addPurpose(sentences, about)
  for (const sentence of sentences.values()) {
    if (sentence.words < FEW_WORDS) sentence.features.add('SHORT')
    addLiterals(sentence, text)
  }
  addContext([...sentences.values()])
  for (const { features } of sentences.values()) addPairs(features)
  return [...sentences.values()].filter(({ words }) => words >= MIN_WORDS)
}

interface Sentence {
  readonly features: Set<string>
  readonly start: number
  end: number
  words: number
}

/** How many words after "such as" or "detects" are reported, and how many after "does not" are denied. */
const REPORT_REACH = 25
const DENIAL_REACH = 8
const ENDS_DENIAL = new Set([',', ';', ':'])

/** By token: whether it is reported or denied, and not said. Each token is visited at most once per word within reach. */
function reportedTokens({ tokens, matched, mentions, denials }: TextAnalysis): Uint8Array {
  const reported = new Uint8Array(tokens.length)
  for (const index of mentions) markFrom(index, REPORT_REACH, new Set())
  for (const index of denials) markFrom(index, DENIAL_REACH, ENDS_DENIAL)
  return reported

  function markFrom(index: number, reach: number, ends: ReadonlySet<string>): void {
    const { sentence, ordinal } = matched[index] as MatchedToken
    for (let at = index; at < tokens.length; at++) {
      const here = matched[at] as MatchedToken
      const { kind, text } = tokens[at] as Token
      if (here.sentence !== sentence || here.ordinal - ordinal > reach) return
      if (kind === 'mark' && ends.has(text)) return
      reported[at] = 1
    }
  }
}

/** Words that carry grammar. Two of them in a row tell an obligation ("is to", "has to") from a description. */
const GRAMMAR = new Set(
  "is are be been was to has have had must shall should will can may not never no always only also by with of for from in into on as if when before after until unless without it its this that these those any all every each the a an you your user user's tool".split(
    ' ',
  ),
)

function readSentences(
  analysis: TextAnalysis,
  about: ReadonlySet<string>,
  reported: Uint8Array,
): Map<number, Sentence> {
  const { tokens } = analysis
  const sentences = new Map<number, Sentence>()
  let before = ''
  for (const [index, { sentence: number, start, end, kind, text }] of tokens.entries()) {
    if (reported[index] === 1) continue
    let sentence = sentences.get(number)
    if (sentence === undefined) {
      sentence = { features: new Set(number === 0 ? ['first'] : []), start, end, words: 0 }
      sentences.set(number, sentence)
      before = ''
    }
    sentence.end = end
    if (kind !== 'mark') sentence.words++
    addWord(analysis, index, sentence.features, about)
    const grammar = kind !== 'mark' && GRAMMAR.has(text) ? text : ''
    if (before !== '' && grammar !== '') sentence.features.add(`${before}_${grammar}`)
    before = grammar
  }
  return sentences
}

function addWord(
  { tokens, matched }: TextAnalysis,
  index: number,
  features: Set<string>,
  about: ReadonlySet<string>,
): void {
  const { kind, text, quotation } = tokens[index] as Token
  if (quotation > 0) features.add('QUOTED')
  if (kind === 'mark') return
  if (kind === 'word' && /^[a-z']{2,}$/.test(text)) features.add(text)
  if (matched[index]?.opensOrder) features.add(`^${kind === 'word' ? text : kind}`)
  if (about.has(text)) features.add('ABOUT')
}

function addConcepts(
  { tokens, matched, spans }: TextAnalysis,
  sentences: ReadonlyMap<number, Sentence>,
  { reported, about }: { readonly reported: Uint8Array; readonly about: ReadonlySet<string> },
): void {
  const names = conceptNames()
  const named = new Map<number, string>()
  const said = spans.filter(({ from }) => reported[from] === 0)
  for (const { sentence, feature } of placeFeatures(tokens, matched, said))
    sentences.get(sentence)?.features.add(feature)
  for (const { concept, from } of said) {
    const name = names[concept] as string
    const token = tokens[from]
    const sentence = sentences.get(token?.sentence ?? -1)
    if (token === undefined || sentence === undefined) continue
    if (!name.startsWith('=')) sentence.features.add(name)
    if (name.endsWith('!') && matched[from]?.opensOrder) sentence.features.add(`^${name}`)
    if (name !== 'NAME') continue
    for (const kind of nameKinds(token.raw, about)) sentence.features.add(kind)
    const known = named.get(token.sentence)
    if (known !== undefined && known !== token.text) sentence.features.add('NAMES')
    named.set(token.sentence, token.text)
  }
}

/** Effects that a tool is for, or is not: a sentence about another effect than the name and the opening sentence say is odd. */
const EFFECTS = new Set(
  'SEND HAND READ SET DESTROY DISABLE GRANT TRANSFER STORE SECRET PERSONAL CONVERSATION MONEY SHELL OPENED'.split(' '),
)

function addPurpose(sentences: ReadonlyMap<number, Sentence>, about: ReadonlySet<string>): void {
  const names = conceptNames()
  const named = new Set([...about].flatMap((word) => conceptsOfWord(word).map((one) => names[one] as string)))
  const opening = sentences.get(0)?.features
  for (const [number, { features }] of sentences)
    for (const one of EFFECTS)
      if (features.has(one) && !named.has(one) && (number === 0 || opening?.has(one) !== true))
        features.add(`OFF${one}`)
}

function addLiterals({ features, start, end }: Sentence, text: string): void {
  const sentence = text.slice(start, Math.min(end, start + MAX_SENTENCE))
  for (const [name, pattern] of LITERALS) if (pattern.test(sentence)) features.add(name)
  const hasValue = ['EMAIL', 'URL', 'PATH', 'SECRETFILE', ...LITERALS.map(([name]) => name)].some((one) =>
    features.has(one),
  )
  if (hasValue) features.add('LITERAL')
}

/** A tool whose text is mostly about other tools has them as its purpose. */
const MOST = 0.5

/** Groups that also count when another sentence of the same text has them: an order is often spread over two sentences. */
const CONTEXT =
  'NAME NAMES SECRET SECRETFILE LITERAL QUOTED EVERYTIME WHENEVER ALLTOOLS STRONGMUST TOBE ENTAILS PRETEXT ELSE_FAIL REGARDLESS USERONLY AGENT CONVERSATION PROTECTS UNASKED SECRETLY PRIORITY CLAIMEDGAIN OPENED DESTROY SEND ARGUMENT DEST EMAIL URL CODE SQL'.split(
    ' ',
  )

function addContext(sentences: readonly Sentence[]): void {
  const naming = sentences.filter(({ features }) => features.has('NAME'))
  if (sentences.length > 1 && naming.length >= sentences.length * MOST)
    for (const { features } of naming) features.add('MOSTLYOTHERS')
  for (const group of CONTEXT) {
    const having = sentences.filter(({ features }) => features.has(group))
    if (having.length === 0) continue
    for (const sentence of sentences)
      if (having.length > 1 || having[0] !== sentence) sentence.features.add(`~${group}`)
  }
}

function addPairs(features: Set<string>): void {
  const paired = [...features].filter((one) => PAIRED.has(one)).sort()
  for (const [index, one] of paired.entries())
    for (const other of paired.slice(index + 1)) features.add(`${one}+${other}`)
}
