/**
 * Reads a normalised text as words with meanings: which groups of the vocabulary each word belongs to, where sentences end, and where
 * something is negated or only reported.
 */
import { conceptId, conceptsOfWord, isKnownWord, phrasesFrom } from './concepts.ts'
import type { KnownNames, NameOwner } from './context.ts'
import { compiledRules } from './families.ts'
import { startsWithVerb } from './name-kinds.ts'
import { unleet } from './normalise.ts'
import type { ConceptSpan, MatchedToken } from './pattern.ts'
import { isSecretFile, isStartupFile } from './secret-files.ts'
import { type Token, tokenise } from './tokens.ts'

const ID = {
  url: conceptId('URL'),
  email: conceptId('EMAIL'),
  path: conceptId('PATH'),
  secretFile: conceptId('SECRETFILE'),
  name: conceptId('NAME'),
  self: conceptId('SELF'),
  own: conceptId('OWN'),
  foreign: conceptId('FOREIGN'),
  unknown: conceptId('UNKNOWN'),
  parameter: conceptId('PARAM'),
  number: conceptId('NUMBER'),
  pipe: conceptId('PIPE'),
  colon: conceptId('COLON'),
  devTcp: conceptId('DEVTCP'),
  envName: conceptId('ENVNAME'),
  not: conceptId('NOT'),
  dont: conceptId('DONT'),
  describesNot: conceptId('DESCRIBES_NOT'),
  meta: conceptId('META'),
  detect: conceptId('DETECT'),
  scanner: conceptId('SCANNER'),
  local: conceptId('LOCAL'),
  persistPlace: conceptId('PERSISTPLACE'),
} as const

/** After these words an order may follow. */
const LEADS = new Set(
  "must should shall please always also then and you or but just now first immediately secretly silently never not only will ll instead simply kindly let's so that to quietly automatically additionally".split(
    ' ',
  ),
)
/** "to" is an order only after one of these: "need to send", but not "used to send". */
const TO_ORDERS = new Set(
  'need needs have has sure remember required instructed going supposed want forget requires is are'.split(' '),
)

/** "do not forget to send" is an order to send. */
const STILL_ORDERS = new Set('hesitate forget fail only just'.split(' '))

export interface TextAnalysis {
  readonly tokens: readonly Token[]
  readonly matched: readonly MatchedToken[]
  readonly spans: readonly ConceptSpan[]
  /** tokens that belong to a group, for the discounts */
  readonly negations: readonly number[]
  readonly mentions: readonly number[]
  readonly locals: readonly number[]
  /** "does not": a promise */
  readonly denials: readonly number[]
  readonly isScanner: boolean
  readonly leeted: boolean
}

/** `text` is normalised. */
export function analyse(text: string, names: KnownNames): TextAnalysis {
  const documented = documentedParameters(text)
  // The words that rules name join the vocabulary when the rules are compiled.
  compiledRules()
  const isName = (word: string): boolean =>
    isKnownWord(word) ||
    (word.includes('-') && (names.ownerOf(word.replaceAll('-', '_')) !== undefined || isHyphenatedName(word)))
  return new Analyser(tokenise(text, isName), names, documented)
}

/** `get-library-docs`; two parts may be ordinary words ("add-on"). */
const isHyphenatedName = (word: string): boolean => /^[a-z]+-[a-z]+-[a-z-]+$/.test(word) && startsWithVerb(word)

const PARAMETER_LIST =
  /(?:^|\n)[ \t#*]{0,20}(?:args|arguments|param|params|parameters|inputs?|options|fields|returns?)\b[^\n]{0,40}:/i
const DOCUMENTED =
  /(?:^|\n)[ \t]{0,20}(?:[-*•] ?)?[`"']{0,2}([a-z]\w{0,60})[`"']{0,2}(?: ?\([^()\n]{0,60}\))? ?(?::|–|—|- )/gi
const ASSIGNED = /\b([a-z]\w{0,60}) ?=(?!=)/gi
const SET_TO = /\bset ([a-z]\w{0,60}) to (?:true|false|null|\d)/gi
const MAX_DOCUMENTED = 500

/** Names that a text lists as parameters ("limit: at most 100") or gives a value ("dry_run=true", "set dry_run to true"). They are no names of tools. */
function documentedParameters(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  const patterns = PARAMETER_LIST.test(text) ? [DOCUMENTED, ASSIGNED, SET_TO] : [ASSIGNED, SET_TO]
  for (const pattern of patterns)
    for (const { 1: name = '' } of text.matchAll(pattern))
      if (found.size < MAX_DOCUMENTED) found.add(name.toLowerCase())
  return found
}

class Analyser implements TextAnalysis {
  readonly tokens: readonly Token[]
  readonly matched: MatchedToken[] = []
  readonly spans: ConceptSpan[] = []
  readonly negations: number[] = []
  readonly mentions: number[] = []
  readonly locals: number[] = []
  readonly denials: number[] = []
  isScanner = false
  leeted = false
  /** "does not" ends here: its "not" gives no order */
  #describedUntil = -1

  constructor(tokens: readonly Token[], names: KnownNames, documented: ReadonlySet<string>) {
    this.tokens = tokens
    let ordinal = 0
    for (const [index, token] of tokens.entries()) {
      if (token.kind !== 'mark') ordinal++
      const { sentence } = token
      this.matched.push({ sentence, ordinal, opensOrder: opensOrder(tokens, index), opensText: ordinal <= 1 })
      this.#read(index, token, names, documented)
    }
  }

  #read(index: number, token: Token, names: KnownNames, documented: ReadonlySet<string>): void {
    const word = this.#wordOf(token)
    const concepts = [...kindsOf(token, names, documented), ...conceptsOfWord(word)]
    const found = concepts.map((concept): ConceptSpan => ({ concept, from: index, to: index }))
    found.push(...phrasesAt(this.tokens, index, word))
    for (const { concept, to } of found)
      if (concept === ID.describesNot) this.#describedUntil = Math.max(this.#describedUntil, to)
    for (const span of found) this.#add(span)
  }

  #isLabel(index: number): boolean {
    const next = this.tokens[index + 1]?.text
    return next === ':' || next === '"' || (next === ',' && NOUNS.has(this.tokens[index]?.text ?? ''))
  }

  /** The word that is meant: `pr3v1ous` is `previous`. */
  #wordOf({ text, kind }: Token): string {
    const plain = isKnownWord(text) ? undefined : unleet(text)
    if (plain === undefined || !isKnownWord(plain)) return text
    if (kind === 'word') this.leeted = true
    return plain
  }

  #add(span: ConceptSpan): void {
    const { concept, from, to } = span
    if (VERBS_ONLY.has(concept) && this.#isLabel(from)) return
    // "does not tell" describes; only "do not tell" is an order.
    if (concept === ID.dont && from === to && from <= this.#describedUntil) return
    this.spans.push(span)
    const negates = concept === ID.not || concept === ID.describesNot
    if (negates && !STILL_ORDERS.has(this.tokens[to + 1]?.text ?? '')) this.negations.push(to)
    if (concept === ID.meta || concept === ID.detect) this.mentions.push(from)
    if (concept === ID.scanner) this.isScanner = true
    if (concept === ID.describesNot) this.denials.push(from)
    if (concept === ID.local) this.locals.push(from)
  }
}

