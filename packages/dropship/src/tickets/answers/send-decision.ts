/** Decides whether a reply may be sent without a person. It lists every reason against; without a reason the reply is sent. */
import { percent } from '../../figures.ts'
import { toCents } from '../../money.ts'
import type { ShopPolicy } from '../../ports.ts'
import { SURE_ENOUGH } from '../intents.ts'
import type { TicketReading } from '../reading/read-ticket.ts'
import type { ReplyPart } from './compose-reply.ts'
import type { Action } from './ticket-case.ts'

/** Whether an action pays money out. */
const paysOut = ({ action }: Action): boolean => action === 'refund' || action === 'return' || action === 'cancel'

export function reasonsAgainstSending(
  reading: TicketReading,
  parts: readonly ReplyPart[],
  policies: readonly ShopPolicy[],
): string[] {
  const { topics, language, alarms } = reading
  const reasons: string[] = []
  if (!language.english)
    reasons.push(language.language === 'unknown' ? 'it is not in English' : `it seems to be in ${language.language}`)
  for (const { says, words } of alarms) reasons.push(words === '' ? `it ${says}` : `it ${says} ("${words}")`)
  const unsure = topics.filter(({ confidence }) => confidence < SURE_ENOUGH)
  for (const { intent, confidence } of unsure)
    reasons.push(
      `it is only ${percent(confidence)} certain that it is about ${intent}, and ${percent(SURE_ENOUGH)} is required`,
    )
  for (const { answer } of parts) if (answer.human !== undefined) reasons.push(answer.human)
  const paid = parts
    .flatMap(({ answer }) => answer.actions)
    .filter(paysOut)
    .reduce((sum, { amount = 0 }) => sum + amount, 0)
  const limit = policies.find(({ topic }) => topic === 'refunds')?.figures.person_above
  if (paid > 0 && limit === undefined) reasons.push('no policy states the amount up to which a refund needs no person')
  else if (limit !== undefined && paid > toCents(limit))
    reasons.push(`it would refund ${(paid / 100).toFixed(2)}, and a person decides above ${limit}`)
  return [...new Set(reasons)]
}
