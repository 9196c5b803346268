/** Which value at hand fills a need: what the context says first, then the text of the goal, then the schema and the budget. */

import { normalizedName } from '../names.ts'
import type { ChosenValue, KnownValue, Need } from '../types.ts'
import { convertedToFit } from './fits.ts'

export interface AvailableValues {
  readonly knowns: readonly KnownValue[]
  /** money to share among the steps that ask for some */
  readonly money: number | undefined
  /** that money was itself given as a value, so that no single step may have all of it */
  readonly pooled: boolean
  /** a value for a need that only its text can tell, such as a range of dates or one of the values it takes */
  readonly fromText: (need: Need) => ChosenValue | undefined
}

const MONEY_TYPES = new Set(['money', 'budget'])

/** Whether the budget may stand in for it: it is money, and it is called so. */
export const takesBudgetShare = (need: Need): boolean =>
  need.isMoney &&
  (need.typeId === undefined
    ? need.names.includes('budget')
    : MONEY_TYPES.has(need.typeId) || normalizedName(need.property) === 'budget')

const SHARE: ChosenValue = { value: undefined, isBudgetShare: true }

export function valueFor(need: Need, hand: AvailableValues): ChosenValue | undefined {
  const share = need.required && hand.money !== undefined && takesBudgetShare(need) ? SHARE : undefined
  if (share !== undefined && hand.pooled) return share
  return (
    fromKnown(need, hand, 'context') ??
    fromKnown(need, hand, 'text') ??
    hand.fromText(need) ??
    fromSchema(need) ??
    share
  )
}

function fromKnown(need: Need, { knowns }: AvailableValues, from: KnownValue['from']): ChosenValue | undefined {
  for (const known of valuesNamedLike(
    need,
    knowns.filter((one) => one.from === from),
  )) {
    const form = convertedToFit(need, known.value)
    if (form === undefined) continue
    const said =
      from === 'text' ? `Took ${need.property} = ${JSON.stringify(form.value)} from the goal's text.` : undefined
    const note = form.how === undefined ? said : `Took ${form.how} values of ${known.key} as ${need.property}.`
    return note === undefined ? { value: form.value } : { value: form.value, note }
  }
  return undefined
}

/** Under its semantic type first, then under its own name, then under a name that means the same. */
export function valuesNamedLike(need: Need, knowns: readonly KnownValue[]): KnownValue[] {
  const wanted = new Set(namesOfNeed(need))
  const place = (known: KnownValue): number => {
    if (known.key === need.typeId) return 0
    if (known.key === need.property) return 1
    return wanted.has(normalizedName(known.key)) ? 2 : 3
  }
  return knowns.filter((known) => place(known) < 3).sort((one, other) => place(one) - place(other))
}

/** Every normalised name that an answer for this need may come under. */
export const namesOfNeed = (need: Need): string[] => [
  ...(need.typeId === undefined ? [] : [normalizedName(need.typeId)]),
  normalizedName(need.property),
  ...need.names,
]

/** The one value that it takes, or what its schema puts in anyway: a default of a required property must be said. */
function fromSchema(need: Need): ChosenValue | undefined {
  if (!need.required) return undefined
  if (need.defaultValue !== undefined) return { value: need.defaultValue }
  return need.values?.length === 1 ? { value: need.values[0] } : undefined
}
