/** No more effects than approvals, and each by a call that has used an approval of its own. */
import type { Approval } from '../../packages/myrmex/src/ledger/decisions/approvals.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { Problems } from '../problems.ts'
import type { ClientRecord, Order } from './client-record.ts'
import type { Effects } from './effects.ts'

export async function checkApprovals(ledger: Ledger, book: ClientRecord, effects: Effects): Promise<void> {
  const all = await ledger.approvals.list(undefined, Number.MAX_SAFE_INTEGER)
  const known = new Set(all.map(({ id }) => id))
  const byOrder = Map.groupBy(all, ({ args }) => (JSON.parse(args) as { id: string }).id)
  for (const order of book.orders.values()) {
    const calls = (effects.get(`crash.pay ${order.id}`) ?? []).map(({ call }) => call)
    checkUse(book.problems, order, byOrder.get(order.id) ?? [], calls)
    for (const call of order.ran) {
      if (!calls.includes(call))
        book.problems.losing(`crash.pay ${order.id} was answered as call ${call}; it has no effect`)
    }
    for (const one of order.waiting) {
      if (!known.has(one)) book.problems.losing(`approval ${one} of crash.pay ${order.id} is gone`)
    }
  }
}

/** `calls` are those that had the effect. */
function checkUse(problems: Problems, order: Order, approvals: readonly Approval[], calls: readonly string[]): void {
  const { id, key, approved, ran } = order
  const used = new Set(approvals.filter(({ status }) => status === 'used').map(({ used_by }) => used_by))
  if (calls.length > approved)
    problems.doubling(`crash.pay ${id} happened ${calls.length} times, and was approved ${approved} times`)
  if (used.size > approved)
    problems.doubling(`${used.size} approvals of crash.pay ${id} are used, and ${approved} were given`)
  if (key !== undefined && calls.length > 1)
    problems.doubling(`crash.pay ${id} happened ${calls.length} times under one key, by ${calls.join(', ')}`)
  for (const call of new Set([...calls, ...ran])) {
    if (!used.has(call)) problems.doubling(`crash.pay ${id} ran as call ${call}, which has used no approval`)
  }
}
