/**
 * Chooses the tools that a goal asks for: compares its words with the names, titles, outputs and descriptions of the tools. Rare
 * words weigh more. The tools that stand out are chosen.
 */

import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'
import { getOrMake } from '../../../protocol/get-or-make.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { bareName } from '../names.ts'
import type { Candidate } from '../types.ts'
import type { WordRole } from './word-roles.ts'
import { contentStems, isStopWord, synonymsOf } from './words.ts'

/** One word of the goal. */
export interface GoalWord extends WordRole {
  readonly stem: string
  readonly word: string
  /** the name of a value ("order 1042"): it may help to choose, but asks for nothing by itself */
  readonly namesValue: boolean
  /** says what something is about: only a tool of that very name is meant by it */
  readonly isTopic: boolean
}

export interface ChosenTool {
  readonly tool: ToolView
  /** the goal's words that it was chosen by */
  readonly words: readonly string[]
}

export interface ToolChoice {
  readonly chosen: readonly ChosenTool[]
  /** tools between which the words do not decide; then none of them is chosen */
  readonly ambiguous: readonly ToolView[]
}

const WEIGHT = { name: 3, title: 2, output: 1.5, description: 1, agent: 0.5 }
const SYNONYM_FACTOR = 0.6
const VALUE_NAME_FACTOR = 0.4
/** A tool that fits several words is more likely than several tools that fit one word each. */
const BONUS_PER_WORD = 0.25
/** If more tools than this score alike, the words say too little. */
const MAX_ALIKE = 4

interface Profile {
  readonly tool: ToolView
  readonly weights: ReadonlyMap<string, number>
  readonly nameStems: readonly string[]
  /** for a tool that changes state: its verbs, one of which the goal must say */
  readonly actions: ReadonlySet<string> | undefined
}

const profiles = new WeakMap<object, Profile>()

const profileOf = ({ tool, offers }: Candidate): Profile =>
  getOrMake(profiles, tool, () => {
    const weights = new Map<string, number>()
    const add = (stems: Iterable<string>, weight: number): void => {
      for (const one of stems) weights.set(one, Math.max(weights.get(one) ?? 0, weight))
    }
    const nameStems = splitWords(bareName(tool.name)).map(stem)
    add(nameStems, WEIGHT.name)
    add(contentStems(tool.title ?? ''), WEIGHT.title)
    add(contentStems(tool.description), WEIGHT.description)
    for (const offer of offers) {
      if (offer.depth <= 3) add(contentStems((offer.typeId ?? offer.property).replace(/_?ids?$/, '')), WEIGHT.output)
    }
    add(contentStems(`${tool.agent} ${tool.name.slice(0, tool.name.lastIndexOf('.'))}`), WEIGHT.agent)
    return { tool, weights, nameStems, actions: tool.destructive ? actionsOf(tool, nameStems) : undefined }
  })

/** `delete_user` and `user_delete` that "Deletes a user" delete; `start_oven` that "Heats an oven" starts and heats. */
function actionsOf({ name, description }: ToolView, nameStems: readonly string[]): ReadonlySet<string> {
  const [described] = contentStems(description)
  const [first] = nameStems
  if (described !== undefined && nameStems.includes(described)) return new Set([described])
  // "Make a payment" says nothing but the payment.
  const own = isStopWord(splitWords(bareName(name))[0] ?? '') ? nameStems : [first ?? '']
  return new Set(described === undefined ? own : [...own, described])
}

interface Score {
  readonly tool: ToolView
  readonly score: number
  readonly words: readonly GoalWord[]
  /** the share of its name that the words say */
  readonly named: number
  readonly isActionNamed: boolean
  /** a tool that changes state is not chosen because a thing was mentioned */
  readonly isRequested: boolean
}

export function chooseTools(words: readonly GoalWord[], candidates: readonly Candidate[]): ToolChoice {
  const all = candidates.map(profileOf)
  const rarity = raritiesOf(all)
  const chosen: ChosenTool[] = []
  let left = words.some(({ namesValue }) => !namesValue) ? words : words.map((word) => ({ ...word, namesValue: false }))
  let first = 0
  for (;;) {
    const scores = all
      .map((profile) => scoreOf(profile, left, rarity))
      .filter((score) => isTaken(score, first) && !chosen.some(({ tool }) => tool === score.tool))
    const best = Math.max(0, ...scores.map(({ score }) => score))
    if (best === 0) return { chosen, ambiguous: [] }
    const top = scores.filter(({ score }) => score >= best * 0.95)
    if (top.length > MAX_ALIKE) return { chosen, ambiguous: chosen.length === 0 ? top.map(({ tool }) => tool) : [] }
    if (first === 0) first = best
    for (const { tool, words: by } of top)
      chosen.push({
        tool,
        words: [...new Set(by.filter(({ namesValue }) => !namesValue).map(({ word }) => word))],
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
  { tool, weights, nameStems, actions }: Profile,
  words: readonly GoalWord[],
  rarity: (stemmed: string) => number,
): Score {
  let score = 0
  const by: GoalWord[] = []
  const named = new Set<string>()
  const weight = (stemmed: string): number => (weights.get(stemmed) ?? 0) * rarity(stemmed)
  for (const word of words) {
    let [best, through] = [weight(word.stem), word.stem]
    for (const synonym of word.isTopic ? [] : synonymsOf(word.stem)) {
      if (SYNONYM_FACTOR * weight(synonym) > best) [best, through] = [SYNONYM_FACTOR * weight(synonym), synonym]
    }
    if (best === 0) continue
    score += word.namesValue ? best * VALUE_NAME_FACTOR : best
    by.push(word)
    if (nameStems.includes(through) && !word.namesValue) named.add(through)
  }
  return {
    tool,
    score: score * (1 + BONUS_PER_WORD * Math.max(0, by.filter(({ namesValue }) => !namesValue).length - 1)),
    words: by,
    named: named.size / Math.max(1, nameStems.length),
    isActionNamed: nameStems[0] !== undefined && named.has(nameStems[0]),
    isRequested: actions === undefined || by.some((word) => requestsAction(word, actions)),
  }
}

/** "Show the cancelled orders" and "Is it cancelled?" ask nobody to cancel one. */
function requestsAction(word: GoalWord, actions: ReadonlySet<string>): boolean {
  if (word.inQuestion || word.isTopic || isParticiple(word.word)) return false
  return actions.has(word.stem) || (word.isVerbPosition && synonymsOf(word.stem).some((other) => actions.has(other)))
}

const isParticiple = (word: string): boolean => /[^e]ed$/.test(word) && word.length > 4

/** The first tool must fit a word of its name or enough others; the next ones must fit words that no chosen tool covers. */
function isTaken(score: Score, first: number): boolean {
  const asked = score.words.filter(({ namesValue }) => !namesValue).length
  if (score.score === 0 || asked === 0 || !score.isRequested) return false
  if (first === 0) return score.named > 0 || asked >= 2 || score.score >= WEIGHT.output
  return score.isActionNamed || score.named >= 0.5 || (score.named > 0 && score.score >= first * 0.5)
}
