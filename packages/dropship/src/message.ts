/** Messages to customers are written before the parcel exists: {carrier}, {tracking} and {arrives_on} are filled in when it is sent. */
import type { Shipment } from './ports.ts'

export const fillShippingFields = (text: string, { carrier, tracking, arrives_on }: Shipment): string => {
  const words: Readonly<Record<string, string>> = { carrier, tracking, arrives_on }
  return text.replaceAll(/\{(carrier|tracking|arrives_on)\}/g, (found, name: string) => words[name] ?? found)
}
