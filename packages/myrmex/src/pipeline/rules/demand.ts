/** Why the policy or the constitution wants a person to decide about a call: the words that this person reads. */
import type { Call } from '../call.ts'
import { articleAskingFor } from './article/evaluate.ts'
import { type Article, articlesFor } from './constitution.ts'
import { policyVerdict } from './policy.ts'

export const policyDemand = (rule: string): string => `the policy asks: ${rule}`

export const articleDemand = ({ name, text }: Article): string =>
  `the constitution asks, in the article “${name}”: ${text}`

/** For planners: why a person would be asked about the call. Undefined: no rule asks. */
export function demandOf(call: Call): string | undefined {
  const { policy, constitution } = call.pipeline
  const article = articleAskingFor(call, articlesFor(constitution, call.tool))
  if (article !== undefined) return articleDemand(article)
  const verdict = policyVerdict(policy, call)
  return verdict?.ask === true ? policyDemand(verdict.rule) : undefined
}
