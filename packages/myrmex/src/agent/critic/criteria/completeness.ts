/**
 * Completeness: fields that are sound / fields looked at. With `required` (pointers or names) those fields, otherwise every
 * text. A field is sound when it is there, is not empty, and holds no placeholder. A required one that is not fails it.
 * `except` names fields that are templates and may hold placeholders.
 */
import { isObject, stepsOf, at as valueAt } from '../../../protocol/json.ts'
import { type Job, type Measured, type Method, unmeasured } from '../method.ts'
import { isEmpty, leavesOf, whereOf } from '../reading/passages.ts'
import { at, capped, few, quoted, rounded } from '../reading/quote.ts'
import { placeholderIn } from './completeness/placeholders.ts'

interface Flaw {
  readonly where: string
  readonly what: string
}

const EMPTY = 'is empty'

export const completeness: Method = {
  name: 'completeness',
  measures: 'required fields filled, no placeholder left',
  parameters: { required: 'texts', except: 'texts' },
  judge(job) {
    const required = job.given.required as string[] | undefined
    const { value } = job.reading
    if (required !== undefined && !isObject(value) && !Array.isArray(value)) {
      return unmeasured(
        'The output is a text and has no fields, but required names some.',
        'Leave required out, or give data.',
      )
    }
    return required === undefined || required.length === 0 ? ofTexts(job) : ofFields(job, [...new Set(required)])
  },
}

const pointerTo = (name: string): string =>
  name.startsWith('/') ? name : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Whether a place is one of the fields that may hold placeholders, or below one. */
function exceptedIn({ given }: Job): (where: string) => boolean {
  const excepted = ((given.except ?? []) as string[]).map(pointerTo)
  return (where) => excepted.some((one) => where === one || where.startsWith(`${one}/`))
}

function ofTexts(job: Job): Measured {
  const isExcepted = exceptedIn(job)
  const fields = textsIn(job.reading.value).filter(({ where }) => !isExcepted(where))
  const flaws = fields.flatMap(({ where, text }) => flawOf(where, text))
  const score = fields.length === 0 ? 1 : rounded(1 - flaws.length / fields.length)
  const verdict = flaws.length === 0 ? 'pass' : score >= 0.5 ? 'revise' : 'fail'
  return answer(score, verdict, flaws, fields.length, 'text')
}

function ofFields(job: Job, required: readonly string[]): Measured {
  const { value } = job.reading
  const isExcepted = exceptedIn(job)
  const broken: Flaw[] = []
  for (const name of required) {
    const where = pointerTo(name)
    const found = valueAt(value, stepsOf(where))
    if (isEmpty(found)) broken.push({ where, what: found === undefined ? 'is missing' : EMPTY })
    else if (!isExcepted(where)) broken.push(...flawsIn(found, where).slice(0, 1))
  }
  // A placeholder outside the required fields goes out with them all the same.
  const inRequired = exceptedIn({ ...job, given: { except: required } })
  const besides = flawsIn(value, '').filter(
    ({ where, what }) => what !== EMPTY && !isExcepted(where) && !inRequired(where),
  )
  const score = rounded((required.length - broken.length) / (required.length + besides.length))
  const verdict = broken.length > 0 ? 'fail' : besides.length > 0 ? 'revise' : 'pass'
  return answer(score, verdict, [...broken, ...besides], required.length, 'required field')
}

const flawsIn = (value: unknown, above: string): Flaw[] =>
  textsIn(value).flatMap(({ where, text }) => flawOf(above + where, text))

function textsIn(value: unknown): { where: string; text: string }[] {
  const texts: { where: string; text: string }[] = []
  for (const { value: text, place, isKey } of leavesOf(value)) {
    if (typeof text === 'string' && isKey !== true) texts.push({ where: whereOf(place), text })
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
  verdict: Measured['verdict'],
  flaws: readonly Flaw[],
  looked: number,
  what: string,
): Measured {
  const places = [...new Set(flaws.map(({ where }) => (where === '' ? 'the text' : where)))]
  return {
    score,
    verdict,
    evidence:
      flaws.length === 0
        ? [`${looked} ${what}${looked === 1 ? '' : 's'} looked at, nothing is missing.`]
        : capped(flaws.map(({ where, what }) => at(where, `it ${what}.`))),
    suggestion:
      flaws.length === 0
        ? null
        : `Fill in ${few(
            places.map((place) => quoted(place, 60)),
            5,
          )}.`,
  }
}
