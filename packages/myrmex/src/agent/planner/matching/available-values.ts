/** Which known value fills a need: one of the context first, then of the goal's text, then of the schema or the budget. */

import { isBudgetName } from '../../plan/known-budget.ts'
import { normalizedName } from '../names.ts'
import type { ChosenValue, KnownValue, Need } from '../types.ts'
import { convertedToFit } from './fits.ts'

export interface AvailableValues {
  readonly knownValues: readonly KnownValue[]
  /** money to share among the steps that spend some */
  readonly money: number | undefined
  /** the money was given as a known value, so no single step may have all of it */
  readonly isMoneyShared: boolean
  /** a value for a need from the goal's text, such as a range of dates or one of its allowed values */
  readonly fromText: (need: Need) => ChosenValue | undefined
}

const MONEY_TYPES = new Set(['money', 'budget'])

/** Whether a share of the budget may be its value: it is money, and its name or type says budget. */
export const takesBudgetShare = (need: Need): boolean =>
  need.isMoney &&
  (need.typeId === undefined
    ? need.names.includes('budget')
    : MONEY_TYPES.has(need.typeId) || normalizedName(need.property) === 'budget')

const SHARE: ChosenValue = { value: undefined, isBudgetShare: true }

export function valueFor(need: Need, available: AvailableValues): ChosenValue | undefined {
  const share = need.required && available.money !== undefined && takesBudgetShare(need) ? SHARE : undefined
  if (share !== undefined && available.isMoneyShared) return share
  return (
    fromKnown(need, available, 'context') ??
    fromKnown(need, available, 'text') ??
    available.fromText(need) ??
    fromSchema(need) ??
    share
  )
}

/** Under its semantic type first, then under its own name, then under a name that means the same. */
function fromKnown(
  need: Need,
  { knownValues, isMoneyShared }: AvailableValues,
  from: KnownValue['from'],
): ChosenValue | undefined {
  const wanted = new Set(namesOfNeed(need))
  const rank = ({ key }: KnownValue): number => {
    if (key === need.typeId) return 0
    if (key === need.property) return 1
    return wanted.has(normalizedName(key)) ? 2 : 3
  }
  // The budget of the whole plan is not what one step spends, a day for example.
  const isTotal = ({ key }: KnownValue): boolean => isMoneyShared && need.isSpent && isBudgetName(key)
  const named = knownValues.filter((known) => known.from === from && rank(known) < 3 && !isTotal(known))
  for (const { key, value } of named.sort((one, other) => rank(one) - rank(other))) {
    const form = convertedToFit(need, value)
    if (form?.how !== undefined)
      return { value: form.value, note: `Took ${form.how} values of ${key} as ${need.property}.` }
    if (form !== undefined) return from === 'text' ? fromGoalText(need, form.value) : form
  }
  return undefined
}

export const fromGoalText = (need: Need, value: unknown): ChosenValue & { readonly note: string } => ({
  value,
  note: `Took ${need.property} = ${JSON.stringify(value)} from the goal's text.`,
})

/** Every normalised name that an answer for this need may come under. */
export const namesOfNeed = (need: Need): string[] => [
  ...(need.typeId === undefined ? [] : [normalizedName(need.typeId)]),
  normalizedName(need.property),
  ...need.names,
]

/** The default, which a required property must state, or the only value that the schema allows. */
function fromSchema(need: Need): ChosenValue | undefined {
  if (!need.required) return undefined
  if (need.defaultValue !== undefined) return { value: need.defaultValue }
  return need.values?.length === 1 ? { value: need.values[0] } : undefined
}
