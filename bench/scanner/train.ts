// Trains the word weights of the scanner (packages/myrmex/src/tool/verify/scan/word-weights.ts): logistic regression over the words and
// groups of meaning of single sentences. `node bench/scanner/train.ts FOLDER...` reads labelled corpora from folders, beside our own sets
// and sentences made by `synthesise.ts`. The weights in the repository were also trained on the definitions of public servers, which are
// not kept here. Sets that are held out (`isHeldOut`) are never used.
//
// Of a poisoned definition only one sentence is the attack. Which one is not labelled, so training goes in rounds: first all sentences
// but the opening one count as poisoned, afterwards only the one that the last round found most suspicious.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { discover } from '../../packages/myrmex/src/tool/discovery/discover.ts'
import { visibleTexts } from '../../packages/myrmex/src/tool/verify/definition-texts.ts'
import { analyse } from '../../packages/myrmex/src/tool/verify/scan/analyse.ts'
import { KnownNames, type ScanContext } from '../../packages/myrmex/src/tool/verify/scan/context.ts'
import { normalise } from '../../packages/myrmex/src/tool/verify/scan/normalise.ts'
import { nameWords } from '../../packages/myrmex/src/tool/verify/scan/purpose.ts'
import { sentencesOf } from '../../packages/myrmex/src/tool/verify/scan/sentence-features.ts'
import { toolBody } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'
import { isHeldOut, type LabelledDefinition, readCorpora } from './corpus.ts'
import { honestDefinitions, type NamedText, poisonedDefinitions } from './scenarios.ts'
import { poisonedSentences } from './synthesise.ts'

/** The sentences of one definition. */
interface Sample {
  readonly sentences: readonly (readonly string[])[]
  readonly isPoisoned: boolean
  readonly weight: number
  /** A word counts as known once several groups have it, so that no single author or server decides. */
  readonly group: string
}

const own = fileURLToPath(new URL('../../testing/scanner', import.meta.url))
const output = fileURLToPath(new URL('../../packages/myrmex/src/tool/verify/scan/word-weights.ts', import.meta.url))

/** Each definition counts once with what is known about its server, and once without. */
function samplesOf(row: LabelledDefinition): Sample[] {
  const { body, context, isPoisoned, corpus, id, group } = row
  const weight = isPoisoned ? 4 : corpus.startsWith('benign') ? 4 : 1
  return [context, { own: [] }].map((known) => ({
    sentences: sentencesIn(body, known),
    isPoisoned,
    weight: weight / 2,
    group: `${corpus}:${isPoisoned ? hash(id) % 20 : group}`,
  }))
}

function sentencesIn(body: object, context: ScanContext): string[][] {
  const { name } = body as { name?: string }
  const names = new KnownNames(context, name)
  return visibleTexts(body)
    .filter(({ kind }) => kind === 'prose')
    .flatMap(({ text }) => {
      const plain = normalise(text)
      return sentencesOf(plain, analyse(plain, names), nameWords(name)).map(({ features }) => [...features])
    })
}

const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)

/** The tools of this repository are honest, and written in the style of our own poisoned set: style alone must not decide. */
async function ownTools(): Promise<Sample[]> {
  const { tools } = await discover(fileURLToPath(new URL('../..', import.meta.url)))
  return tools.map((tool) => ({
    sentences: sentencesIn(toolBody(tool), {}),
    isPoisoned: false,
    weight: 1,
    group: `own:${tool.name.split('.')[0]}`,
  }))
}

function synthetic(count: number): Sample[] {
  return poisonedSentences(count).map((text, index) => ({
    sentences: sentencesIn(
      { name: 'x', description: `Does one thing. ${text}` },
      index % 2 === 0 ? {} : { own: [text.match(/[a-z]+_[a-z_]+/)?.[0] ?? ''] },
    ),
    isPoisoned: true,
    weight: 0.15,
    group: `synthetic:${index % 50}`,
  }))
}

/** Definitions by domain. Half of the poisoned ones, and all honest ones, know the tools they name as the server's own. */
function scenarios(texts: readonly NamedText[], isPoisoned: boolean): Sample[] {
  return texts.map(({ name, description }, index) => ({
    sentences: sentencesIn(
      { name, description },
      isPoisoned && index % 2 === 0 ? {} : { own: description.match(/[a-z]+_[a-z_]+/g) ?? [] },
    ),
    isPoisoned,
    weight: 0.15,
    group: `scenario:${isPoisoned}:${index % 50}`,
  }))
}

