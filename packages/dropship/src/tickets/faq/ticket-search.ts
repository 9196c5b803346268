/**
 * Finds the tickets on a topic. The topic's words are compared with the names of intents and policies, and searched for in the tickets
 * (BM25), so that `shipping`, `refunds` and `oak table lamp` all work.
 */
import { stem } from 'myrmex/english'
import type { Ticket } from '../../ports.ts'
import { INTENT_ABOUT, INTENTS, type Intent } from '../intents.ts'
import { wordsOf } from '../reading/words.ts'

/** Further names that people use for the intents. */
const CALLED: Readonly<Record<Intent, string>> = {
  where_is_my_order:
    'shipping delivery deliveries tracking parcel package late arrival shipment courier carrier dispatch lost',
  return_request: 'return returns exchange send back withdrawal label',
  refund_status: 'refund refunds money reimbursement repayment',
  damaged_item: 'damage damaged broken defect defective faulty warranty quality repair',
  wrong_item: 'wrong missing incomplete mix',
  cancel_order: 'cancel cancellation cancelling',
  change_address: 'address addresses move moving delivery shipping',
  product_question: 'product products question questions size sizes material stock availability',
  invoice: 'invoice invoices receipt billing bill vat tax payment',
  complaint: 'complaint complaints service',
  praise: 'praise compliment feedback',
  other: 'other',
}

const IGNORED = new Set(
  'a an the of and or for about my our in on to with is are i it how where what when item order something'
    .split(' ')
    .map(stem),
)

const stemsOf = (text: string): string[] =>
  wordsOf(text.toLowerCase())
    .map(stem)
    .filter((word) => !IGNORED.has(word))

const NAMES = new Map<Intent, ReadonlySet<string>>(
  INTENTS.map((intent) => [
    intent,
    new Set(
      stemsOf(`${intent.replaceAll('_', ' ')} ${Object.values(INTENT_ABOUT[intent]).join(' ')} ${CALLED[intent]}`),
    ),
  ]),
)

/** Intents that every word of the topic names. */
export const intentsOf = (topic: string): Intent[] => {
  const wanted = stemsOf(topic)
  return wanted.length === 0 ? [] : INTENTS.filter((intent) => wanted.every((word) => NAMES.get(intent)?.has(word)))
}

/** Tickets that contain all words of the topic, also misspelled or inflected. */
export async function searchTickets(tickets: readonly Ticket[], topic: string): Promise<ReadonlySet<string>> {
  const { default: MiniSearch } = await import('minisearch')
  const index = new MiniSearch<Ticket>({
    idField: 'ticket_id',
    fields: ['subject', 'body'],
    processTerm: (term) => {
      const cut = stem(term.toLowerCase())
      return IGNORED.has(cut) ? null : cut
    },
    searchOptions: { combineWith: 'AND', fuzzy: (term) => (term.length > 5 ? 1 : false), boost: { subject: 2 } },
  })
  index.addAll(tickets)
  return new Set(index.search(topic).map(({ id }) => String(id)))
}
