/** The learned models in their file: a line a feature, so that a change of the corpus shows as a readable difference. */
import type { LinearModel } from './train-model.ts'

export interface Models {
  readonly intent: LinearModel
  readonly sentiment: LinearModel
}

interface Kept {
  readonly classes: readonly string[]
  readonly temperature: number
  readonly bias: string
  readonly weights: Readonly<Record<string, string>>
}

const kept = ({ classes, temperature, bias, weights }: LinearModel): Kept => ({
  classes,
  temperature,
  bias: bias.join(' '),
  weights: Object.fromEntries(Object.entries(weights).map(([feature, values]) => [feature, values.join(' ')])),
})

const numbers = (text: string): number[] => text.split(' ').map(Number)

const modelOf = ({ classes, temperature, bias, weights }: Kept): LinearModel => ({
  classes,
  temperature,
  bias: numbers(bias),
  weights: Object.fromEntries(Object.entries(weights).map(([feature, values]) => [feature, numbers(values)])),
})

/** `made_from` tells whether the weights still belong to corpus, cues and features (see samples.ts). */
export const writeModels = ({ intent, sentiment }: Models, made_from: string): string =>
  `${JSON.stringify({ made_from, intent: kept(intent), sentiment: kept(sentiment) }, undefined, 2)}\n`

let read: Promise<Models> | undefined

export const readModels = (): Promise<Models> => {
  read ??= import('./weights.json', { with: { type: 'json' } }).then(({ default: file }) => {
    const { intent, sentiment } = file as unknown as Record<keyof Models, Kept>
    return { intent: modelOf(intent), sentiment: modelOf(sentiment) }
  })
  return read
}
