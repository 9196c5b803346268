/** Reads and writes the file of trained models. It has one line per feature, so that a change of the corpus gives a readable diff. */
import type { LinearModel } from './train-model.ts'

export interface Models {
  readonly intent: LinearModel
  readonly sentiment: LinearModel
}

interface StoredModel {
  readonly classes: readonly string[]
  readonly temperature: number
  readonly bias: string
  readonly weights: Readonly<Record<string, string>>
}

const toStored = ({ classes, temperature, bias, weights }: LinearModel): StoredModel => ({
  classes,
  temperature,
  bias: bias.join(' '),
  weights: Object.fromEntries(Object.entries(weights).map(([feature, values]) => [feature, values.join(' ')])),
})

const numbers = (text: string): number[] => text.split(' ').map(Number)

const fromStored = ({ classes, temperature, bias, weights }: StoredModel): LinearModel => ({
  classes,
  temperature,
  bias: numbers(bias),
  weights: Object.fromEntries(Object.entries(weights).map(([feature, values]) => [feature, numbers(values)])),
})

/** `made_from` shows whether the weights still belong to the corpus, cues and features (see samples.ts). */
export const writeModels = ({ intent, sentiment }: Models, made_from: string): string =>
  `${JSON.stringify({ made_from, intent: toStored(intent), sentiment: toStored(sentiment) }, undefined, 2)}\n`

let read: Promise<Models> | undefined

export const readModels = (): Promise<Models> => {
  read ??= import('./weights.json', { with: { type: 'json' } }).then(({ default: file }) => {
    const { intent, sentiment } = file as unknown as Record<keyof Models, StoredModel>
    return { intent: fromStored(intent), sentiment: fromStored(sentiment) }
  })
  return read
}
