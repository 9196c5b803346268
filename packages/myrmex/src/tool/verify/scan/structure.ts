/**
 * Finds sentences that plan the calls of other tools: they name another tool together with a value, an effect or a claim that only an
 * author with a purpose of their own would write down. What the sentence says in between does not matter, so that paraphrases, the
 * passive voice and polite forms are found too.
 */
import type { SentenceFeatures } from './sentence-features.ts'
import type { Signal } from './signal.ts'

interface Structure {
  readonly weight: number
  /** Of each list at least one group is in the sentence. */
  readonly groups: readonly string[][]
}

const VALUE = 'EMAIL URL IPADDRESS PHONE ACCOUNT CODE SQL SECRETFILE'.split(' ')
const OBLIGATION = 'ENTAILS TOBE STRONGMUST WHENEVER REGARDLESS'.split(' ')
const ORDER = ['BEFORE', 'FIRST', 'AFTER', 'WHEN']
const EVERY = ['WHENEVER', 'ANY']
const EFFECT = ['DESTROY', 'TRANSFER', 'GRANT', 'DISABLE']

const STRUCTURES: readonly Structure[] = [
  { weight: 5, groups: [['NAME'], VALUE] },
  { weight: 5, groups: [['NAME'], ['SYSTEMPATH'], [...OBLIGATION, ...ORDER]] },
  { weight: 5, groups: [['NAME'], ['OPENED'], [...OBLIGATION, ...EVERY]] },
  { weight: 5, groups: [['NAME'], EFFECT, EVERY, [...OBLIGATION, ...ORDER]] },
  { weight: 5, groups: [['REGARDLESS'], ['USERONLY', 'WANT'], ['NAME', 'LITERAL', 'QUOTED']] },
  { weight: 3, groups: [['REGARDLESS'], ['USERONLY', 'WANT'], ['DEST', 'ARGUMENT']] },
  { weight: 3, groups: [['NAMES'], ORDER, [...OBLIGATION, 'ANY']] },
]

/** Code and examples show calls and plan none. The top-level domain in an address is no such word. */
const SHOWS = /[{}]|\]\(https?:|\bawait \w|```|":|=>|>>>|e\.g\.|(?<![.\w-])examples?\b|\bsuch as\b|\bfor instance\b/i
const MAX_SENTENCE = 1000
const MAX_QUOTE = 200

/** `text` is what the sentences were read from. */
export function structureSignal(
  text: string,
  sentences: readonly SentenceFeatures[],
): (Signal & { readonly start: number }) | undefined {
  let best: { weight: number; quote: string; start: number } | undefined
  for (const { features, start, end } of sentences) {
    const matching = STRUCTURES.filter(({ groups }) => groups.every((list) => list.some((one) => features.has(one))))
    const weight = Math.max(0, ...matching.map((one) => one.weight))
    if (weight <= (best?.weight ?? 0)) continue
    if (SHOWS.test(text.slice(start, Math.min(end, start + MAX_SENTENCE)))) continue
    best = { weight, quote: text.slice(start, Math.min(end, start + MAX_QUOTE)), start }
  }
  if (best === undefined) return undefined
  const message =
    'plans the calls of another tool: it names the tool together with a value, an effect or a claim of its own. A server describes its tools and leaves their use to the user'
  return { rule: 'steers-arguments', message, ...best }
}
