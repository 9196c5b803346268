/** The shop's policies as texts and figures. Agents answer customers from them, and the simulated staff follow them. */
import type { ShopPolicy } from '../../ports.ts'

const BY_TOPIC: Readonly<Record<string, Pick<ShopPolicy, 'title' | 'text' | 'figures'>>> = {
  shipping: {
    title: 'Shipping and delivery',
    text: 'We hand orders to the carrier or the supplier within 2 days. What we hold in stock arrives within 5 days after that; what comes straight from a supplier within 20. You get a tracking number by email. Shipping is free. If an order has not come 5 days after the announced date, write to us: we ask the carrier, and you may have your money back.',
    figures: {
      dispatch_days: 2,
      delivery_days_stock: 5,
      delivery_days_supplier: 20,
      late_after_days: 5,
      shipping_cost: 0,
    },
  },
  returns: {
    title: 'Returns',
    text: 'You may send anything back within 30 days of receiving it, unused and in its packing, without giving a reason. Tell us first and we email a return label. Return shipping is free for you.',
    figures: { return_days: 30, return_cost: 0 },
  },
  refunds: {
    title: 'Refunds',
    text: 'We pay refunds to the card or account the order was paid with, within 5 days of the return reaching us or of our saying yes to a refund. Banks may take 3 more days to show it. Refunds above 200 are looked at by a person first.',
    figures: { refund_days: 5, bank_days: 3, person_above: 200 },
  },
  damage: {
    title: 'Damaged or wrong items',
    text: 'If something arrives broken, incomplete or is not what you ordered, tell us within 14 days, with a photo if you can. You choose: the full price back or a replacement at our cost. You need not send the broken piece back.',
    figures: { report_days: 14, refund_share: 1 },
  },
  cancellation: {
    title: 'Cancelling and changing an order',
    text: 'An order can be cancelled, and its address changed, free of charge until it is shipped. After that, please use the return. A cancelled order is paid back within 5 days.',
    figures: { fee: 0, refund_days: 5 },
  },
  warranty: {
    title: 'Warranty',
    text: 'All goods have the legal warranty of 24 months. If something fails in that time we repair it, replace it, or pay it back.',
    figures: { warranty_months: 24 },
  },
  payment: {
    title: 'Payment and invoices',
    text: 'We take cards and bank transfer. Prices include VAT. The invoice comes by email with the order confirmation; on request we send it again, or with your company name and VAT number, within 2 days.',
    figures: { invoice_days: 2 },
  },
  contact: {
    title: 'Contact and complaints',
    text: 'We answer every message within 1 day. Complaints are read by a person, and answered within 3 days with what we will do.',
    figures: { answer_days: 1, complaint_days: 3 },
  },
}

export const POLICIES: readonly ShopPolicy[] = Object.entries(BY_TOPIC).map(([topic, policy]) => ({
  policy_id: topic,
  topic,
  ...policy,
}))
