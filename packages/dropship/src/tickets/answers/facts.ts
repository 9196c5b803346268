/**
 * The figures, dates and names in a reply. A reply takes all of them from here, and every one is recorded with its source: the order,
 * a policy or a computation from them. So a reply cannot contain a number that nobody can trace.
 */
import { addDays, type Day, MONTHS } from '../../day.ts'
import { type Cents, toAmount } from '../../money.ts'
import type { ShopPolicy } from '../../ports.ts'

export interface Fact {
  readonly fact: string
  /** exactly as in the reply */
  readonly value: string
  /** order, shipment, policy returns, product, or how it was computed from them */
  readonly source: string
}

const MAX_NAME_LENGTH = 120

/** 5 November 2026 */
export function dayInWords(day: Day): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return `${date} ${MONTHS[month - 1]} ${year}`
}

/** Text from records or customers as one short line without markup, links or hidden characters. */
export const sanitise = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?:https?:\/\/|www\.)\S+/gi, '')
    .replace(/[<>[\]{}|\\^`\p{C}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()

export class Facts {
  readonly #currency: string
  readonly #used: Fact[] = []

  constructor(currency: string) {
    this.#currency = currency
  }

  /** Each once, in the order of first use. */
  get used(): readonly Fact[] {
    return this.#used
  }

  text(fact: string, value: string, source: string): string {
    const shown = sanitise(value)
    if (!this.#used.some((known) => known.fact === fact && known.value === shown))
      this.#used.push({ fact, value: shown, source })
    return shown
  }

  amount(fact: string, cents: Cents, source: string): string {
    return this.text(fact, `${this.#currency} ${toAmount(cents).toFixed(2)}`, source)
  }

  day(fact: string, day: Day, source: string): string {
    return this.text(fact, dayInWords(day), source)
  }

  /** The day that lies a policy's figure of days after another. */
  dayAfter(fact: string, day: Day, policy: ShopPolicy, figure: string): string {
    return this.day(fact, addDays(day, figureOf(policy, figure)), `policy ${policy.policy_id}, ${figure} after ${day}`)
  }

  /** "5 days", "1 day". */
  count(policy: ShopPolicy, figure: string, unit: string): string {
    const value = figureOf(policy, figure)
    return this.text(figure, `${value} ${unit}${value === 1 ? '' : 's'}`, `policy ${policy.policy_id}`)
  }
}

export class MissingFigure extends Error {}

/** A reply cannot promise what no policy states. A person writes it then. */
export function figureOf(policy: ShopPolicy, figure: string): number {
  const value = policy.figures[figure]
  if (value === undefined) throw new MissingFigure(`the policy ${policy.policy_id} has no figure ${figure}`)
  return value
}
