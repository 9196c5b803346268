/** Looks words up in the vocabulary: each word of a text gets the groups of meaning that it belongs to. */
import { VERBS, WORDS } from './lexicon.ts'

/** A phrase is found by its first word. */
interface Phrase {
  readonly words: readonly string[]
  readonly concept: number
}

const ids = new Map<string, number>()
const phrasesByFirst = new Map<string, Phrase[]>()
const wordConcepts = new Map<string, number[]>()

/** The number of a group. Groups are numbered as they are first named. */
export function conceptId(name: string): number {
  const known = ids.get(name)
  if (known !== undefined) return known
  ids.set(name, ids.size)
  return ids.size - 1
}

/** The names of the groups, by number. */
export const conceptNames = (): readonly string[] => [...ids.keys()]

function add(concept: string, phrase: string): void {
  const words = phrase.split(/[ -]/)
  const id = conceptId(concept)
  const first = words[0] as string
  if (words.length === 1) {
    const concepts = wordConcepts.get(first)
    if (concepts === undefined) wordConcepts.set(first, [id])
    else if (!concepts.includes(id)) concepts.push(id)
    return
  }
  const phrases = phrasesByFirst.get(first)
  if (phrases === undefined) phrasesByFirst.set(first, [{ words, concept: id }])
  else phrases.push({ words, concept: id })
}

/** The inflected forms of a verb; `+` at its end doubles the last letter. */
function formsOf(verb: string): string[] {
  const [plain = '', ...irregular] = verb.split('/')
  const [head = '', ...rest] = plain.replace('+', '').split(' ')
  const tail = rest.length === 0 ? '' : ` ${rest.join(' ')}`
  const stem = plain.includes('+') ? head + head.at(-1) : head.replace(/e$/, '').replace(/([^aeiou])y$/, '$1i')
  const s = /(?:s|x|ch|sh)$/.test(head) ? `${head}es` : head.replace(/([^aeiou])y$/, '$1ie').concat('s')
  const gerund = plain.includes('+') ? `${stem}ing` : `${head.replace(/([^e])e$/, '$1')}ing`
  return [s, `${stem}ed`, gerund, ...irregular].map((form) => form + tail)
}

for (const [concept, list] of Object.entries(VERBS)) {
  for (const verb of list.split(', ')) {
    const plain = verb.replace('+', '').replace(/\/.*$/, '')
    add(concept, plain)
    add(`${concept}!`, plain)
    for (const form of formsOf(verb)) add(concept, form)
  }
}
for (const [concept, list] of Object.entries(WORDS)) for (const word of list.split(', ')) add(concept, word)

export const isKnownWord = (word: string): boolean => wordConcepts.has(word) || phrasesByFirst.has(word)

export const conceptsOfWord = (word: string): readonly number[] => wordConcepts.get(word) ?? NONE
const NONE: readonly number[] = []

export const phrasesFrom = (word: string): readonly Phrase[] => phrasesByFirst.get(word) ?? NO_PHRASES
const NO_PHRASES: readonly Phrase[] = []

/** Registers a literal word of a rule as a group of its own. */
export function literalConcept(word: string): number {
  const name = `=${word}`
  const isNew = !ids.has(name)
  const id = conceptId(name)
  if (isNew) add(name, word.replaceAll('_', ' '))
  return id
}
