/** The message to a customer when an order ships. */
import type { Address, FulfilPlan, Order } from '../../ports.ts'

/** The shop fills in {carrier}, {tracking} and {arrives_on} when the parcel is sent. */
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
