/**
 * Known values are never ignored in silence: each is used by the plan, answers one of its questions, or is reported with the name that
 * was probably meant. A value that fits none of the inputs of its name is a fault.
 */

import { ToolError } from '../../protocol/errors.ts'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { isObject } from '../../protocol/json.ts'
import { isSecretPath, type SecretNames } from '../../protocol/secret.ts'
import { judge } from '../../schema/json-schema/judge.ts'
import { clipText, showValue } from '../../schema/json-schema/show-value.ts'
import { nearest } from '../../tool/nearest.ts'
import type { ToolView } from '../fleet/tool-view.ts'
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

export interface UnusedName {
  readonly name: string
  /** sentences: what was probably meant, and what the plan asks for or takes */
  readonly advice: string
}

export interface KnownFaults {
  /** names that the plan neither asks for nor takes */
  readonly unused: readonly UnusedName[]
  /** sentences about values that do not fit */
  readonly unfit: readonly string[]
}

/** `read`: names that the author of the plan looked up (`recordReads`), which need not be those of inputs. */
export function knownFaults(
  known: KnownValues | undefined,
  plan: Pick<Plan, 'steps' | 'questions'>,
  tools: readonly ToolView[],
  read: ReadonlySet<string> = new Set(),
): KnownFaults {
  const names = Object.keys(known ?? {})
  if (known === undefined || names.length === 0) return { unused: [], unfit: [] }
  const inputs = inputsOf(plan, tools)
  const takers = inputsByName(inputs)
  const asked = plan.questions.map(({ input }) => input)
  const askedNames = new Set([...asked, ...asked.map(normalizedName)])
  const isWithin = searcherOf(plan.steps)
  const secrets = secretNamesOf(tools)
  const isAsked = (name: string): boolean => askedNames.has(name) || askedNames.has(normalizedName(name))
  const unused: string[] = []
  const unfit: string[] = []
  for (const name of names) {
    const value = known[name]
    const taking = takersOf(name, takers)
    if (isBudgetName(name) ? budgetFrom(value) !== undefined : read.has(name)) continue
    if (taking.length === 0 && !isBudgetName(name)) {
      // Looking into a large plan for every one of many names would take long.
      const isUsed = isAsked(name) || (unused.length < MAX_REPORTED && isWithin(value))
      if (!isUsed) unused.push(name)
    } else if (unfit.length < MAX_REPORTED && !fitsAny(taking, value)) {
      unfit.push(unfitText(name, value, taking, secrets))
    }
  }
  return { unused: reported(unused, (name) => adviceFor(name, asked, inputs, read)), unfit }
}

function reported(names: readonly string[], adviceOf: (name: string) => string): UnusedName[] {
  const shown = names.slice(0, MAX_REPORTED).map((name) => ({ name, advice: adviceOf(name) }))
  const more = names.length - shown.length
  return more > 0 ? [...shown, { name: `${more} more`, advice: '' }] : shown
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

/** Of the tools of the plan's steps and questions; of all tools if it has none of them yet. */
function inputsOf({ steps, questions }: Pick<Plan, 'steps' | 'questions'>, tools: readonly ToolView[]): ToolInput[] {
  const used = new Set([...steps, ...questions].map(({ tool }) => tool))
  const chosen = tools.filter(({ name }) => used.has(name))
  const withParts = (need: Need): Need[] => [need, ...need.parts.flatMap(withParts)]
  return (chosen.length > 0 ? chosen : tools).flatMap((view) =>
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

const takersOf = (name: string, byName: ReadonlyMap<string, ToolInput[]>): readonly ToolInput[] =>
  byName.get(name) ?? byName.get(normalizedName(name)) ?? []

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
  inputs: readonly ToolInput[],
  read: ReadonlySet<string>,
): string {
  const taken = [...new Set([...inputs.map(({ need }) => questionKey(need)), ...read])]
  const [meant] = nearest(name, new Set([...asked, ...taken, 'budget']), 1)
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
  return sentences.join(' ')
}

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
  const { unused, unfit } = knownFaults(known, plan, tools, read)
  if (unfit.length > 0) throw ToolError.of('ValidationError', unfit.join(' '))
  return withAssumptions(plan, unused.map(unusedText))
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
