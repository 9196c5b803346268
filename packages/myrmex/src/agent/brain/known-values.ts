/**
 * Known values are never ignored in silence: each is used by the plan, answers one of its questions, or is reported with the name that
 * was probably meant. A value that fits none of the inputs of its name is a fault. While a plan has open questions, one missing value may
 * have led to it. So names are compared with its own tools first, then with all other tools.
 */

import { ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject } from '../../protocol/json.ts'
import { isSecretPath, type SecretNames } from '../../protocol/secret.ts'
import { judge } from '../../schema/json-schema/judge.ts'
import { clipText, showValue } from '../../schema/json-schema/show-value.ts'
import { nearest } from '../../tool/nearest.ts'
import type { ToolView } from '../fleet/tool-view.ts'
import type { Problem } from '../plan/check.ts'
import { budgetFrom, isBudgetName } from '../plan/known-budget.ts'
import type { Plan } from '../plan/plan.ts'
import { WITH_REFERENCES } from '../plan/reference.ts'
import { namesOfNeed } from '../planner/matching/available-values.ts'
import { convertedToFit } from '../planner/matching/fits.ts'
import { needsOf } from '../planner/matching/needs.ts'
import { analysed } from '../planner/matching/schema-shape.ts'
import { questionKey } from '../planner/matching/slots.ts'
import { normalizedName } from '../planner/names.ts'
import type { Need } from '../planner/types.ts'
import { secretNamesOf } from './known-secrets.ts'

type KnownValues = Readonly<Record<string, unknown>>
type PlanParts = Pick<Plan, 'steps' | 'questions'>

export interface UnusedName {
  readonly name: string
  /** sentences: what was probably meant, and what the plan asks for or takes */
  readonly advice: string
  /** the advice says what was probably meant */
  readonly isNear: boolean
}

export interface KnownFaults {
  /** names that the plan neither asks for nor takes */
  readonly unused: readonly UnusedName[]
  /** sentences about values that do not fit */
  readonly unfit: readonly string[]
  /** names that only tools outside the plan take, which is no fault: after the answers to its questions, another plan may use them */
  readonly elsewhere: readonly UnusedName[]
}

export interface KnownFaultOptions {
  /** names that the author of the plan looked up (`recordReads`), which need not be those of inputs */
  readonly read?: ReadonlySet<string> | undefined
  /** answers to the questions of the plan lead to no other plan */
  readonly isFinal?: boolean | undefined
}

export function knownFaults(
  known: KnownValues = {},
  plan: PlanParts,
  tools: readonly ToolView[],
  { read = new Set(), isFinal = false }: KnownFaultOptions = {},
): KnownFaults {
  const names = Object.keys(known)
  if (names.length === 0) return { unused: [], unfit: [], elsewhere: [] }
  const inputs = inputsToCompare(plan, tools, isFinal)
  const takers = inputsByName(inputs.own)
  const otherTakers = inputsByName(inputs.others)
  const asked = plan.questions.map(({ input }) => input)
  const isUsed = usedBy(plan)
  const secrets = secretNamesOf(tools)
  const unused: string[] = []
  const unfit: string[] = []
  const elsewhere: string[] = []
  for (const name of names) {
    const value = known[name]
    if (isBudgetName(name) ? budgetFrom(value) !== undefined : read.has(name)) continue
    const { isOwn, taking } = inputsFor(name, takers, otherTakers)
    const rest = taking.length > 0 ? elsewhere : unused
    if (!isOwn && isUsed(name, value, rest.length < MAX_REPORTED)) continue
    if (!isOwn && (taking.length === 0 || fitsAny(taking, value))) rest.push(name)
    else if (unfit.length < MAX_REPORTED && !fitsAny(taking, value)) unfit.push(unfitText(name, value, taking, secrets))
  }
  return {
    unused: reported(unused, (name) => adviceFor(name, asked, inputs, read)),
    unfit,
    elsewhere: reported(elsewhere, (name) => ({ isNear: false, advice: elsewhereText(takersOf(name, otherTakers)) })),
  }
}

/** Whether the plan asks for the name, or has the value under another one. */
function usedBy({ steps, questions }: PlanParts): (name: string, value: unknown, isSearched: boolean) => boolean {
  const asked = new Set(questions.flatMap(({ input }) => [input, normalizedName(input)]))
  const isWithin = searcherOf(steps)
  return (name, value, isSearched) =>
    // Looking into a large plan for every one of many names would take long.
    asked.has(name) || asked.has(normalizedName(name)) || (isSearched && isWithin(value))
}

type Advice = Omit<UnusedName, 'name'>

