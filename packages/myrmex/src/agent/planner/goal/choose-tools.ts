/**
 * Which tools a goal asks for. What the context wants is certain; otherwise the goal's words are held against the names, titles,
 * outputs and descriptions of the tools, rare words weighing more, and the tools that stand out are taken.
 */

import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'
import type { Candidate } from '../types.ts'
import { contentStems, isStopWord, synonymsOf } from './words.ts'

/** One word of the goal. */
export interface GoalWord {
  readonly stem: string
  readonly word: string
  /** the name of a value ("order 1042"): it may help to choose, but asks for nothing by itself */
  readonly isLabel: boolean
  /** it says what something is about: only a tool that is called so is meant by it */
  readonly isSubject: boolean
  /** it stands in a question, which bids nobody do anything */
  readonly isAsking: boolean
  /** it stands where the verb of a request stands */
  readonly isVerb: boolean
}

export interface ChosenTool {
  readonly candidate: number
  /** the goal's words that it was chosen by */
  readonly words: readonly string[]
}

export interface ToolChoice {
  readonly chosen: readonly ChosenTool[]
  /** tools between which the words do not decide; then none of them is chosen */
  readonly ambiguous: readonly number[]
}

const WEIGHT = { name: 3, title: 2, output: 1.5, description: 1, agent: 0.5 }
/** A word that only means the same says less than the word itself. */
const ALIKE = 0.6
const LABEL = 0.4
/** A tool that several words fit is meant sooner than several that one word fits each. */
const TOGETHER = 0.25
/** More tools than this for one word, and the word says too little. */
const MOST_ALIKE = 4

interface Profile {
  readonly weights: ReadonlyMap<string, number>
  readonly nameStems: readonly string[]
  /** what it does, of a tool that changes something: only whoever says so wants it */
  readonly acts: ReadonlySet<string> | undefined
}

const remembered = new WeakMap<object, Profile>()

function profileOf({ tool, offers }: Candidate): Profile {
  const known = remembered.get(tool)
  if (known !== undefined) return known
  const weights = new Map<string, number>()
  const add = (stems: Iterable<string>, weight: number): void => {
    for (const one of stems) weights.set(one, Math.max(weights.get(one) ?? 0, weight))
  }
  const nameStems = splitWords(tool.name.slice(tool.name.lastIndexOf('.') + 1)).map(stem)
  add(nameStems, WEIGHT.name)
  add(contentStems(tool.title ?? ''), WEIGHT.title)
  add(contentStems(tool.description), WEIGHT.description)
  for (const offer of offers) {
    if (offer.depth <= 3) add(contentStems((offer.typeId ?? offer.property).replace(/_?ids?$/, '')), WEIGHT.output)
  }
  add(contentStems(`${tool.agent} ${tool.name.slice(0, tool.name.lastIndexOf('.'))}`), WEIGHT.agent)
  const profile = { weights, nameStems, acts: tool.destructive ? actsOf(tool, nameStems) : undefined }
  remembered.set(tool, profile)
  return profile
}

/** `delete_user` and `user_delete` that "Deletes a user" delete; `start_oven` that "Heats an oven" starts and heats. */
function actsOf({ name, description }: Candidate['tool'], nameStems: readonly string[]): ReadonlySet<string> {
  const [said] = contentStems(description)
  const [first] = nameStems
  if (said !== undefined && nameStems.includes(said)) return new Set([said])
  // "Make a payment" says nothing but the payment.
  const own = isStopWord(splitWords(name.slice(name.lastIndexOf('.') + 1))[0] ?? '') ? nameStems : [first ?? '']
  return new Set(said === undefined ? own : [...own, said])
}

interface Score {
  readonly worker: number
  readonly score: number
  readonly words: readonly GoalWord[]
  /** how much of what it is called was said anew */
  readonly named: number
  readonly isActionNamed: boolean
  /** nothing that changes state is done because a thing was mentioned */
  readonly isBidden: boolean
}

