/**
 * Completeness: fields that are sound / fields looked at. With `required` (pointers or names) those fields, otherwise every
 * text. A field is sound when it is there, is not empty, and holds no placeholder. A required one that is not fails it.
 * `except` names fields that are templates and may hold placeholders.
 */
import { isObject, pointer, pointerSteps, valueAtPath } from '../../../protocol/json.ts'
import { plural } from '../../../protocol/text.ts'
import { type CriterionRule, type Measurement, unmeasured } from '../criterion.ts'
import { isEmpty, leavesOf, pointerOf } from '../reading/passages.ts'
import { firstFew, quoted, quotedList, roundedScore, withPointer } from '../reading/quote.ts'
import { placeholderIn } from './completeness/placeholders.ts'

interface Flaw {
  readonly where: string
  readonly what: string
}

const EMPTY = 'is empty'

export const completeness: CriterionRule = {
  name: 'completeness',
  measures: 'required fields filled, no placeholder left',
  parameters: { required: 'texts', except: 'texts' },
  measure({ reading: { value }, parameters }) {
    const required = parameters.required as string[] | undefined
    const isExcepted = isWithin((parameters.except ?? []) as string[])
    if (required !== undefined && !isObject(value) && !Array.isArray(value)) {
      return unmeasured(
        'The output is a text and has no fields, but required names some.',
        'Leave required out, or give data.',
      )
    }
    return required === undefined || required.length === 0
      ? ofTexts(value, isExcepted)
      : ofFields(value, [...new Set(required)], isExcepted)
  },
}

const pointerTo = (name: string): string => (name.startsWith('/') ? name : pointer([name]))

/** Whether a place is one of the named fields, or below one. */
function isWithin(names: readonly string[]): (where: string) => boolean {
  const pointers = names.map(pointerTo)
  return (where) => pointers.some((one) => where === one || where.startsWith(`${one}/`))
}

function ofTexts(value: unknown, isExcepted: (where: string) => boolean): Measurement {
  const fields = textsIn(value).filter(({ where }) => !isExcepted(where))
  const flaws = fields.flatMap(({ where, text }) => flawOf(where, text))
  const score = fields.length === 0 ? 1 : roundedScore(1 - flaws.length / fields.length)
  const verdict = flaws.length === 0 ? 'pass' : score >= 0.5 ? 'revise' : 'fail'
  return answer(score, verdict, flaws, fields.length, 'text')
}

function ofFields(value: unknown, required: readonly string[], isExcepted: (where: string) => boolean): Measurement {
  const broken: Flaw[] = []
  for (const name of required) {
    const where = pointerTo(name)
    const found = valueAtPath(value, pointerSteps(where))
    if (isEmpty(found)) broken.push({ where, what: found === undefined ? 'is missing' : EMPTY })
    else if (!isExcepted(where)) broken.push(...flawsIn(found, where).slice(0, 1))
  }
  // A placeholder outside the required fields goes out with them all the same.
  const inRequired = isWithin(required)
  const besides = flawsIn(value, '').filter(
    ({ where, what }) => what !== EMPTY && !isExcepted(where) && !inRequired(where),
  )
  const score = roundedScore((required.length - broken.length) / (required.length + besides.length))
  const verdict = broken.length > 0 ? 'fail' : besides.length > 0 ? 'revise' : 'pass'
  return answer(score, verdict, [...broken, ...besides], required.length, 'required field')
}

const flawsIn = (value: unknown, above: string): Flaw[] =>
  textsIn(value).flatMap(({ where, text }) => flawOf(above + where, text))

function textsIn(value: unknown): { where: string; text: string }[] {
  const texts: { where: string; text: string }[] = []
  for (const leaf of leavesOf(value)) {
    if (typeof leaf.value === 'string' && !leaf.isKey) texts.push({ where: pointerOf(leaf), text: leaf.value })
  }
  return texts
}

function flawOf(where: string, text: string): Flaw[] {
  if (text.trim() === '') return [{ where, what: EMPTY }]
  const placeholder = placeholderIn(text)
  return placeholder === undefined ? [] : [{ where, what: `still has the placeholder ${quoted(placeholder, 40)}` }]
}

function answer(
  score: number,
  verdict: Measurement['verdict'],
  flaws: readonly Flaw[],
  looked: number,
  what: string,
): Measurement {
  const places = [...new Set(flaws.map(({ where }) => (where === '' ? 'the text' : where)))]
  return {
    score,
    verdict,
    evidence:
      flaws.length === 0
        ? [`${plural(looked, what)} looked at, nothing is missing.`]
        : firstFew(flaws.map(({ where, what }) => withPointer(where, `it ${what}.`))),
    suggestion: `Fill in ${quotedList(places, 5, 60)}.`,
  }
}
