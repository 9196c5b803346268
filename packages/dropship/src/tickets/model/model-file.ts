/** Reads the trained models from weights.json, which training/train.ts creates. */

/** A trained model: one weight per class for each feature. */
export interface LinearModel {
  readonly classes: readonly string[]
  readonly bias: readonly number[]
  readonly weights: Readonly<Record<string, readonly number[]>>
  readonly temperature: number
}

/** A model in weights.json. It has one line per feature, so that a change of the corpus gives a readable diff. */
export interface StoredModel extends Pick<LinearModel, 'classes' | 'temperature'> {
  readonly bias: string
  readonly weights: Readonly<Record<string, string>>
}

const numbers = (text: string): number[] => text.split(' ').map(Number)

const fromStored = ({ classes, temperature, bias, weights }: StoredModel): LinearModel => ({
  classes,
  temperature,
  bias: numbers(bias),
  weights: Object.fromEntries(Object.entries(weights).map(([feature, values]) => [feature, numbers(values)])),
})

type Models<Model> = Readonly<Record<'intent' | 'sentiment', Model>>

let read: Promise<Models<LinearModel>> | undefined

export const readModels = (): Promise<Models<LinearModel>> => {
  read ??= import('./weights.json', { with: { type: 'json' } }).then(({ default: file }) => {
    const { intent, sentiment } = file as unknown as Models<StoredModel>
    return { intent: fromStored(intent), sentiment: fromStored(sentiment) }
  })
  return read
}
