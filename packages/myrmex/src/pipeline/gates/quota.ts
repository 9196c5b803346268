/**
 * quota: the amount that an article of the constitution allows per day, per month or in total is counted in the ledger just
 * before the tool runs, and given back if the tool was not started. The gate comes after `idempotency`, so that a call is
 * counted once however often it is sent.
 */

import type { Call } from '../call.ts'
import type { Gate, Step } from '../gate.ts'
import { type CallEnd, comesAgain, type Outcome } from '../outcome.ts'
import { breachFailure } from '../rules/article/breach.ts'
import { articleCovers } from '../rules/article/evaluate.ts'
import { type Reservation, reserveQuota } from '../rules/article/quota-use.ts'
import { type Article, articlesFor } from '../rules/constitution.ts'

export const quota: Gate = (tool, next, pipeline) => {
  const articles = articlesFor(pipeline.constitution, tool).filter((article) => isCounted(article))
  if (articles.length === 0) return next
  // An undo needs no quota and returns none: the call that it undoes counts, and it is undone once.
  return (call) => (call.undoOf === undefined ? counted(call, articles, next) : next(call))
}

const isCounted = ({ quota: limit }: Article): boolean => limit !== undefined && limit.per !== 'call'

async function counted(call: Call, articles: readonly Article[], next: Step): Promise<CallEnd> {
  const taken: Reservation[] = []
  let refused: CallEnd | undefined
  try {
    refused = await takeAll(call, articles, taken)
  } catch (thrown) {
    refused = call.endWith(thrown)
  }
  if (refused !== undefined) {
    await giveBack(call, taken)
    return refused
  }
  try {
    const ended = await next(call)
    await settle(call, taken, call.started && !comesAgain(ended))
    return ended
  } catch (thrown) {
    await settle(call, taken, call.started)
    throw thrown
  }
}

async function takeAll(call: Call, articles: readonly Article[], taken: Reservation[]): Promise<Outcome | undefined> {
  for (const article of articles) {
    const took = article.quota && articleCovers(article, call) ? await reserveQuota(call, article.quota) : undefined
    if (took === undefined) continue
    if ('message' in took) return breachFailure(call.tool.name, article, took)
    taken.push(took)
  }
  return undefined
}

/** A call that started counts; otherwise its amounts are returned. */
async function settle(call: Call, taken: readonly Reservation[], counts: boolean): Promise<void> {
  if (!counts) return giveBack(call, taken)
  await tidy(call, () => call.pipeline.ledger.counters.unmark(taken.map(({ mark }) => mark)))
}

/** The mark is removed first: if the process ends in between, too much is counted rather than too little. */
const giveBack = (call: Call, taken: readonly Reservation[]): Promise<void> =>
  tidy(call, async () => {
    const { counters } = call.pipeline.ledger
    if (taken.length > 0) await counters.unmark(taken.map(({ mark }) => mark))
    for (const { budget, amount } of taken) await counters.refund(budget, amount)
  })

/** If the ledger cannot return an amount, it stays counted; the error is logged and the call ends as it would. */
async function tidy(call: Call, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    call.pipeline.observe(call, thrown)
  }
}
