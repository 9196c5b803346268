/** How the writer of a message feels, with the confidence and the words that decided. */
import type { Sentiment } from '../intents.ts'
import { classify, likeliest, type Reason } from '../model/classify.ts'
import { readModels } from '../model/model-file.ts'
import { polarity, sentimentFeatures } from '../model/sentiment-features.ts'

export interface Mood {
  readonly sentiment: Sentiment
  readonly confidence: number
  readonly why: readonly Reason[]
}

const MOST_REASONS = 6

export async function readMood(text: string): Promise<Mood> {
  const [{ sentiment: model }, polarityOf] = await Promise.all([readModels(), polarity()])
  const found = sentimentFeatures(text, polarityOf)
  const kept = [...found.keys()].filter((feature) => feature in model.weights)
  const named = new Map(kept.map((feature) => [feature, nameOf(feature, found.get(feature) ?? '')]))
  const judged = classify(model, named, new Map(kept.map((feature) => [feature, 1])))
  const { label, chance } = likeliest<Sentiment>(judged.chances)
  return { sentiment: label, confidence: chance, why: judged.reasonsFor(label, MOST_REASONS) }
}

/** Such as `threat: lawyer`. The lexicon's grades have one name, because a reader does not need them. */
const nameOf = (feature: string, words: string): string => {
  const name = feature.replace(/ \d$/, '')
  return words === '' ? name : `${name}: ${words}`
}
