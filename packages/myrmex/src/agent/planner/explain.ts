/** The plan in sentences: why each step is there, what was assumed, and what has to be asked. */

import { listInWords, splitWords } from '../../english/words.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { capitalise } from '../../protocol/text.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import type { Question } from '../plan/plan.ts'
import type { DraftStep, Link } from './draft-steps.ts'
import { jsonTypesInWords } from './matching/schema-shape.ts'
import { questionKey } from './matching/slots.ts'
import { bareName } from './names.ts'
import type { Need } from './types.ts'

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
  return capitalise([thirdPerson(verb), ...rest].join(' '))
}

const withArticle = (noun: string): string => `${/^(?!uni|use|usa|one|eu)[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
/** A list has no article. */
const nameWithArticle = (need: Need): string => {
  const name = need.typeId ?? need.property
  return need.item !== undefined || /[^s]s$/.test(name) ? name : withArticle(name)
}

export interface DraftPlan {
  readonly steps: readonly DraftStep[]
  /** tools that the goal asks for */
  readonly requested: ReadonlySet<ToolView>
  /** values that the goal asks for, by the tool that gives them */
  readonly wantedFields: ReadonlyMap<ToolView, readonly string[]>
  readonly isOnlyForInput: (tool: ToolView) => boolean
}

export function whyOf({ tool }: DraftStep, draft: DraftPlan): string {
  const users = draft.steps.flatMap((user) => {
    const used = user.links.filter(({ need, match }) => match.offer.tool === tool && need.required)
    const inputs = [...new Set(used.map(({ need }) => nameWithArticle(need)))]
    return inputs.length === 0 ? [] : [`${bareName(user.tool.name)} needs ${listInWords(inputs)}`]
  })
  const wanted = draft.wantedFields.get(tool) ?? []
  const reasons = [
    ...(draft.requested.has(tool) ? ['the goal asks for it'] : []),
    ...(wanted.length > 0 ? [`the goal asks for ${listInWords(wanted)}`] : []),
    ...users,
  ]
  return `${actionPhrase(tool.name)}, because ${listInWords(reasons)}.`
}

/** The choices that could have been made otherwise. */
export function assumptionsOf(draft: DraftPlan): string[] {
  const sentences = draft.steps.flatMap(({ tool, notes, links }) => {
    const isOnlyForInput = tool.destructive && draft.isOnlyForInput(tool)
    const why = 'changes state and is there only because later steps need what it gives; no other way to it was found.'
    return [
      ...notes,
      ...links.flatMap((link) => linkAssumptions(link, tool.name)),
      ...(isOnlyForInput ? [`${tool.name} ${why}`] : []),
    ]
  })
  return [...new Set(sentences)]
}

function linkAssumptions({ need, match: { offer, sameType, wrapped } }: Link, user: string): string[] {
  const source = offer.tool.name
  const lists = offer.lists.map((list) => (list === '' ? 'the answer' : list))
  const field = offer.pointer === '' ? 'the answer' : offer.pointer.slice(1).replaceAll('/', '.')
  return [
    ...(lists.length > 0 ? [`Takes the first of ${lists.join(', and of its ')} that ${source} gives.`] : []),
    ...(wrapped ? [`Gives ${user} a list with one ${offer.typeId ?? offer.property} as ${need.property}.`] : []),
    ...(sameType
      ? []
      : [`Takes ${field} of ${source} as ${need.property} of ${user}, because their names agree; no type says so.`]),
  ]
}

/** One question for each missing input, also if several steps need it. */
export function questionsOf(steps: readonly DraftStep[]): Question[] {
  const byKey = new Map<string, { readonly need: Need; readonly tools: string[]; readonly sources: Set<string> }>()
  for (const { tool, missing } of steps) {
    for (const { need, sources } of missing) {
      const question = getOrMake(byKey, questionKey(need), () => ({ need, tools: [], sources: new Set<string>() }))
      question.tools.push(tool.name)
      for (const source of sources) question.sources.add(source.name)
    }
  }
  return [...byKey].map(([input, { need, tools, sources }]) => {
    const whence = sources.size === 0 ? 'no tool gives it' : `it comes only from ${listInWords([...sources])}`
    return { input, tool: tools[0], question: questionFor(input, need, [...new Set(tools)], whence) }
  })
}

const MAX_QUOTED = 3
export const quotedList = (texts: readonly string[]): string =>
  listInWords(texts.slice(0, MAX_QUOTED).map((text) => JSON.stringify(text)))

/** A state change must not take the first item of a list while the goal names another one that was not understood. */
export function doubtQuestions(steps: readonly DraftStep[], unused: readonly string[]): Question[] {
  if (unused.length === 0) return []
  const byKey = new Map<string, Question>()
  for (const { tool, links } of steps) {
    if (!tool.destructive) continue
    for (const { need, match } of links) {
      if (match.offer.lists.length === 0 || !need.required) continue
      const input = questionKey(need)
      const first = `the first ${match.offer.property} that ${match.offer.tool.name} gives may be another`
      const question = `What is the ${input} that ${tool.name} is to take? The goal names ${quotedList(unused)}, which no step uses, and ${first}.`
      if (!byKey.has(input)) byKey.set(input, { input, tool: tool.name, question })
    }
  }
  return [...byKey.values()]
}

const MAX_VALUES = 12

function questionFor(input: string, need: Need, tools: readonly string[], whence: string): string {
  const values = need.values
    ?.slice(0, MAX_VALUES)
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
