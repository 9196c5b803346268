/**
 * Whether a goal requests an action. "Should we ship the orders?", "Do not ship the orders" and "Report on how we ship orders" contain
 * the same words but request nothing: a playbook that changes something accepts only requests.
 */

/** What may come before the verb of a request: nothing, a comma, or a word such as please. */
const BEFORE_VERB = String.raw`(?:^\s*|[,;.!]\s*|\b(?:please|to|and|then|us|now|you|also|we|i|must|should|let['’]?s)\s+)`
const QUESTION_START =
  /^\s*(who|what|which|when|where|why|how|is|are|was|were|has|have|had|did|do|does|should|shall|may|might)\b/i
const MAY_ASK = /^\s*(can|could|will|would|must)\s+(?!you\b)/i
const NEGATION = /\b(not|never|without|avoid|nobody|nothing|none|cannot|dont|\w+n['’]t|stop|no)\b(?!-)/i

/** Words are alternatives, such as `launch|bring out`. Without `things`, the verb is enough. */
export function requestFor(verbs: string, things?: string): (goal: string) => boolean {
  const said = new RegExp(`${BEFORE_VERB}(?:${verbs})\\b${things === undefined ? '' : `.*\\b(?:${things})\\b`}`, 'is')
  return (goal) => said.test(goal) && !isQuestion(goal) && !NEGATION.test(goal)
}

const isQuestion = (goal: string): boolean => QUESTION_START.test(goal) || MAY_ASK.test(goal)
