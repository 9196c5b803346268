/** Whether a reply may go out by itself. Every reason that stands against it is named; without one it is sent. */
import { percent } from '../../figures.ts'
import { toCents } from '../../money.ts'
import type { ShopPolicy } from '../../ports.ts'
import { SURE_ENOUGH } from '../intents.ts'
import type { TicketReading } from '../reading/read-ticket.ts'
import type { ReplyPart } from './compose-reply.ts'
import type { Action } from './ticket-case.ts'

/** Money that leaves the shop by an action. */
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
    reasons.push(`only ${percent(confidence)} sure that it is about ${intent}, and ${percent(SURE_ENOUGH)} are needed`)
  for (const { said } of parts) if (said.human !== undefined) reasons.push(said.human)
  const paid = parts
    .flatMap(({ said }) => said.actions)
    .filter(paysOut)
    .reduce((sum, { amount = 0 }) => sum + amount, 0)
  const limit = policies.find(({ topic }) => topic === 'refunds')?.figures.person_above
  if (paid > 0 && limit === undefined) reasons.push('no policy says up to which amount refunds need no person')
  else if (limit !== undefined && paid > toCents(limit))
    reasons.push(`it would pay back ${(paid / 100).toFixed(2)}, and above ${limit} a person decides`)
  return [...new Set(reasons)]
}
