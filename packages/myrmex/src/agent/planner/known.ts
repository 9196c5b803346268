/** Which value at hand fills a need: what the context says first, then the text of the goal, then the schema and the budget. */
import { fitted } from './fits.ts'
import { normal } from './names.ts'
import type { Filled, Known, Need } from './types.ts'

export interface AtHand {
  readonly knowns: readonly Known[]
  /** money to share among the steps that ask for some */
  readonly money: number | undefined
  /** that money was itself given as a value, so that no single step may have all of it */
  readonly pooled: boolean
  /** a value for a need that only its text can tell, such as a range of dates or one of the values it takes */
  readonly fromText: (need: Need) => Filled | undefined
}

const MONEY_TYPES = new Set(['money', 'budget'])

/** Whether the budget may stand in for it: it is money, and it is called so. */
export const takesShare = (need: Need): boolean =>
  need.money &&
  (need.typeId === undefined
    ? need.names.includes('budget')
    : MONEY_TYPES.has(need.typeId) || normal(need.property) === 'budget')

const SHARE: Filled = { value: undefined, share: true }

export function filledBy(need: Need, hand: AtHand): Filled | undefined {
  const share = need.required && hand.money !== undefined && takesShare(need) ? SHARE : undefined
  if (share !== undefined && hand.pooled) return share
  return (
    fromKnown(need, hand, 'context') ??
    fromKnown(need, hand, 'text') ??
    hand.fromText(need) ??
    fromSchema(need) ??
    share
  )
}

function fromKnown(need: Need, { knowns }: AtHand, from: Known['from']): Filled | undefined {
  for (const known of askedFor(
    need,
    knowns.filter((one) => one.from === from),
  )) {
    const form = fitted(need, known.value)
    if (form === undefined) continue
    const said =
      from === 'text' ? `Took ${need.property} = ${JSON.stringify(form.value)} from the goal's text.` : undefined
    const note = form.how === undefined ? said : `Took ${form.how} values of ${known.key} as ${need.property}.`
    return note === undefined ? { value: form.value } : { value: form.value, note }
  }
  return undefined
}

/** Under its semantic type first, then under its own name, then under a name that means the same. */
export function askedFor(need: Need, knowns: readonly Known[]): Known[] {
  const wanted = new Set(namesFor(need))
  const place = (known: Known): number => {
    if (known.key === need.typeId) return 0
    if (known.key === need.property) return 1
    return wanted.has(normal(known.key)) ? 2 : 3
  }
  return knowns.filter((known) => place(known) < 3).sort((one, other) => place(one) - place(other))
}

/** Every normalised name that an answer for this need may come under. */
export const namesFor = (need: Need): string[] => [
  ...(need.typeId === undefined ? [] : [normal(need.typeId)]),
  normal(need.property),
  ...need.names,
]

/** The one value that it takes, or what its schema puts in anyway: a default of a required property must be said. */
function fromSchema(need: Need): Filled | undefined {
  if (!need.required) return undefined
  if (need.fallback !== undefined) return { value: need.fallback }
  return need.values?.length === 1 ? { value: need.values[0] } : undefined
}
