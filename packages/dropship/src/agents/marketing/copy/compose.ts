/**
 * Composes drafts from sentences: for each channel several texts with different arguments, within its length limits. The wording
 * depends on the product, so that the ads of a shop differ; the same input gives the same text.
 */
import { capitalise } from 'myrmex/text'
import { plainLabel } from '../../../charts/label.ts'
import type { Creative } from '../../../ports.ts'
import { CHANNEL_LIMITS, type Channel } from './channel-limits.ts'
import type { ProductFacts } from './product-facts.ts'
import { type Angle, type Sentence, sentencesOf } from './sentences.ts'
import { type Tone, VOICES } from './tones.ts'

export interface Draft extends Pick<Creative, 'headline' | 'body' | 'call_to_action'> {
  readonly channel: Channel
  readonly angle: Angle
  /** the facts behind its sentences */
  readonly grounded_in: readonly string[]
}

export function compose(known: ProductFacts, tone: Tone, channel: Channel): Draft[] {
  const sentences = sentencesOf(known)
  const angles = VOICES[tone].angles.filter((angle) => sentences.some((one) => one.angle === angle))
  const drafts = angles.map((angle) => draft({ known, tone, channel, angle, sentences }))
  const seen = new Set<string>()
  return drafts.filter(({ body }) => !seen.has(body) && seen.add(body))
}

interface DraftTask {
  readonly known: ProductFacts
  readonly tone: Tone
  readonly channel: Channel
  readonly angle: Angle
  readonly sentences: readonly Sentence[]
}

function draft(task: DraftTask): Draft {
  const { known, tone, channel, angle } = task
  const voice = VOICES[tone]
  const room = CHANNEL_LIMITS[channel]
  const allowed = (text: string): string => text.replace(room.forbiddenCharacters, ' ').replace(/\s+/g, ' ').trim()
  const title = allowed(known.title)
  const titled = (text: string): string => text.replace('*', () => title)
  const opener = titled(pick(voice.openers, task, 'opener'))
  const isAd = channel !== 'email' && channel !== 'page'
  const call_to_action = isAd ? pick(voice.buttons, task, 'button') : titled(pick(voice.closers, task, 'ask'))

  const parts: string[] = []
  const said: string[] = []
  const add = (text: string, from: string): void => {
    if ([...parts, text].join(' ').length > room.body) return
    parts.push(text)
    if (!said.includes(from)) said.push(from)
  }
  // An opener that fills half of the text leaves no room for arguments.
  if (opener.length * 2 <= room.body) add(opener, 'title')
  for (const sentence of orderedSentences(task)) add(allowed(wording(sentence, task)), sentence.fact)
  if (known.niche !== undefined) add(`See more in our ${known.niche} range.`, 'niche')
  return {
    channel,
    angle,
    headline: headline(task, title, room.headline, allowed),
    body: parts.join(' '),
    call_to_action,
    grounded_in: said,
  }
}

/** Sentences of the angle first, then one of each other angle in the tone's order, then the rest. */
function orderedSentences({ sentences, tone, angle, known }: DraftTask): Sentence[] {
  const { angles: argues } = VOICES[tone]
  const groups = [angle, ...argues.filter((one) => one !== angle)].map((one) =>
    rotate(
      sentences.filter((sentence) => sentence.angle === one),
      `${known.product_id} ${tone} ${one}`,
    ),
  )
  const [first = [], ...others] = groups
  const mixed = [...first.slice(0, 2), ...others.flatMap((group) => group.slice(0, 1))]
  return [...mixed, ...groups.flat().filter((sentence) => !mixed.includes(sentence))]
}

function wording({ wordings }: Sentence, task: DraftTask): string {
  const { addressesReader } = VOICES[task.tone]
  const fitting = wordings.filter((way) => /\byou(?:rs?)?\b|^(?:See|Get|Return)\b/i.test(way) === addressesReader)
  return pick(fitting.length === 0 ? wordings : fitting, task, wordings[0] ?? '')
}

/** The title with the short form of the angle's fact, or a shorter headline, down to the clipped title. */
function headline(
  { sentences, angle, known, tone }: DraftTask,
  title: string,
  most: number,
  allowed: (text: string) => string,
): string {
  const shorts = rotate(
    sentences.filter((one) => one.angle === angle).map(({ headline: short }) => allowed(short)),
    `${known.product_id} ${tone} headline`,
  )
  const candidates = [...shorts.map((short) => `${title}: ${short}`), title, ...shorts.map(capitalise)]
  return candidates.find((text) => text.length <= most) ?? plainLabel(title, most)
}

const pick = <T>(from: readonly T[], { known, tone, channel, angle }: DraftTask, purpose: string): T =>
  from[hashOf(`${known.product_id} ${known.title} ${tone} ${channel} ${angle} ${purpose}`) % from.length] as T

/** The list, starting at a position that depends on `by`. */
function rotate<T>(list: readonly T[], by: string): T[] {
  const at = list.length === 0 ? 0 : hashOf(by) % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

/** FNV-1a, 32 bit. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash >>> 0
}