/** Those with a probable meaning first. */
function reported(names: readonly string[], adviceOf: (name: string) => Advice): UnusedName[] {
  const shown = names.slice(0, MAX_REPORTED).map((name) => ({ name, ...adviceOf(name) }))
  const sorted = [...shown.filter(({ isNear }) => isNear), ...shown.filter(({ isNear }) => !isNear)]
  const more = names.length - shown.length
  return more > 0 ? [...sorted, { name: `${more} more`, advice: '', isNear: false }] : sorted
}

/** For a caller who typed the names: near names and values that do not fit come first, because they say what to change. */
export function knownProblems({ unused, unfit }: KnownFaults, label?: string): Problem[] {
  const unknown = (isNear: boolean): Problem[] =>
    unused
      .filter((one) => one.isNear === isNear)
      .map((one) => ({ code: 'unknown-name', path: '', message: unknownNameText(one, label) }))
  const bad = unfit.map((message): Problem => ({ code: 'bad-value', path: '', message }))
  return [...unknown(true), ...bad, ...unknown(false)]
}

/** Names and values come from others, and looking for what was meant takes time. */
const MAX_REPORTED = 20

/** The values, and the names that are looked up in them one by one. Who copies all of them looks up every name. */
export function recordReads<T extends { readonly known?: KnownValues | undefined }>(
  context: T,
): { readonly context: T; readonly read: ReadonlySet<string> } {
  const read = new Set<string>()
  if (context.known === undefined) return { context, read }
  const note = (name: string | symbol): void => {
    if (typeof name === 'string') read.add(name)
  }
  const known = new Proxy(context.known, {
    get: (values, name) => {
      note(name)
      return Reflect.get(values, name)
    },
    has: (values, name) => {
      note(name)
      return Reflect.has(values, name)
    },
  })
  return { context: { ...context, known }, read }
}

interface ToolInput {
  readonly tool: string
  readonly need: Need
}

interface InputsToCompare {
  readonly own: readonly ToolInput[]
  /** of the tools that another plan may use */
  readonly others: readonly ToolInput[]
}

/** Those of the tools of the plan's steps and questions; of all tools if it has none of them yet. */
function inputsToCompare(plan: PlanParts, tools: readonly ToolView[], isFinal: boolean): InputsToCompare {
  const used = new Set([...plan.steps, ...plan.questions].map(({ tool }) => tool))
  const own = tools.filter(({ name }) => used.has(name))
  if (own.length === 0) return { own: inputsOf(tools), others: [] }
  const others = isFinal || !mayChange(plan) ? [] : tools.filter(({ name }) => !used.has(name))
  return { own: inputsOf(own), others: inputsOf(others) }
}

/** A budget for the whole plan changes none of its steps. */
const mayChange = ({ questions }: PlanParts): boolean =>
  questions.some(({ input, tool }) => tool !== undefined || !isBudgetName(input))

function inputsOf(tools: readonly ToolView[]): ToolInput[] {
  const withParts = (need: Need): Need[] => [need, ...need.parts.flatMap(withParts)]
  return tools.flatMap((view) =>
    needsOf(view)
      .flatMap(withParts)
      .map((need) => ({ tool: view.name, need })),
  )
}

/** By every name that a value for it may come under. */
function inputsByName(inputs: readonly ToolInput[]): Map<string, ToolInput[]> {
  const byName = new Map<string, ToolInput[]>()
  for (const input of inputs) {
    const { typeId, property } = input.need
    const names = new Set([...(typeId === undefined ? [] : [typeId]), property, ...namesOfNeed(input.need)])
    for (const name of names) getOrMake(byName, name, () => []).push(input)
  }
  return byName
}

type InputsByName = ReadonlyMap<string, ToolInput[]>

const takersOf = (name: string, byName: InputsByName): readonly ToolInput[] =>
  byName.get(name) ?? byName.get(normalizedName(name)) ?? []

/** Those of the plan's own tools, if they take the name. */
function inputsFor(
  name: string,
  own: InputsByName,
  others: InputsByName,
): { isOwn: boolean; taking: readonly ToolInput[] } {
  const taking = takersOf(name, own)
  const isOwn = taking.length > 0 || isBudgetName(name)
  return { isOwn, taking: isOwn ? taking : takersOf(name, others) }
}

const fitsAny = (inputs: readonly ToolInput[], value: unknown): boolean =>
  inputs.some(({ need }) => convertedToFit(need, value) !== undefined)

/** A planner that knows more than the schemas may have put a text under another name, or into a longer one. Numbers are equal by chance. */
function searcherOf(steps: Plan['steps']): (value: unknown) => boolean {
  const text = JSON.stringify(steps.map(({ arguments: args }) => args))
  return (value) => {
    if (typeof value !== 'string')
      return (isObject(value) || Array.isArray(value)) && text.includes(JSON.stringify(value))
    const wanted = JSON.stringify(value).slice(1, -1)
    const at = value.length > 2 ? text.indexOf(wanted) : -1
    return at >= 0 && !WORD.test(text[at - 1] ?? '') && !WORD.test(text[at + wanted.length] ?? '')
  }
}
const WORD = /[\p{L}\p{N}]/u

