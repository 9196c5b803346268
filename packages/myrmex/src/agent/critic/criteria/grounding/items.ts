/** The items of a text that need grounding, and whether the facts have them. A repeated item counts once. */

import { stem } from '../../../../english/stem.ts'
import { getOrMake } from '../../../../protocol/get-or-make.ts'
import type { CriterionInput } from '../../criterion.ts'
import type { Passage } from '../../reading/reading.ts'
import { countBefore, type Span, stemsOf } from '../../reading/sentences.ts'
import { claimsIn } from './claims.ts'
import { dateKey, datesIn } from './dates.ts'
import { type FactIndex, indexFacts } from './facts.ts'
import { namesIn } from './names.ts'
import { type Quantity, quantitiesIn } from './quantities.ts'

interface FoundItem {
  readonly kind: 'figure' | 'date' | 'name' | 'claim'
  readonly text: string
  /** undefined: grounded */
  readonly problem: string | undefined
  readonly isContradicted?: boolean
}
export type GroundingItem = FoundItem & { readonly where: string }

const NOT_FOUND = 'is not in the facts'

export function groundingItems({ reading, facts, task }: CriterionInput): GroundingItem[] {
  const index = indexFacts(facts)
  const asked = new Set(stemsOf(task))
  const items = new Map<string, GroundingItem>()
  for (const passage of reading.texts) {
    const quantities = quantitiesIn(passage.text)
    const names = reading.isEnglish ? namesOf(passage, quantities, index, asked) : []
    for (const item of [...figuresOf(passage, quantities, index), ...claimsOf(passage, index), ...names]) {
      getOrMake(items, `${item.kind} ${item.text.toLowerCase()}`, () => ({ ...item, where: passage.pointer }))
    }
  }
  return [...items.values()]
}

function figuresOf({ text }: Passage, quantities: readonly Quantity[], facts: FactIndex): FoundItem[] {
  const dates = datesIn(text)
  const figures = quantities.filter(outside(dates)).filter((one) => !isScale(one, text))
  return [
    ...dates.map(({ text, readings }): FoundItem => {
      const isSaid = readings.some((day) => facts.days.has(dateKey(day)))
      return { kind: 'date', text, problem: isSaid ? undefined : NOT_FOUND }
    }),
    ...figures.map((one): FoundItem => ({ kind: 'figure', text: one.text, problem: whyLoose(one, facts) })),
  ]
}

/** Whether something stands outside of all these, which are in order: what was looked at once is not looked at again. */
const outside =
  (spans: readonly Span[]) =>
  ({ start, end }: Span): boolean =>
    (spans[countBefore(spans, end) - 1]?.end ?? 0) <= start

/** The 5 of `4.8 out of 5`. */
const isScale = ({ start, values }: Quantity, text: string): boolean =>
  [5, 10, 100].includes(values[0]?.value ?? 0) &&
  /\d ?(?:\/|out of) ?$/.test(text.slice(Math.max(0, start - 10), start))

function whyLoose(quantity: Quantity, { figures, currencies }: FactIndex): string | undefined {
  if (quantity.currency !== undefined && currencies.size > 0 && !currencies.has(quantity.currency)) {
    return `is in another currency than the facts (${[...currencies].sort().slice(0, 3).join(', ')})`
  }
  return figures.has(quantity) ? undefined : NOT_FOUND
}

function claimsOf({ text, words }: Passage, { claims, deniedClaims }: FactIndex): FoundItem[] {
  return claimsIn(text, words)
    .filter(({ isDenied }) => !isDenied)
    .map(({ claim, text }): FoundItem => {
      if (claims.has(claim)) return { kind: 'claim', text, problem: undefined }
      const isContradicted = deniedClaims.has(claim)
      return { kind: 'claim', text, isContradicted, problem: isContradicted ? 'is denied by the facts' : NOT_FOUND }
    })
}

/** Unlike figures and claims, names may also come from the task. */
function namesOf(
  passage: Passage,
  quantities: readonly Quantity[],
  { words: known }: FactIndex,
  asked: ReadonlySet<string>,
): FoundItem[] {
  const isOutside = outside(quantities)
  return namesIn(passage).map(({ text, words }): FoundItem => {
    // A figure is looked at as a figure, and 7th is none.
    const isLoose = words.some(
      (word) =>
        isOutside(word) &&
        !/^\d+(?:st|nd|rd|th)?$/.test(word.key) &&
        !known.has(stem(word.key)) &&
        !asked.has(stem(word.key)),
    )
    return { kind: 'name', text, problem: isLoose ? NOT_FOUND : undefined }
  })
}
