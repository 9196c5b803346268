/**
 * Trains a linear model on labelled texts and calibrates its confidence on messages it was not trained on. Used by train.ts and by
 * tests, never while the shop runs.
 */
import { rounded, softmax } from '../src/figures.ts'
import type { LinearModel } from '../src/tickets/model/model-file.ts'
import { bestTemperature, biasOf, type Row, scoresOf, trainRegression, type Weights, weightsOf } from './regression.ts'

export interface Sample {
  /** feature values; training decides which features are kept */
  readonly vector: (known: (feature: string) => boolean) => ReadonlyMap<string, number>
  /** all features of the sample */
  readonly features: readonly string[]
  readonly label: string
  /** shared by all samples of one message, so that none is tested by a model that has seen another copy of it */
  readonly group: number
}

export interface TrainingSettings {
  readonly penalty: number
  readonly rounds: number
  /** features of fewer samples than this are dropped: the model would only memorise them */
  readonly least: (feature: string) => number
}

const FOLDS = 10

function vocabulary(samples: readonly Sample[], least: TrainingSettings['least']): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { features } of samples)
    for (const feature of new Set(features)) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const kept = [...counts].filter(([feature, count]) => count >= least(feature)).map(([feature]) => feature)
  return new Map(kept.sort().map((feature, index) => [feature, index]))
}

const rowOf = (sample: Sample, known: ReadonlyMap<string, number>): Row =>
  [...sample.vector((feature) => known.has(feature))].map(([feature, value]) => [known.get(feature) as number, value])

interface Fitted {
  readonly known: ReadonlyMap<string, number>
  readonly weights: Weights
}

function fit(samples: readonly Sample[], classes: readonly string[], settings: TrainingSettings): Fitted {
  const known = vocabulary(samples, settings.least)
  const rows = samples.map((sample) => rowOf(sample, known))
  const labels = samples.map(({ label }) => classes.indexOf(label))
  const { penalty, rounds } = settings
  return {
    known,
    weights: trainRegression(rows, labels, { classes: classes.length, features: known.size, penalty, rounds }),
  }
}

/** Scores of every sample by a model that was trained without its tenth of the samples. */
export function unseenScores(
  samples: readonly Sample[],
  classes: readonly string[],
  settings: TrainingSettings,
): number[][] {
  const scores: number[][] = new Array(samples.length)
  for (let fold = 0; fold < FOLDS; fold++) {
    const { known, weights } = fit(
      samples.filter(({ group }) => group % FOLDS !== fold),
      classes,
      settings,
    )
    for (const [index, sample] of samples.entries())
      if (sample.group % FOLDS === fold) scores[index] = scoresOf(weights, rowOf(sample, known))
  }
  return scores
}

export interface TrainingResult {
  readonly model: LinearModel
  /** for each sample, by a model that was trained without it */
  readonly unseen: readonly { readonly label: string; readonly said: string; readonly confidence: number }[]
}

export function trainModel(
  samples: readonly Sample[],
  classes: readonly string[],
  settings: TrainingSettings,
): TrainingResult {
  const scores = unseenScores(samples, classes, settings)
  const labels = samples.map(({ label }) => classes.indexOf(label))
  const temperature = Math.round(bestTemperature(scores, labels) * 1000) / 1000
  const { known, weights } = fit(samples, classes, settings)
  const byFeature = [...known].map(([feature, index]) => [
    feature,
    weightsOf(weights, index).map((weight) => rounded(weight)),
  ])
  const unseen = samples.map(({ label }, index) => {
    const chances = softmax(scores[index] as number[], temperature)
    const confidence = Math.max(...chances)
    return { label, said: classes[chances.indexOf(confidence)] as string, confidence }
  })
  const model: LinearModel = {
    classes,
    bias: biasOf(weights).map((weight) => rounded(weight)),
    weights: Object.fromEntries(byFeature),
    temperature,
  }
  return { model, unseen }
}
