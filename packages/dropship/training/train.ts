/**
 * Creates weights.json from corpus.txt: `node packages/dropship/training/train.ts`. It prints the accuracy on messages that
 * the model was not trained on. The same corpus gives the same file, and a test checks that the two belong together.
 */
import { writeFileSync } from 'node:fs'
import { SURE_ENOUGH } from '../src/tickets/intents.ts'
import type { LinearModel, StoredModel } from '../src/tickets/model/model-file.ts'
import { calibrationError } from './regression.ts'
import { trainAll, trainingHash } from './samples.ts'
import type { TrainingResult } from './train-model.ts'

const share = (of: readonly unknown[], all: readonly unknown[]): string =>
  `${((100 * of.length) / all.length).toFixed(1)} %`

function summary(name: string, { model, unseen }: TrainingResult): string {
  const right = unseen.filter(({ said, label }) => said === label)
  const sure = unseen.filter(({ confidence }) => confidence >= SURE_ENOUGH)
  const error = calibrationError(unseen.map(({ said, label, confidence }) => ({ confidence, right: said === label })))
  return [
    `${name}: ${unseen.length} messages, ${Object.keys(model.weights).length} features, temperature ${model.temperature}`,
    `  right ${share(right, unseen)}; sure of ${share(sure, unseen)}, of these right ${share(
      sure.filter(({ said, label }) => said === label),
      sure,
    )}; calibration error ${error.toFixed(3)}`,
  ].join('\n')
}

const toStored = ({ classes, temperature, bias, weights }: LinearModel): StoredModel => ({
  classes,
  temperature,
  bias: bias.join(' '),
  weights: Object.fromEntries(Object.entries(weights).map(([feature, values]) => [feature, values.join(' ')])),
})

const { intent, sentiment } = await trainAll()
process.stdout.write(`${summary('intent', intent)}\n${summary('sentiment', sentiment)}\n`)
/** `made_from` shows whether the weights still belong to the corpus, cues and features (see samples.ts). */
const file = {
  made_from: await trainingHash(),
  intent: toStored(intent.model),
  sentiment: toStored(sentiment.model),
}
writeFileSync(new URL('../src/tickets/model/weights.json', import.meta.url), `${JSON.stringify(file, undefined, 2)}\n`)
