/** The corpus as training samples: one list for intents, one for sentiments. */
import { createHash } from 'node:crypto'
import { INTENTS, SENTIMENTS } from '../src/tickets/intents.ts'
import { extractFeatures, type Features, isCue, scaleFeatures } from '../src/tickets/model/features.ts'
import { polarity, sentimentFeatures } from '../src/tickets/model/sentiment-features.ts'
import { type Example, readCorpus } from './corpus.ts'
import { type Sample, type TrainingResult, type TrainingSettings, trainModel } from './train-model.ts'

/** Found by cross-validation over the corpus. Half or twice the penalty changes the accuracy by less than one percent. */
const FOR_INTENT: TrainingSettings = {
  penalty: 0.001,
  rounds: 200,
  least: (feature) => (isCue(feature) ? 1 : 4),
}
const FOR_SENTIMENT: TrainingSettings = { penalty: 0.003, rounds: 200, least: () => 4 }

/**
 * Customers use other words than the corpus does. Each message is therefore used three times: whole, and twice with some of its features
 * left out. A hash decides which, so that it is the same every time.
 */
const COPIES = 3
const LEFT_OUT = 0.35

/** A hash (FNV-1a, mixed) from 0 to 1. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 0x1_0000_0000
}

function thinned(found: Features, group: number, copy: number): Features {
  if (copy === 0) return found
  return new Map([...found].filter(([feature]) => hashed(`${group} ${copy} ${feature}`) >= LEFT_OUT))
}

function copies(
  found: Features,
  label: string,
  group: number,
  vector: (found: Features) => Sample['vector'],
): Sample[] {
  return Array.from({ length: COPIES }, (_, copy) => {
    const kept = thinned(found, group, copy)
    return { features: [...kept.keys()], label, group, vector: vector(kept) }
  })
}

export const intentSamples = (examples: readonly Example[]): Sample[] =>
  examples.flatMap(({ text, intent }, group) =>
    copies(extractFeatures(text), intent, group, (found) => (known) => scaleFeatures(found, known)),
  )

export async function sentimentSamples(examples: readonly Example[]): Promise<Sample[]> {
  const polarityOf = await polarity()
  return examples.flatMap(({ text, sentiment }, group) =>
    copies(sentimentFeatures(text, polarityOf), sentiment, group, (found) => (known) => {
      const kept = [...found.keys()].filter(known)
      return new Map(kept.map((feature) => [feature, 1]))
    }),
  )
}

export async function trainAll(): Promise<{ readonly intent: TrainingResult; readonly sentiment: TrainingResult }> {
  const examples = readCorpus()
  return {
    intent: trainModel(intentSamples(examples), INTENTS, FOR_INTENT),
    sentiment: trainModel(await sentimentSamples(examples), SENTIMENTS, FOR_SENTIMENT),
  }
}

/** A hash of everything that training depends on: labels, features and their copies, and the settings. */
export async function trainingHash(): Promise<string> {
  const examples = readCorpus()
  const samples = [...intentSamples(examples), ...(await sentimentSamples(examples))]
  const hash = createHash('sha256')
  for (const { label, group, vector } of samples) hash.update(JSON.stringify([label, group, [...vector(() => true)]]))
  for (const { penalty, rounds } of [FOR_INTENT, FOR_SENTIMENT]) hash.update(JSON.stringify([penalty, rounds]))
  return hash.digest('hex')
}
