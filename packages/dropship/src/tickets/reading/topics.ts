/**
 * Finds the topics of a message: one intent, or several where the writer moves on to another matter. The confidence is the chance
 * that the intent is right, calibrated on messages that the model was not trained on.
 */

import { type Intent, SURE_ENOUGH } from '../intents.ts'
import { type Classification, classify, likeliest, type Reason } from '../model/classify.ts'
import { CUES } from '../model/cues.ts'
import { extractFeatures, isCue, scaleFeatures } from '../model/features.ts'
import { readModels } from '../model/model-file.ts'
import { spellingCorrector } from '../model/spelling.ts'
import { mattersOf, partsOf } from './words.ts'

export interface Topic {
  readonly intent: Intent
  /** computed from the opening for the main topic, and from its own part for any other */
  readonly confidence: number
  readonly why: readonly Reason[]
}

export interface IntentClassification extends Classification {
  /** whether the text has a cue of this intent */
  readonly hasCue: (intent: Intent) => boolean
}

export type IntentModel = (text: string) => IntentClassification

let made: Promise<IntentModel> | undefined

export const intentModel = (): Promise<IntentModel> => {
  made ??= readModels().then(({ intent }) => {
    const known = new Set(Object.keys(intent.weights))
    const correct = spellingCorrector([...known].filter((feature) => !isCue(feature) && !feature.includes(' ')))
    return (text) => {
      const found = extractFeatures(text, correct)
      const judged = classify(
        intent,
        found,
        scaleFeatures(found, (feature) => known.has(feature)),
      )
      return {
        ...judged,
        hasCue: (wanted) => CUES.some((cue) => cue.intent === wanted && found.has(`cue:${cue.name}`)),
      }
    }
  })
  return made
}

/** Intents that often occur together in one request: "it is broken, I want a refund" needs one answer. */
const SAME_MATTER: Readonly<Partial<Record<Intent, readonly Intent[]>>> = {
  damaged_item: ['return_request', 'refund_status', 'wrong_item'],
  wrong_item: ['return_request', 'refund_status', 'damaged_item'],
  return_request: ['refund_status'],
  cancel_order: ['refund_status', 'return_request'],
  where_is_my_order: ['cancel_order'],
}

/** Feelings and general questions occur with every topic, so they never count as a second one. */
const NO_SECOND: ReadonlySet<Intent> = new Set(['praise', 'complaint', 'other'])

const MAX_REASONS = 5
const MAX_PARTS = 40
/** Shorter parts say too little to be a topic of their own. */
const FEWEST_WORDS = 4
/** A part has less text than a message, so a topic found in one needs more confidence. */
const SURE_OF_A_PART = 0.9

/** The topic of a part, if the model is confident and the part has a cue of that intent. */
function topicOfPart(model: IntentModel, part: string, sure: number): Topic | undefined {
  if (part.split(' ').length < FEWEST_WORDS) return undefined
  const judged = model(part)
  const { label: intent, chance } = likeliest<Intent>(judged.chances)
  if (NO_SECOND.has(intent) || chance < sure) return undefined
  if (!judged.hasCue(intent)) return undefined
  return { intent, confidence: chance, why: judged.reasonsFor(intent, MAX_REASONS) }
}

const sameMatter = (a: Intent, b: Intent): boolean =>
  a === b || SAME_MATTER[a]?.includes(b) === true || SAME_MATTER[b]?.includes(a) === true

/** Further topics within the opening. They count only if another of its sentences clearly has the main intent. */
function topicsWithin(model: IntentModel, opening: string, leading: Intent): Topic[] {
  const parts = partsOf(opening)
    .slice(0, MAX_PARTS)
    .flatMap((part) => topicOfPart(model, part, SURE_OF_A_PART) ?? [])
  if (!NO_SECOND.has(leading) && !parts.some(({ intent }) => intent === leading)) return []
  // "Do you have a date for me?" looks like a product question in any context.
  return parts.filter(({ intent }) => intent !== 'product_question' && !sameMatter(intent, leading))
}

/** The topic that the message opens with comes first. */
export async function findTopics(text: string): Promise<readonly [Topic, ...Topic[]]> {
  const model = await intentModel()
  const [opening, ...asides] = mattersOf(text)
  const judged = model(opening)
  const { label: leading, chance } = likeliest<Intent>(judged.chances)
  const inside = topicsWithin(model, opening, leading)
  // Two topics in one text share its probability. That it is about both is no doubt about either.
  const shared = [...new Set(inside.map(({ intent }) => intent))].reduce(
    (sum, intent) => sum + (judged.chances[intent] ?? 0),
    0,
  )
  const lead: Topic = {
    intent: leading,
    confidence: Math.min(1, chance + shared),
    why: judged.reasonsFor(leading, MAX_REASONS),
  }
  const topics: [Topic, ...Topic[]] = [lead]
  for (const topic of [...inside, ...asides.flatMap((aside) => topicOfPart(model, aside, SURE_ENOUGH) ?? [])])
    if (!topics.some(({ intent }) => sameMatter(intent, topic.intent))) topics.push(topic)
  return topics
}
