/** Whether a call may be made under the articles that concern its tool, before anybody is asked about it. */
import { at, stepsOf } from '../../protocol/json.ts'
import type { Call } from '../call.ts'
import type { Article, Conditions } from '../constitution.ts'
import type { Outcome } from '../outcome.ts'
import { breach, type Found, shown } from './breach.ts'
import { fits } from './left.ts'

/** The first breach, or nothing. What undoes is not held back: it takes back what an article may not want. */
export async function breachOf(call: Call, articles: readonly Article[]): Promise<Outcome | undefined> {
  if (call.undoes !== undefined) return undefined
  for (const article of articles) {
    if (!isAbout(article, call)) continue
    const found = (await forbidden(call, article)) ?? (await unmet(call, article))
    if (found !== undefined) return breach(call.tool.name, article, found)
  }
  return undefined
}

/** The article that wants a human to be asked about this very call. */
export const askedFor = (call: Call, articles: readonly Article[]): Article | undefined =>
  articles.find((article) => article.ask !== undefined && isAbout(article, call) && holds(article.ask, call))

export const isAbout = ({ when }: Article, call: Call): boolean => when === undefined || holds(when, call)

/** By what was sent, or by what the schema made of it: that is what the tool will get. */
const holds = ({ hold }: Conditions, { args, input }: Call): boolean =>
  hold(args ?? {}) || (input !== args && hold(input))

async function forbidden(call: Call, { forbid, ceiling }: Article): Promise<Found | undefined> {
  if (forbid !== undefined && holds(forbid, call)) {
    const values = forbid.written.map(({ argument }) => [argument, valueAt(call, argument)] as const)
    const words = values.map(([argument, value]) => `${argument || 'The arguments'} is ${shown(value)}.`).join(' ')
    return { words, value: Object.fromEntries(values.map(([argument, value]) => [argument, shown(value)])) }
  }
  return ceiling === undefined ? undefined : fits(call, ceiling)
}

const valueAt = ({ args, input }: Call, argument: string): unknown =>
  at(args ?? {}, stepsOf(argument)) ?? at(input, stepsOf(argument))

/** One after the other: the first that does not hold is enough. */
async function unmet(call: Call, { facts }: Article): Promise<Found | undefined> {
  for (const fact of facts) {
    const found = await fact.against(call)
    if (found !== undefined) return found
  }
  return undefined
}