/** Readings of a word as a verb. In `"email": …` and `email, name` it is a noun. */
const VERBS_ONLY = new Set(['SEND', 'SEND!', 'HAND', 'HAND!', 'READ!', 'SET!', 'STORE!'].map(conceptId))
const NOUNS = new Set(['email', 'mail', 'post', 'report', 'share', 'copy', 'export'])

function opensOrder(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index] as Token
  if (token.opens) return true
  const before = tokens[index - 1]
  if (before === undefined || !LEADS.has(before.text)) return false
  return before.text !== 'to' || TO_ORDERS.has(tokens[index - 2]?.text ?? '')
}

function kindsOf(token: Token, names: KnownNames, documented: ReadonlySet<string>): number[] {
  const { kind, text } = token
  if (kind === 'word' || kind === 'name') return wordKinds(token, names, documented)
  if (kind === 'mark') return MARK_KINDS.get(text) ?? []
  if (kind !== 'path') return [kind === 'url' ? ID.url : ID.email]
  if (text.startsWith('/dev/tcp')) return [ID.devTcp]
  const kinds: number[] = isSecretFile(text) ? [ID.path, ID.secretFile] : [ID.path]
  return isStartupFile(text) ? [...kinds, ID.persistPlace] : kinds
}

const MARK_KINDS = new Map([
  ['|', [ID.pipe]],
  [':', [ID.colon]],
])

function wordKinds(
  { kind, text, raw, quotation }: Token,
  names: KnownNames,
  documented: ReadonlySet<string>,
): number[] {
  if (/^\d+%?$/.test(text)) return [ID.number]
  const kinds: number[] = isSecretFile(text) ? [ID.secretFile] : []
  if (/^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(raw) && /KEY|TOKEN|SECRET|PASS/.test(raw)) kinds.push(ID.envName)
  if (names.isParameter(text) && (kind === 'name' || quotation > 0)) return [...kinds, ID.parameter]
  const owner = ownerOf(kind, raw, names)
  if (owner === undefined) return kinds
  if ((owner === 'unknown' || owner === 'likely') && documented.has(text)) return [...kinds, ID.parameter]
  if (owner === 'likely') return [...kinds, ID.name]
  return owner === 'self' ? [...kinds, ID.self] : [...kinds, ID.name, ID[owner]]
}

function ownerOf(kind: Token['kind'], raw: string, names: KnownNames): NameOwner | 'likely' | undefined {
  const isCamel = /[a-z][A-Z]/.test(raw)
  if (kind !== 'name' && !isCamel) return undefined
  const snake = raw
    .replace(/\(\)$/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()
  const owner = names.ownerOf(snake)
  if (owner !== undefined) return owner
  // Upper case is a constant, and camel case may be the name of anything, unless it starts with a verb.
  if (isCamel) return /^[a-z]+(?:[A-Z][a-z0-9]*)+(?:\(\))?$/.test(raw) && startsWithVerb(raw) ? 'likely' : undefined
  return kind === 'name' && /^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(snake) && raw !== raw.toUpperCase()
    ? 'unknown'
    : undefined
}

/** Phrases that start with this word and go on, marks aside, in the same sentence. */
function phrasesAt(tokens: readonly Token[], index: number, word: string): ConceptSpan[] {
  return phrasesFrom(word).flatMap(({ words, concept }) => {
    const to = phraseEnd(tokens, index, words)
    return to === -1 ? [] : [{ concept, from: index, to }]
  })
}

function phraseEnd(tokens: readonly Token[], index: number, words: readonly string[]): number {
  const { sentence } = tokens[index] as Token
  let at = index
  for (const word of words.slice(1)) {
    do at++
    while (tokens[at]?.kind === 'mark')
    const token = tokens[at]
    if (token === undefined || token.sentence !== sentence || token.text !== word) return -1
  }
  return at
}