function unfitText(name: string, value: unknown, taking: readonly ToolInput[], secrets: SecretNames): string {
  const seen = isSecretPath([name], secrets) ? '' : `, and is ${showValue(value)}`
  const [first] = taking
  if (first === undefined)
    return `${clipText(name)} must be an amount of money, or limits of money, calls and time${seen}.`
  const { need, tool } = first
  const judged = judge(need.schema, value, analysed(need.rootSchema).scope, WITH_REFERENCES)
  const why = typeof judged === 'object' ? judged[0]?.why : undefined
  return `${clipText(name)} does not fit ${need.path.join('.')} of ${tool}: it ${why ?? 'has another type'}${seen}.`
}

/** More names than anybody reads. */
const MAX_LISTED = 12

function adviceFor(
  name: string,
  asked: readonly string[],
  { own, others }: InputsToCompare,
  read: ReadonlySet<string>,
): Advice {
  const taken = [...new Set([...own.map(({ need }) => questionKey(need)), ...read])]
  const [meant] = nearest(name, new Set([...asked, ...taken, 'budget']), 1)
  const [other] = meant === undefined ? nearest(name, new Set(others.map(({ need }) => questionKey(need))), 1) : []
  if (other !== undefined) {
    const tool = others.find(({ need }) => questionKey(need) === other)?.tool
    return { isNear: true, advice: `Did you mean ${other}? It is an input of ${tool}.` }
  }
  const list = (names: readonly string[]): string =>
    names.length > MAX_LISTED
      ? `${names.slice(0, MAX_LISTED).join(', ')} and ${names.length - MAX_LISTED} more`
      : names.join(', ')
  const sentences = [
    ...(meant === undefined ? [] : [`Did you mean ${meant}?`]),
    ...(asked.length > 0
      ? [`This plan asks for: ${list([...new Set(asked)])}.`]
      : taken.length > 0
        ? [`This plan takes: ${list(taken)}.`]
        : ['This plan takes no values.']),
  ]
  return { isNear: meant !== undefined, advice: sentences.join(' ') }
}

const elsewhereText = ([first]: readonly ToolInput[]): string =>
  `It is an input of ${first?.tool}, which this plan does not call.`

/** For a caller who typed the names: an error. */
export const unknownNameText = ({ name, advice }: UnusedName, label = '--with name'): string =>
  `Unknown ${label} ${showValue(name)}. ${advice}`

/** For the assumptions of a plan. */
export const unusedText = ({ name, advice }: UnusedName): string => `${unusedStart(name)} ${advice}`.trim()
const unusedStart = (name: string): string => `Not used: ${clipText(name)}.`

/** The plan with the names that it does not use among its assumptions. Throws ToolError ValidationError for a value that does not fit. */
export function withUnusedNames(
  plan: Plan,
  known: KnownValues | undefined,
  tools: readonly ToolView[],
  read?: ReadonlySet<string>,
): Plan {
  const { unused, unfit, elsewhere } = knownFaults(known, plan, tools, { read })
  if (unfit.length > 0) throw ToolError.of('ValidationError', unfit.join(' '))
  return withAssumptions(plan, [...unused, ...elsewhere].map(unusedText))
}

/** An agent that made the plan may have said the same. */
export const withAssumptions = (plan: Plan, added: readonly string[]): Plan => ({
  ...plan,
  assumptions: [...plan.assumptions, ...added.filter((one) => !plan.assumptions.includes(one))],
})

/** An agent's own planner says which names it did not use (`withUnusedNames`). It has used the others, whatever it made of them. */
export const namesUsedIn = ({ assumptions }: Plan, known: KnownValues = {}): ReadonlySet<string> =>
  new Set(Object.keys(known).filter((name) => !assumptions.some((one) => one.startsWith(unusedStart(name)))))

/** For a plan that was given as it is: sentences about known values that take no effect in it. */
export function overriddenTexts(
  known: KnownValues = {},
  plan: Pick<Plan, 'steps'>,
  tools: readonly ToolView[],
): string[] {
  const secrets = secretNamesOf(tools)
  const isWithin = searcherOf(plan.steps)
  return Object.keys(known)
    .filter((name) => !isBudgetName(name) && !secrets.has(name) && !isWithin(known[name]))
    .slice(0, MAX_REPORTED)
    .map((name) => `${unusedStart(name)} The plan was given with its own arguments.`)
}
