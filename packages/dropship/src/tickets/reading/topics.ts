/**
 * What a message is about: one intent, or several where it turns from one matter to another. The confidence is the chance that the
 * leading one is right, as calibrated on messages the model had not seen.
 */

import { INTENTS, type Intent, SURE_ENOUGH } from '../intents.ts'
import { type Classification, classify, likeliest, type Reason } from '../model/classify.ts'
import { CUES } from '../model/cues.ts'
import { extractFeatures, isCue, scaleFeatures } from '../model/features.ts'
import { readModels } from '../model/model-file.ts'
import { spellingCorrector } from '../model/spelling.ts'
import { mattersOf, partsOf } from './words.ts'

export interface Topic {
  readonly intent: Intent
  /** of the opening matter for the leading one, of the part that speaks of it for the others */
  readonly confidence: number
  readonly why: readonly Reason[]
  /** the words of the customer that it was found in */
  readonly part: string
}

export interface IntentClassification extends Classification {
  /** whether a cue of this intent stands in the text */
  readonly says: (intent: Intent) => boolean
}

export type IntentModel = (text: string) => IntentClassification

let made: Promise<IntentModel> | undefined

export const intentModel = (): Promise<IntentModel> => {
  made ??= readModels().then(({ intent }) => {
    const known = new Set(Object.keys(intent.weights))
    const mend = spellingCorrector([...known].filter((feature) => !isCue(feature) && !feature.includes(' ')))
    return (text) => {
      const found = extractFeatures(text, mend)
      const judged = classify(
        intent,
        found,
        scaleFeatures(found, (feature) => known.has(feature)),
      )
      return { ...judged, says: (wanted) => CUES.some((cue) => cue.intent === wanted && found.has(`cue:${cue.name}`)) }
    }
  })
  return made
}

/** What one says on the way to the other: "it is broken, I want a refund" is one matter, and one answer settles it. */
const SAME_MATTER: Readonly<Partial<Record<Intent, readonly Intent[]>>> = {
  damaged_item: ['return_request', 'refund_status', 'wrong_item'],
  wrong_item: ['return_request', 'refund_status', 'damaged_item'],
  return_request: ['refund_status'],
  cancel_order: ['refund_status', 'return_request'],
  where_is_my_order: ['cancel_order'],
}

/** Feelings and questions in general accompany every matter; alone they make no second one. */
const NO_SECOND: ReadonlySet<Intent> = new Set(['praise', 'complaint', 'other'])

const MOST_REASONS = 5
const MOST_PARTS = 40
/** What has fewer words than this says too little to be a topic of its own. */
const FEWEST_WORDS = 4
/** A part is less than a message: what is found in one must be surer. */
const SURE_OF_A_PART = 0.9

/** What a piece of the text speaks of, if it says so in so many words: surely, and by a cue of its own. */
function spokenOf(model: IntentModel, part: string, sure: number): Topic | undefined {
  if (part.split(' ').length < FEWEST_WORDS) return undefined
  const judged = model(part)
  const { label: intent, chance } = likeliest<Intent>(judged.chances)
  if (NO_SECOND.has(intent) || chance < sure) return undefined
  if (!judged.says(intent)) return undefined
  return { intent, confidence: chance, why: judged.reasonsFor(intent, MOST_REASONS), part }
}

const sameMatter = (a: Intent, b: Intent): boolean =>
  a === b || SAME_MATTER[a]?.includes(b) === true || SAME_MATTER[b]?.includes(a) === true

/** Second matters in the opening one: only where another of its sentences speaks as surely of the leading intent. */
function within(model: IntentModel, opening: string, leading: Intent): Topic[] {
  const parts = partsOf(opening)
    .slice(0, MOST_PARTS)
    .flatMap((part) => spokenOf(model, part, SURE_OF_A_PART) ?? [])
  if (!NO_SECOND.has(leading) && !parts.some(({ intent }) => intent === leading)) return []
  // "Do you have a date for me?" reads like a question about a product wherever it stands.
  return parts.filter(({ intent }) => intent !== 'product_question' && !sameMatter(intent, leading))
}

/** The matter that the message opens with comes first. */
export async function findTopics(text: string): Promise<readonly [Topic, ...Topic[]]> {
  const model = await intentModel()
  const [opening, ...asides] = mattersOf(text)
  const judged = model(opening)
  const { label: leading, chance } = likeliest<Intent>(judged.chances)
  const inside = within(model, opening, leading)
  // Two matters in one piece share its chances: that it speaks of both is no doubt about either.
  const shared = [...new Set(inside.map(({ intent }) => intent))].reduce(
    (sum, intent) => sum + (judged.chances[intent] ?? 0),
    0,
  )
  const lead: Topic = {
    intent: leading,
    confidence: Math.min(1, chance + shared),
    why: judged.reasonsFor(leading, MOST_REASONS),
    part: opening,
  }
  const topics: [Topic, ...Topic[]] = [lead]
  for (const topic of [...inside, ...asides.flatMap((aside) => spokenOf(model, aside, SURE_ENOUGH) ?? [])])
    if (!topics.some(({ intent }) => sameMatter(intent, topic.intent))) topics.push(topic)
  return topics
}

export const isIntent = (text: string): text is Intent => (INTENTS as readonly string[]).includes(text)
