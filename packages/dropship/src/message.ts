/** A message to a customer is written before the parcel is: what only the shop then knows stands in it as {carrier}, {tracking} and {arrives_on}. */
import type { Shipment } from './ports.ts'

export const fillShippingFields = (text: string, { carrier, tracking, arrives_on }: Shipment): string => {
  const words: Readonly<Record<string, string>> = { carrier, tracking, arrives_on }
  return text.replaceAll(/\{(carrier|tracking|arrives_on)\}/g, (found, name: string) => words[name] ?? found)
}
