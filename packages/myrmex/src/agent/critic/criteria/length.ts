/**
 * Length: words or characters within the bounds that the criterion gives, or else within those usual for what the task asks
 * for. Score 1 within them; outside, the smaller of count and bound divided by the larger. Below half of that it fails.
 */
import { plural } from '../../../protocol/text.ts'
import { type CriterionRule, type Measurement, NO_TEXT, unmeasured, verdictFor } from '../criterion.ts'
import { firstFew, roundedScore, withPointer } from '../reading/quote.ts'
import type { Passage } from '../reading/reading.ts'
import { BOUND_NAMES, type Bounds, usualLengthFor } from './length/usual-lengths.ts'

interface Size {
  readonly where: string
  readonly words: number
  readonly characters: number
}

export const length: CriterionRule = {
  name: 'length',
  measures: 'words and characters against given or usual bounds',
  parameters: {
    min_words: 'count',
    max_words: 'count',
    min_characters: 'count',
    max_characters: 'count',
    each: 'flag',
  },
  measure(job) {
    const { texts } = job.reading
    if (texts.length === 0) return NO_TEXT
    const given = boundsOf(job.parameters)
    const usual = given === undefined ? usualLengthFor(job.task) : undefined
    const bounds = given ?? usual?.bounds
    if (bounds === undefined) {
      return unmeasured(
        'No bounds were given, and the task names no kind of text that has usual ones.',
        'Give min_words, max_words, min_characters or max_characters.',
      )
    }
    const crossed = crossedIn(bounds)
    if (crossed !== undefined) return unmeasured(crossed, 'Correct the bounds of the criterion.')
    const inWords = bounds.min_words !== undefined || bounds.max_words !== undefined
    if (inWords && !job.reading.hasSpaces) {
      return unmeasured(
        'The script puts no blanks between words, so they cannot be counted.',
        'Give bounds in characters.',
      )
    }
    return measured(texts, bounds, { each: job.parameters.each === true, kind: usual?.kind })
  },
}

function boundsOf(given: Bounds): Bounds | undefined {
  const names = BOUND_NAMES.filter((name) => given[name] !== undefined)
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, given[name]]))
}

const UNITS = ['words', 'characters'] as const

function crossedIn(bounds: Bounds): string | undefined {
  for (const unit of UNITS) {
    const { [`min_${unit}` as const]: least = 0, [`max_${unit}` as const]: most = least } = bounds
    if (least > most) return `min_${unit} is ${least} and max_${unit} is ${most}: no text can be both.`
  }
}

function measured(
  texts: readonly Passage[],
  bounds: Bounds,
  { each, kind }: { each: boolean; kind: string | undefined },
): Measurement {
  const sizes = each ? texts.map((text) => sizeOf([text])) : [sizeOf(texts)]
  const judged = sizes.map((size) => ({ size, ...against(size, bounds) })).sort((a, b) => a.score - b.score)
  const score = roundedScore(judged[0]?.score ?? 1)
  const verdict = verdictFor(score, { pass: 1, revise: 0.5 })
  const from = kind === undefined ? 'as given' : `usual for ${kind}`
  const wrong = judged.filter((one) => one.advice !== undefined)
  const worst = wrong[0]
  return {
    score,
    verdict: wrong.length > 0 && verdict === 'pass' ? 'revise' : verdict,
    evidence: [
      ...firstFew(
        (wrong.length > 0 ? wrong : judged.slice(0, 1)).map(({ size }) => withPointer(size.where, said(size))),
      ),
      `Bounds (${from}): ${written(bounds)}.`,
    ],
    suggestion: worst?.advice === undefined ? null : withPointer(worst.size.where, worst.advice),
  }
}

function sizeOf(passages: readonly Passage[]): Size {
  return {
    where: passages.length === 1 ? (passages[0] as Passage).pointer : '',
    words: passages.reduce((total, { words }) => total + words.length, 0),
    characters: passages.reduce((total, { text }) => total + charactersIn(text), 0),
  }
}

/** As people count: an emoji made of two units is one, and blanks at the ends are none. */
function charactersIn(text: string): number {
  const trimmed = text.trim()
  return trimmed.length - (trimmed.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g)?.length ?? 0)
}

/** The bound that is missed most. */
function against(size: Size, bounds: Bounds): { score: number; advice?: string } {
  const scores = UNITS.map((unit) => {
    const count = size[unit]
    const { [`min_${unit}` as const]: least = 0, [`max_${unit}` as const]: most = count } = bounds
    const but = `${unit}: it has ${count}, and`
    if (count < least)
      return { score: count / least, advice: `Add at least ${least - count} ${but} ${least} are wanted.` }
    if (count > most) return { score: most / count, advice: `Cut at least ${count - most} ${but} ${most} are allowed.` }
    return { score: 1 }
  })
  return scores.reduce((worst, one) => (one.score < worst.score ? one : worst))
}

const said = ({ words, characters }: Size): string => `${plural(words, 'word')}, ${plural(characters, 'character')}.`

const written = (bounds: Bounds): string =>
  Object.entries(bounds)
    .map(([name, bound]) => `${name.replace('_', ' ')} ${bound}`)
    .join(', ')
