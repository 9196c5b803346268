/** Evaluates the articles that apply to a call, before approval is requested. */
import { pointerSteps, valueAtPath } from '../../../protocol/json.ts'
import type { Call } from '../../call.ts'
import type { Outcome } from '../../outcome.ts'
import type { Article, Conditions } from '../constitution.ts'
import { breachFailure, formatValue, type Violation } from './breach.ts'
import { checkQuota } from './quota-use.ts'

/** The first breach, or undefined. An undo is judged by the arguments of the call that it undoes. */
export async function findBreach(call: Call, articles: readonly Article[]): Promise<Outcome | undefined> {
  for (const article of articles) {
    if (!articleCovers(article, call)) continue
    const found = (await forbidden(call, article)) ?? (await unmet(call, article))
    if (found !== undefined) return breachFailure(call.tool.name, article, found)
  }
  return undefined
}

/** The article that demands approval of this call. */
export const articleAskingFor = (call: Call, articles: readonly Article[]): Article | undefined =>
  articles.find((article) => article.ask !== undefined && articleCovers(article, call) && holds(article.ask, call))

export const articleCovers = ({ when }: Article, call: Call): boolean => when === undefined || holds(when, call)

/** For the arguments as sent or as parsed: the tool gets the parsed ones. */
const holds = ({ test }: Conditions, { args, input }: Call): boolean =>
  test(args ?? {}) || (input !== args && test(input))

async function forbidden(call: Call, { forbid, quota }: Article): Promise<Violation | undefined> {
  if (forbid !== undefined && holds(forbid, call)) {
    const values = forbid.source.map(({ argument }) => [argument, valueAt(call, argument)] as const)
    const words = values
      .map(([argument, value]) => `${argument || 'The arguments'} is ${formatValue(value)}.`)
      .join(' ')
    return {
      message: words,
      value: Object.fromEntries(values.map(([argument, value]) => [argument, formatValue(value)])),
    }
  }
  // An undo spends nothing of a quota over time, but what no single call may do, no undo may do either.
  if (quota === undefined || (call.undoOf !== undefined && quota.per !== 'call')) return undefined
  return checkQuota(call, quota)
}

const valueAt = ({ args, input }: Call, argument: string): unknown =>
  valueAtPath(args ?? {}, pointerSteps(argument)) ?? valueAtPath(input, pointerSteps(argument))

/** One after the other: the first violation is enough. */
async function unmet(call: Call, { facts }: Article): Promise<Violation | undefined> {
  for (const fact of facts) {
    const found = await fact.violation(call)
    if (found !== undefined) return found
  }
  return undefined
}