export function chooseTools(words: readonly GoalWord[], workers: readonly Candidate[]): ToolChoice {
  const profiles = workers.map(profileOf)
  const rarity = raritiesOf(profiles)
  const asking = words.some(({ isLabel }) => !isLabel) ? words : words.map((word) => ({ ...word, isLabel: false }))
  const chosen: ChosenTool[] = []
  let left = asking
  let first = 0
  for (;;) {
    const scores = workers.map((_, worker) => scoreOf(worker, profiles[worker], left, rarity))
    const able = scores.filter(
      (score) => isTaken(score, first) && !chosen.some(({ candidate }) => candidate === score.worker),
    )
    const best = Math.max(0, ...able.map(({ score }) => score))
    if (best === 0) return { chosen, ambiguous: [] }
    const top = able.filter(({ score }) => score >= best * 0.95)
    if (top.length > MOST_ALIKE)
      return { chosen, ambiguous: chosen.length === 0 ? top.map(({ worker }) => worker) : [] }
    if (first === 0) first = best
    for (const { worker, words: by } of top)
      chosen.push({
        candidate: worker,
        words: [...new Set(by.filter(({ isLabel }) => !isLabel).map(({ word }) => word))],
      })
    const covered = new Set(top.flatMap(({ words: by }) => by.map((word) => word.stem)))
    left = left.filter((word) => !covered.has(word.stem))
  }
}

function raritiesOf(profiles: readonly Profile[]): (stemmed: string) => number {
  const counts = new Map<string, number>()
  for (const { weights } of profiles) for (const one of weights.keys()) counts.set(one, (counts.get(one) ?? 0) + 1)
  return (stemmed) => Math.log(1 + profiles.length / (counts.get(stemmed) ?? profiles.length))
}

function scoreOf(
  worker: number,
  profile: Profile | undefined,
  words: readonly GoalWord[],
  rarity: (stemmed: string) => number,
): Score {
  let score = 0
  const by: GoalWord[] = []
  const named = new Set<string>()
  const nameStems = profile?.nameStems ?? []
  for (const word of words) {
    const { best, through } = bestFor(word, profile, rarity)
    if (best === 0) continue
    score += word.isLabel ? best * LABEL : best
    by.push(word)
    if (nameStems.includes(through) && !word.isLabel) named.add(through)
  }
  return {
    worker,
    score: score * (1 + TOGETHER * Math.max(0, by.filter(({ isLabel }) => !isLabel).length - 1)),
    words: by,
    named: named.size / Math.max(1, nameStems.length),
    isActionNamed: nameStems[0] !== undefined && named.has(nameStems[0]),
    isBidden: profile?.acts === undefined || by.some((word) => bids(word, profile.acts)),
  }
}

/** What a word says for a tool, by itself or through one that means the same. */
function bestFor(
  word: GoalWord,
  profile: Profile | undefined,
  rarity: (stemmed: string) => number,
): { readonly best: number; readonly through: string } {
  const weight = (stemmed: string): number => (profile?.weights.get(stemmed) ?? 0) * rarity(stemmed)
  let [best, through] = [weight(word.stem), word.stem]
  for (const other of word.isSubject ? [] : synonymsOf(word.stem)) {
    const alike = ALIKE * weight(other)
    if (alike > best) [best, through] = [alike, other]
  }
  return { best, through }
}

/** "Show the cancelled orders" and "Is it cancelled?" bid nobody cancel one. */
function bids(word: GoalWord, acts: ReadonlySet<string> = new Set()): boolean {
  if (word.isAsking || word.isSubject || isParticiple(word.word)) return false
  return acts.has(word.stem) || (word.isVerb && synonymsOf(word.stem).some((other) => acts.has(other)))
}

const isParticiple = (word: string): boolean => /[^e]ed$/.test(word) && word.length > 4

/** The first must be called by something it is; those after it must be asked for in words that are not spoken for yet. */
function isTaken(score: Score, first: number): boolean {
  const asked = score.words.filter(({ isLabel }) => !isLabel).length
  if (score.score === 0 || asked === 0 || !score.isBidden) return false
  if (first === 0) return score.named > 0 || asked >= 2 || score.score >= WEIGHT.output
  return score.isActionNamed || score.named >= 0.5 || (score.named > 0 && score.score >= first * 0.5)
}
