/** Words as the planner compares them: without endings, without those that say nothing, and with those that mean the same. */
import { stem } from '../../../english/stem.ts'
import { splitWords } from '../../../english/words.ts'

const SILENT = new Set(
  (
    'a about above again all also am an and any are as at be been before being below both but by can could did do does doing ' +
    'done each every few for from get give go good got had has have having help her here his how i if in into is it its just ' +
    'let like make many may me more most much must my need new no not now of off on once only or other our ours out over own ' +
    'per please really should show so some such tell than that the their them then there these they this those through to too ' +
    'under until up us use using very want was we well were what when where which while who why will with within without ' +
    'would you your yours whole next last past day week month year today yesterday tomorrow'
  ).split(' '),
)

export const isStopWord = (word: string): boolean => SILENT.has(word)

/** Words that mean the same to somebody who asks, the same act above all. */
const ALIKE = [
  'create launch build open start introduce publish set prepare add',
  'find search discover look list source seek',
  'check inspect verify look',
  'ad advertise advertisement campaign promote promotion',
  'marketing market promote advertise',
  'report summary summarize overview',
  'predict forecast project estimate',
  'inventory stock',
  'fulfill ship deliver dispatch',
  'handle answer reply respond resolve',
  'ticket complaint enquiry inquiry',
  'optimize improve enhance',
  'analyze examine study assess evaluate',
  'write draft compose',
  'negotiate bargain haggle',
  'supplier vendor manufacturer',
  'delete remove',
  'update change edit modify',
  'send mail notify',
  'buy purchase order place',
]

const alike = new Map<string, Set<string>>()
for (const group of ALIKE) {
  const stems = group.split(' ').map(stem)
  for (const one of stems) alike.set(one, new Set([...(alike.get(one) ?? []), ...stems]))
}

/** Stems that mean the same as this one, itself left out. */
export const synonymsOf = (stemmed: string): string[] =>
  [...(alike.get(stemmed) ?? [])].filter((one) => one !== stemmed)

/** The stems of a text that say something. */
export const contentStems = (text: string): string[] =>
  splitWords(text)
    .filter((word) => !isStopWord(word) && !/^\d+$/.test(word))
    .map(stem)
