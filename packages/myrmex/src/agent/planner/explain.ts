/** The plan in sentences: why each step is there, what was assumed, and what has to be asked. */

import { listInWords, splitWords } from '../../english/words.ts'
import type { Question } from '../plan/plan.ts'
import type { DraftStep, Link } from './draft-steps.ts'
import { jsonTypesInWords } from './matching/schema-shape.ts'
import { questionKey } from './matching/slots.ts'
import type { Candidate, Need } from './types.ts'

export const bareName = (canonical: string): string => canonical.slice(canonical.lastIndexOf('.') + 1)

/** Verbs that tools are called by. A name that starts with none of them is left as it is. */
const VERBS = new Set(
  (
    'add analyze analyse apply approve archive assign audit book build buy calculate cancel change check choose classify clean ' +
    'close collect compare compute confirm convert copy count create delete describe detect download draft edit estimate ' +
    'evaluate export extract fetch fill find fix forecast fulfill fulfil generate get give handle import improve inspect ' +
    'invite launch list load look make mark measure merge move negotiate notify open optimize optimise order pay pick place ' +
    'plan post predict prepare price process publish pull push rank read record refund register remove rename render ' +
    'reply report request reserve resolve restock return review run save scan schedule score search select sell send set ' +
    'ship show sort start stop store submit summarize summarise sync tag test track train transfer translate update upload ' +
    'validate verify write'
  ).split(' '),
)

