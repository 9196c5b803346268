/**
 * How each word of a goal is meant. "Do not send it" asks for no sending and "Is it deleted?" for no deleting, though both say
 * the word. A noun that is also a verb, such as "order", is a request only in the position of a verb.
 */
import type { Token } from './tokens.ts'

export interface WordRole {
  /** the goal says that it is not wanted */
  readonly isNegated: boolean
  /** in a question, which requests no action */
  readonly inQuestion: boolean
  /** in the position of a request's verb */
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
/** These begin a question if the sentence has a question mark and "you" does not follow: "Can you send it?" is a request. */
const MAY_ASK = words('have do can could will would may might must shall')

const BEFORE_VERB = words("and then please to also first finally now next you we i must should let's lets")

export function wordRolesOf(tokens: readonly Token[]): WordRole[] {
  const roles: WordRole[] = []
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
    roles.push({ isNegated: denied, inQuestion: asking, isVerbPosition: verb })
    if (isVoid(tokens, at)) {
      denied = true
      for (let word = clause; word < at; word++) roles[word] = { ...(roles[word] as WordRole), isNegated: true }
    }
    if (DENYING.has(plain(token)) && !TURNED.has(tokens[at + 1]?.lower ?? '')) denied = true
  }
  return roles
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
