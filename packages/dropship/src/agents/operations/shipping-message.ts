/** What a customer is told when an order leaves: what is in it, where it goes, and what only the parcel itself will say. */
import type { Address, FulfilPlan, Order } from '../../ports.ts'

/** {carrier}, {tracking} and {arrives_on} are filled in by the shop when it knows them. */
export function shippingMessage({ order_id, lines }: Order, address: Address): FulfilPlan['message'] {
  const { name, street, city, postal_code, country } = address
  return {
    subject: `Your order ${order_id} is on its way`,
    body: [
      `Hello ${name},`,
      '',
      `your order ${order_id} is on its way:`,
      ...lines.map(({ quantity, title }) => `- ${quantity} × ${title}`),
      '',
      `It travels with {carrier} to ${street}, ${postal_code} ${city}, ${country}. The tracking number is {tracking}, and we expect it on {arrives_on}.`,
      '',
      'Thank you for your order.',
    ].join('\n'),
  }
}