const thirdPerson = (verb: string): string => {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`
  return /(s|x|z|ch|sh|o)$/.test(verb) ? `${verb}es` : `${verb}s`
}

/** `find_suppliers` is "Finds suppliers". */
export function actionPhrase(canonical: string): string {
  const [verb, ...rest] = splitWords(bareName(canonical))
  if (verb === undefined || !VERBS.has(verb)) return `Calls ${bareName(canonical)}`
  const does = thirdPerson(verb)
  return `${does.charAt(0).toUpperCase()}${does.slice(1)}${rest.length === 0 ? '' : ` ${rest.join(' ')}`}`
}

const withArticle = (noun: string): string => `${/^(?!uni|use|usa|one|eu)[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
/** A list of things has no article. */
const needed = (need: Need): string => {
  const name = need.typeId ?? need.property
  return need.item !== undefined || /[^s]s$/.test(name) ? name : withArticle(name)
}

export interface DraftPlan {
  readonly candidates: readonly Candidate[]
  readonly steps: readonly DraftStep[]
  /** workers that the goal asks for */
  readonly requested: ReadonlySet<number>
  /** things that the goal asks for, by the worker that gives them */
  readonly wantedFields: ReadonlyMap<number, readonly string[]>
  readonly isOnlyForInput: (worker: number) => boolean
}

const nameOf = (told: DraftPlan, worker: number): string => told.candidates[worker]?.tool.name ?? ''

export function whyOf(step: DraftStep, told: DraftPlan): string {
  const users = told.steps.flatMap((user) => {
    const used = user.links.filter(({ need, match }) => match.candidate === step.candidate && need.required)
    const what = [...new Set(used.map(({ need }) => needed(need)))]
    return what.length === 0 ? [] : [`${bareName(nameOf(told, user.candidate))} needs ${listInWords(what)}`]
  })
  const things = told.wantedFields.get(step.candidate) ?? []
  const reasons = [
    ...(told.requested.has(step.candidate) ? ['the goal asks for it'] : []),
    ...(things.length > 0 ? [`the goal asks for ${listInWords(things)}`] : []),
    ...users,
  ]
  return `${actionPhrase(nameOf(told, step.candidate))}, because ${listInWords(reasons)}.`
}

/** What was chosen where something else would have been possible. */
export function assumptionsOf(told: DraftPlan): string[] {
  const said: string[] = []
  for (const step of told.steps) {
    const name = nameOf(told, step.candidate)
    said.push(...step.notes)
    for (const link of step.links) said.push(...saidOfLink(link, name, nameOf(told, link.match.candidate)))
    const isChange = told.candidates[step.candidate]?.tool.destructive === true
    if (isChange && told.isOnlyForInput(step.candidate))
      said.push(
        `${name} changes state and is there only because later steps need what it gives; no other way to it was found.`,
      )
  }
  return [...new Set(said)]
}

function saidOfLink({ need, match: { offer, sameType, wrapped } }: Link, user: string, giver: string): string[] {
  const said: string[] = []
  const lists = offer.lists.map((list) => (list === '' ? 'the answer' : list))
  if (lists.length > 0) said.push(`Takes the first of ${lists.join(', and of its ')} that ${giver} gives.`)
  if (wrapped) said.push(`Gives ${user} a list with one ${offer.typeId ?? offer.property} as ${need.property}.`)
  if (!sameType) {
    const from = offer.pointer === '' ? 'the answer' : offer.pointer.slice(1).replaceAll('/', '.')
    said.push(`Takes ${from} of ${giver} as ${need.property} of ${user}, because their names agree; no type says so.`)
  }
  return said
}

/** Each thing once, whoever needs it. */
export function questionsOf(told: DraftPlan): Question[] {
  const byKey = new Map<string, { readonly need: Need; readonly tools: string[]; readonly givers: Set<number> }>()
  for (const step of told.steps) {
    for (const { need, givers } of step.missing) {
      const key = questionKey(need)
      const known = byKey.get(key) ?? { need, tools: [], givers: new Set() }
      known.tools.push(nameOf(told, step.candidate))
      for (const giver of givers) known.givers.add(giver)
      byKey.set(key, known)
    }
  }
  return [...byKey].map(([input, { need, tools, givers }]) => ({
    input,
    tool: tools[0],
    question: questionFor(
      input,
      need,
      [...new Set(tools)],
      givers.size === 0
        ? 'no tool gives it'
        : `it comes only from ${listInWords([...givers].map((giver) => nameOf(told, giver)))}`,
    ),
  }))
}

const MOST_QUOTED = 3
export const quotedList = (texts: readonly string[]): string =>
  listInWords(texts.slice(0, MOST_QUOTED).map((text) => JSON.stringify(text)))

/** Nothing is changed for the first of a list while the goal names one that was not understood. */
export function doubtQuestions(told: DraftPlan, unused: readonly string[]): Question[] {
  if (unused.length === 0) return []
  const byKey = new Map<string, Question>()
  for (const step of told.steps) {
    if (told.candidates[step.candidate]?.tool.destructive !== true) continue
    for (const { need, match } of step.links) {
      if (match.offer.lists.length === 0 || !need.required) continue
      const [tool, input] = [nameOf(told, step.candidate), questionKey(need)]
      const first = `the first ${match.offer.property} that ${nameOf(told, match.candidate)} gives may be another`
      const question = `What is the ${input} that ${tool} is to take? The goal names ${quotedList(unused)}, which no step uses, and ${first}.`
      if (!byKey.has(input)) byKey.set(input, { input, tool, question })
    }
  }
  return [...byKey.values()]
}

const MOST_VALUES = 12

function questionFor(input: string, need: Need, tools: readonly string[], whence: string): string {
  const values = need.values
    ?.slice(0, MOST_VALUES)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  const parts = need.parts.filter(({ required }) => required).map(({ property }) => property)
  const kind =
    parts.length === 0
      ? jsonTypesInWords(need.jsonTypes)
      : `${jsonTypesInWords(need.jsonTypes)} with ${listInWords(parts)}`
  const choice = values === undefined ? `(${kind})` : `(one of ${values.join(', ')})`
  const about = need.description === undefined ? '' : ` ${need.description.replace(/[.\s]+$/, '')}.`
  const verb = tools.length === 1 ? 'needs' : 'need'
  return `${/[^s]s$/.test(input) ? 'What are' : 'What is'} the ${input} ${choice}?${about} ${listInWords(tools)} ${verb} it, and ${whence}.`
}
