/**
 * Goals that no tool of the fleet can serve. The playbook asks what to do instead, because a plan with a report would look as if the
 * goal had been reached.
 */
import { type Playbook, playbook } from 'myrmex/runs'
import { askFor } from './write-plan.ts'

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [
    /^\s*(please\s+)?(stop|pause|halt|end|cancel)\b.*\b(campaigns?|ads?|advertising)\b/i,
    'No tool stops a campaign. Each ends on its last day, and the shop stops one that has lost 50. Undoing the call that started a campaign stops it too.',
  ],
  [
    /^\s*(please\s+)?(stop|pause|halt|cancel)\b/i,
    'No tool stops or cancels anything. To stop a run, use `myrmex runs cancel`. To refuse a waiting call, use `myrmex approvals deny`.',
  ],
  [
    /^\s*(please\s+)?(refund|reimburse|pay back)\b/i,
    'No tool refunds money directly. Answering the ticket of an order proposes a refund if the policy allows one: "Answer ticket t_555".',
  ],
  [
    /^\s*(please\s+)?(raise|lower|change|cut|increase|decrease|reduce|set|adjust)\b.*\bprices?\b/i,
    'No tool changes the price of an existing page. A new page of the product (store_build.create_product_page) can have another price.',
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
      return askFor(goal, context.budget ?? {}, { input: 'want', question: `${found[1]} What should be done instead?` })
    },
  })
