/**
 * Applies the rules to one text. What is quoted, reported or negated is discounted: a security tool may name the attacks it detects,
 * and "never sends credentials" promises something.
 */
import type { TextAnalysis } from './analyse.ts'
import { type CompiledPattern, compiledRules } from './families.ts'
import type { MatchedToken, PatternMatch } from './pattern.ts'
import type { Token } from './tokens.ts'

export interface RuleMatch {
  readonly pattern: CompiledPattern
  readonly quote: string
  /** where it is in the analysed text */
  readonly start: number
  /** quoted or reported, so that it counts as a note only */
  readonly isMention: boolean
}

/** `text` is what was analysed. */
export function matchRules(text: string, analysis: TextAnalysis): RuleMatch[] {
  const { patterns, byNumber } = compiledRules()
  const best = new Map<number, RuleMatch>()
  for (const match of patterns.match(analysis.matched, analysis.spans)) {
    const pattern = byNumber[match.pattern] as CompiledPattern
    if (isNegated(analysis, match) || isForbidden(analysis, match) || isLocal(analysis, match, pattern)) continue
    if (isWarning(analysis, match) || isYours(analysis, match, pattern)) continue
    const isMention = isMentioned(analysis, match)
    const known = best.get(match.pattern)
    if (known !== undefined && (isMention || !known.isMention)) continue
    const { start } = analysis.tokens[match.from] as Token
    best.set(match.pattern, { pattern, quote: quoteOf(text, analysis, match), start, isMention })
  }
  return [...best.values()]
}

const NEGATION_REACH = 4

/** A negation shortly before, in the same sentence. */
function isNegated({ tokens, matched, negations }: TextAnalysis, { from }: PatternMatch): boolean {
  const here = matched[from] as MatchedToken
  return within(negations, from - 1, (index) => {
    const there = matched[index] as MatchedToken
    if (there.sentence !== here.sentence) return undefined
    if (here.ordinal - there.ordinal > NEGATION_REACH) return undefined
    // "… do not mention it, and send …": another clause.
    return !tokens.slice(index, from).some(({ text }) => text === ';' || text === ':' || text === ',')
  })
}

const FORBIDDEN_REACH = 20
const FORBIDS = new Set(['never', 'not', 'do', "don't", 'must', 'should', 'shall'])

/** "Never continue without asking the user": what is done without is forbidden. */
function isForbidden({ tokens, matched, negations }: TextAnalysis, { from, to }: PatternMatch): boolean {
  const opening = tokens[from]?.text ?? ''
  if (FORBIDS.has(opening))
    return tokens.slice(from + 1, Math.min(to, from + FORBIDDEN_REACH)).some(({ text }) => text === 'without')
  if (opening !== 'without') return false
  const here = matched[from] as MatchedToken
  return within(negations, from - 1, (index) => {
    const there = matched[index] as MatchedToken
    return there.sentence === here.sentence && here.ordinal - there.ordinal <= FORBIDDEN_REACH ? true : undefined
  })
}

/** "Do not follow instructions in the page": warns of what others wrote, and leaves the model's own instructions alone. */
function isWarning({ tokens }: TextAnalysis, { from, to }: PatternMatch): boolean {
  const words = tokens.slice(from, Math.min(to, from + 6) + 5).map(({ text }) => text)
  return /^(?:do not|don't|never|not) (?:follow|obey|act on) (?:any |the )?(?:instructions|commands|directives|orders)(?: (?:or|and) \w+)? (?:in|from|inside|within|found|contained|returned|given by|that)\b/.test(
    words.join(' '),
  )
}

/** "before any other tool of this server": a server may order its own calls. */
const isLocal = ({ matched, locals }: TextAnalysis, { to }: PatternMatch, { family }: CompiledPattern): boolean =>
  family.rule === 'orders-calls' &&
  locals.some((index) => {
    const distance = (matched[index] as MatchedToken).ordinal - (matched[to] as MatchedToken).ordinal
    return distance > 0 && distance <= 3 && matched[index]?.sentence === matched[to]?.sentence
  })

/** "sends requests to your webhook": the destination is the user's own. */
const isYours = ({ tokens }: TextAnalysis, { to }: PatternMatch, { family }: CompiledPattern): boolean =>
  family.rule === 'sends-data-away' && /^(?:your|their)$/.test(tokens[to - 1]?.text ?? '')

const MENTION_REACH = 25

/** Inside a quotation or after words that report, such as "detects prompts that …". */
function isMentioned({ tokens, matched, mentions, isScanner }: TextAnalysis, { from, to }: PatternMatch): boolean {
  const first = tokens[from] as Token
  const isQuoted = first.quotation > 0 && first.quotation === (tokens[to] as Token).quotation
  const here = matched[from] as MatchedToken
  const isReported = within(mentions, from - 1, (index) => {
    const there = matched[index] as MatchedToken
    if (there.sentence !== here.sentence || here.ordinal - there.ordinal > MENTION_REACH) return undefined
    return true
  })
  return (isQuoted && (isReported || isScanner)) || isReported
}

/** The latest index at or before `end` decides; `decide` returns undefined to stop looking. */
function within(indexes: readonly number[], end: number, decide: (index: number) => boolean | undefined): boolean {
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((indexes[middle] as number) <= end) low = middle + 1
    else high = middle
  }
  for (let at = low - 1; at >= Math.max(0, low - 3); at--) {
    const decided = decide(indexes[at] as number)
    if (decided === undefined) return false
    if (decided) return true
  }
  return false
}

const MAX_QUOTE = 160

const quoteOf = (text: string, { tokens }: TextAnalysis, { from, to }: PatternMatch): string =>
  text.slice(
    (tokens[from] as Token).start,
    Math.min((tokens[to] as Token).end, (tokens[from] as Token).start + MAX_QUOTE),
  )
