// Trains the word weights of the scanner (packages/myrmex/src/tool/verify/scan/word-weights.ts): logistic regression over the words and
// groups of meaning of single sentences. `node bench/scanner/train.ts FOLDER...` reads labelled corpora from folders beside our own set
// and sentences made by `synthesise.ts`. `poisoned-later` is never used. `--split` leaves out every second server and attack, to measure.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { discover } from '../../packages/myrmex/src/tool/discovery/discover.ts'
import { visibleTexts } from '../../packages/myrmex/src/tool/verify/definition-texts.ts'
import { analyse } from '../../packages/myrmex/src/tool/verify/scan/analyse.ts'
import { KnownNames } from '../../packages/myrmex/src/tool/verify/scan/context.ts'
import { normalise } from '../../packages/myrmex/src/tool/verify/scan/normalise.ts'
import { sentencesOf } from '../../packages/myrmex/src/tool/verify/scan/sentence-features.ts'
import { toolBody } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'
import { isHeldOut, type LabelledDefinition, readCorpora } from './corpus.ts'
import { poisonedSentences } from './synthesise.ts'

interface Sample {
  readonly features: readonly string[]
  readonly isPoisoned: boolean
  readonly weight: number
}

const own = fileURLToPath(new URL('../../testing/scanner', import.meta.url))
const output = fileURLToPath(new URL('../../packages/myrmex/src/tool/verify/scan/word-weights.ts', import.meta.url))

const { values, positionals } = parseArgs({ options: { split: { type: 'boolean' } }, allowPositionals: true })
const rows = [own, ...positionals]
  .flatMap(readCorpora)
  .filter((row) => row.corpus !== 'poisoned-later' && !(values.split && isHeldOut(row)))
const samples = [...rows.flatMap(samplesOf), ...(await ownTools()), ...synthetic(4000)]
const vocabulary = frequent(samples, 6)
const weights = train(
  samples.map((sample) => ({ ...sample, features: sample.features.filter((one) => vocabulary.has(one)) })),
)
write(weights)

function samplesOf(row: LabelledDefinition): Sample[] {
  const { body, context, isPoisoned } = row
  const { name } = body as { name?: string }
  const names = new KnownNames(context, name)
  return visibleTexts(body)
    .filter(({ kind }) => kind === 'prose')
    .flatMap(({ text }) => {
      const sentences = sentencesOf(analyse(normalise(text), names))
      // The first sentence of a poisoned text is its honest face.
      const counted = isPoisoned && sentences.length > 1 ? sentences.slice(1) : sentences
      return counted.map(({ features }) => ({
        features: [...features],
        isPoisoned,
        weight: isPoisoned ? 6 : row.corpus === 'benign' ? 5 : 1,
      }))
    })
}

/** The tools of this repository are honest, and written in the style of our own poisoned set: style alone must not decide. */
async function ownTools(): Promise<Sample[]> {
  const { tools } = await discover(fileURLToPath(new URL('../..', import.meta.url)))
  const texts = tools.flatMap((tool) => visibleTexts(toolBody(tool)).filter(({ kind }) => kind === 'prose'))
  return [...new Set(texts.map(({ text }) => text))].flatMap((text) =>
    sentencesOf(analyse(normalise(text), new KnownNames({}))).map(({ features }) => ({
      features: [...features],
      isPoisoned: false,
      weight: 3,
    })),
  )
}

function synthetic(count: number): Sample[] {
  return poisonedSentences(count).flatMap((text, index) => {
    const names = new KnownNames(index % 2 === 0 ? {} : { own: [text.match(/[a-z]+_[a-z_]+/)?.[0] ?? ''] })
    return sentencesOf(analyse(normalise(`Does one thing. ${text}`), names))
      .slice(-1)
      .map(({ features }) => ({ features: [...features], isPoisoned: true, weight: 1 }))
  })
}

function frequent(list: readonly Sample[], least: number): Set<string> {
  const counts = new Map<string, number>()
  for (const { features } of list) for (const one of features) counts.set(one, (counts.get(one) ?? 0) + 1)
  // A word that no honest text has says nothing about honest texts.
  const honest = new Set(list.filter(({ isPoisoned }) => !isPoisoned).flatMap(({ features }) => features))
  return new Set(
    [...counts]
      .filter(([one, count]) => count >= least && (honest.has(one) || /^\^?[A-Z]+!?(?:\+[A-Z]+!?)?$/.test(one)))
      .map(([one]) => one),
  )
}

function train(list: readonly Sample[]): Map<string, number> {
  const learned = new Map<string, number>()
  let state = 1
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32
  }
  const order = list.map((_, index) => index)
  for (let epoch = 0; epoch < 30; epoch++) {
    for (let index = order.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1))
      const kept = order[index] as number
      order[index] = order[other] as number
      order[other] = kept
    }
    const rate = 0.08 / (1 + epoch / 6)
    for (const index of order) {
      const { features, isPoisoned, weight } = list[index] as Sample
      // Words are left out at random, so that no single one decides.
      const used = ['bias', ...features.filter(() => random() > 0.3)]
      const sum = used.reduce((total, one) => total + (learned.get(one) ?? 0), 0)
      const error = ((isPoisoned ? 1 : 0) - 1 / (1 + Math.exp(-sum))) * weight
      for (const one of used) {
        const before = learned.get(one) ?? 0
        learned.set(one, before + rate * (error * 0.3 - 0.002 * before))
      }
    }
  }
  return learned
}

function write(learned: ReadonlyMap<string, number>): void {
  const rounded = [...learned]
    .map(([one, weight]) => [one, Math.round(weight * 100)] as const)
    .filter(([, weight]) => Math.abs(weight) >= 8)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const text = rounded.map(([one, weight]) => `${one} ${weight}`)
  const lines: string[] = []
  for (const pair of text) {
    const last = lines.at(-1)
    if (last === undefined || last.length + pair.length > 130) lines.push(pair)
    else lines[lines.length - 1] = `${last},${pair}`
  }
  writeFileSync(
    output,
    `/**
 * Weights of words and groups of meaning, in hundredths: how much more often a sentence of a poisoned definition has them than one of an
 * honest definition. Made by \`bench/scanner/train.ts\`; do not edit.
 */
export const WORD_WEIGHTS = \`
${lines.join('\n')}
\`
`,
  )
  process.stdout.write(`${samples.length} sentences, ${rounded.length} weights\n`)
}
