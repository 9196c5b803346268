/** How a parcel travels from our shelf: its number, and the day it is promised for. */
import { addDays, type Day } from '../../day.ts'
import { SHELF_DAYS } from '../../market/staff/staff.ts'

export const CARRIER = 'Parcel Post'

export const shelfArrivalDay = (today: Day): Day => addDays(today, SHELF_DAYS)

/** Weights of the check digit of a postal item (Universal Postal Union, standard S10). */
const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]

/** A number as posts give them: two letters, eight digits, their check digit, the country it is sent from. */
export function trackingNumber(order_id: number): string {
  const digits = String(order_id % 100_000_000).padStart(8, '0')
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (WEIGHTS[at] ?? 0), 0)
  const check = 11 - (sum % 11)
  return `RX${digits}${check === 10 ? 0 : check === 11 ? 5 : check}DE`
}
