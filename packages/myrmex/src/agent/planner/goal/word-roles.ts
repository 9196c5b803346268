/**
 * How the words of a goal are meant. "Do not send it" asks for no sending and "Is it deleted?" for no deleting, though both say
 * the word; and a word that only means the same as an act, such as "order", is an act where a verb stands and a thing elsewhere.
 */
import type { Token } from './tokens.ts'

export interface WordRole {
  /** said to be not wanted */
  readonly isNegated: boolean
  /** in a sentence that asks how things are */
  readonly inQuestion: boolean
  /** where the verb of a request stands */
  readonly isVerbPosition: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const DENYING = words("not never without avoid don't dont doesn't won't can't cannot shouldn't mustn't nor")
/** "Do not forget to send it" asks for it. */
const TURNED = words('forget hesitate fail only just')
/** "Delete nobody" and "send no letter" take back what was said before. */
const VOID = words('nobody nothing none nowhere')
const BOUND = words('later sooner earlier more less fewer longer matter')
const ENDING = words('but only just instead then rather')

const ASKING = words('who whom whose what which when where why how is are was were am has had did does should')
/** These ask where the sentence has a question mark, and where nobody is bidden: "Can you send it?" is a request. */
const MAY_ASK = words('have do can could will would may might must shall')

const BEFORE_VERB = words("and then please to also first finally now next you we i must should let's lets")

export function wordRolesOf(tokens: readonly Token[]): WordRole[] {
  const moods: WordRole[] = []
  let denied = false
  let asking = false
  let clause = 0
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    if (token.startsSentence) asking = isQuestion(tokens, at)
    if (token.afterPunctuation || token.startsSentence || ENDING.has(token.lower)) {
      denied = false
      clause = at
    }
    const verb = token.startsSentence || token.afterPunctuation || BEFORE_VERB.has(before?.lower ?? '')
    moods.push({ isNegated: denied, inQuestion: asking, isVerbPosition: verb })
    if (isVoid(tokens, at)) {
      denied = true
      for (let said = clause; said < at; said++) moods[said] = { ...(moods[said] as WordRole), isNegated: denied }
    }
    if (DENYING.has(plain(token)) && !TURNED.has(tokens[at + 1]?.lower ?? '')) denied = true
  }
  return moods
}

/** "Order no 5" has a number, and "no later than Monday" denies nothing. */
function isVoid(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined || token.quoted) return false
  if (token.lower !== 'no') return VOID.has(token.lower)
  return next !== undefined && !next.afterPunctuation && /^\p{L}+$/u.test(next.lower) && !BOUND.has(next.lower)
}

const plain = ({ lower, quoted }: Token): string => (quoted ? '' : lower.replaceAll('’', "'"))

function isQuestion(tokens: readonly Token[], at: number): boolean {
  const first = tokens[at]?.lower ?? ''
  if (ASKING.has(first)) return true
  if (!MAY_ASK.has(first) || tokens[at + 1]?.lower === 'you') return false
  const next = tokens.findIndex((token, place) => place > at && token.startsSentence)
  return tokens.at(next < 0 ? -1 : next - 1)?.beforeQuestionMark === true
}
