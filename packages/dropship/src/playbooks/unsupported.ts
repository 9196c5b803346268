/**
 * What owners ask for and no tool of the fleet does. They are told so, and what to do instead: a report in its place would look as
 * if it had been done.
 */
import { type Playbook, playbook } from 'myrmex/runs'

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*(please\s+)?(stop|pause|halt|end|cancel)\b.*\b(campaigns?|ads?|advertising)\b/i,
    'No tool stops a campaign. Each ends on its last day, and one that is 50 in the red is stopped by the shop; undoing the call that started it stops it too.',
  ],
  [
    /^\s*(please\s+)?(stop|pause|halt|cancel)\b/i,
    'No tool stops or cancels anything. A run is ended with `myrmex runs cancel`, and what waits for approval is refused with `myrmex approvals deny`.',
  ],
  [
    /^\s*(please\s+)?(refund|reimburse|pay back)\b/i,
    'No tool pays money back. Answering the ticket of an order proposes a refund where the policy allows one: say "Answer ticket t_555".',
  ],
  [
    /^\s*(please\s+)?(raise|lower|change|cut|increase|decrease|reduce|set|adjust)\b.*\bprices?\b/i,
    'No tool changes the price of a page that is there. A new page of the product (store_build.create_product_page) sells it at another price.',
  ],
  [/^\s*(please\s+)?(delete|remove|erase|wipe|destroy|take down)\b/i, 'No tool deletes anything.'],
]

export const unsupported = (): Playbook =>
  playbook({
    name: 'beyond',
    description: 'Goals that no tool of the shop serves, such as "Stop all campaigns".',
    plan({ goal, context }) {
      const found = UNSUPPORTED.find(([pattern]) => pattern.test(goal))
      if (found === undefined) return undefined
      const questions = [{ input: 'want', question: `${found[1]} What should be done instead?` }]
      return { goal, steps: [], budget: context.budget ?? {}, assumptions: [], questions }
    },
  })