/** Features that at least `least` groups have. A word that no honest text has says nothing about honest texts. */
function frequent(list: readonly Sample[], least: number): Map<string, number> {
  const honest = new Map<string, Set<string>>()
  const all = new Map<string, Set<string>>()
  for (const { sentences, isPoisoned, group } of list)
    for (const one of sentences.flat()) {
      all.set(one, (all.get(one) ?? new Set()).add(group))
      if (!isPoisoned) honest.set(one, (honest.get(one) ?? new Set()).add(group))
    }
  const kept = [...all]
    .filter(
      ([one, groups]) =>
        groups.size >= least && (/^[~^]?[A-Z]+!?(?:\+[A-Z]+!?)?$/.test(one) || (honest.get(one)?.size ?? 0) >= 2),
    )
    .map(([one]) => one)
    .sort()
  return new Map(['bias', ...kept].map((one, index) => [one, index]))
}

interface Instance {
  readonly features: Int32Array
  readonly isPoisoned: boolean
  readonly weight: number
}

const ROUNDS = 3
const EPOCHS = 12
const RATE = 0.1
const DECAY = 0.002
/** Features are left out at random, so that no single one decides. */
const LEFT_OUT = 0.25

function train(list: readonly Sample[], vocabulary: ReadonlyMap<string, number>): Map<string, number> {
  let learned = new Float64Array(vocabulary.size)
  const coded = list.map(({ sentences, isPoisoned, weight }) => ({
    isPoisoned,
    weight,
    sentences: sentences.map((features) =>
      Int32Array.from([0, ...features.flatMap((one) => vocabulary.get(one) ?? [])]),
    ),
  }))
  const scoreOf = (features: Int32Array): number => features.reduce((sum, one) => sum + (learned[one] as number), 0)
  for (let round = 0; round < ROUNDS; round++) {
    const instances = coded.flatMap(({ sentences, isPoisoned, weight }): Instance[] => {
      if (sentences.length === 0) return []
      if (!isPoisoned) return sentences.map((features) => ({ features, isPoisoned, weight }))
      const counted = sentences.length > 1 ? sentences.slice(1) : sentences
      if (round === 0) return counted.map((features) => ({ features, isPoisoned, weight: weight / counted.length }))
      const [features] = [...sentences].sort((a, b) => scoreOf(b) - scoreOf(a)) as [Int32Array]
      return [{ features, isPoisoned, weight }]
    })
    learned = descend(instances, vocabulary.size)
  }
  return new Map([...vocabulary].map(([one, index]) => [one, learned[index] as number]))
}

function descend(instances: Instance[], size: number): Float64Array<ArrayBuffer> {
  const learned = new Float64Array(size)
  let state = 1
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return state / 2 ** 32
  }
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    shuffle(instances, random)
    const rate = RATE / (1 + epoch / 4)
    for (const { features, isPoisoned, weight } of instances) {
      const used = features.filter((one) => one === 0 || random() >= LEFT_OUT)
      const sum = used.reduce((total, one) => total + (learned[one] as number), 0)
      const error = (1 / (1 + Math.exp(-sum)) - (isPoisoned ? 1 : 0)) * weight
      for (const one of used) {
        const before = learned[one] as number
        learned[one] = before - rate * (error + (one === 0 ? 0 : DECAY * before))
      }
    }
  }
  return learned
}

function shuffle(list: Instance[], random: () => number): void {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1))
    const kept = list[index] as Instance
    list[index] = list[other] as Instance
    list[other] = kept
  }
}

function write(learned: ReadonlyMap<string, number>): void {
  const rounded = [...learned]
    .map(([one, weight]) => [one, Math.round(weight * 100)] as const)
    .filter(([, weight]) => Math.abs(weight) >= 6)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const lines: string[] = []
  for (const [one, weight] of rounded) {
    const pair = `${one} ${weight}`
    const last = lines.at(-1)
    if (last === undefined || last.length + pair.length > 130) lines.push(pair)
    else lines[lines.length - 1] = `${last},${pair}`
  }
  writeFileSync(
    output,
    `/**
 * Weights of words and groups of meaning, in hundredths: how much more often a sentence of a poisoned definition has them than one of an
 * honest definition. \`~\` before a group: another sentence of the text has it. Made by \`bench/scanner/train.ts\`; do not edit.
 */
export const WORD_WEIGHTS = \`
${lines.join('\n')}
\`
`,
  )
  process.stdout.write(`${rounded.length} weights\n`)
}

const { positionals } = parseArgs({ allowPositionals: true })
const rows = [own, ...positionals].flatMap(readCorpora).filter((row) => !isHeldOut(row))
const samples = [
  ...rows.flatMap(samplesOf),
  ...(await ownTools()),
  ...synthetic(3000),
  ...scenarios(poisonedDefinitions(4000), true),
  ...scenarios(honestDefinitions(2000), false),
]
write(train(samples, frequent(samples, 10)))
