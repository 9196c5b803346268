/** One hostile message for a server: mostly a valid message with a few changes, sometimes any value, sometimes broken bytes. */
import type { SeededRandom } from '../../crash/seeded-random.ts'
import { mutated } from './mutate.ts'
import { mutatedBytes, withoutNewlines } from './mutate-text.ts'
import { type Json, oddValue, toText } from './odd-values.ts'
import { type Era, ID, validMessages } from './valid-messages.ts'

const VALID = { modern: validMessages('modern'), legacy: validMessages('legacy') }

/** The id of requests in a case, where the changes leave it alone. */
const idOf = (number: number, part: number): string => `${ID}-${number}-${part}`

/** A value that JSON can hold, as text. `part` distinguishes the messages of one case. */
export function hostileText(era: Era, random: SeededRandom, number: number, part = 0): string {
  const kind = random.between(0, 99)
  if (kind < 4) return toText(oddValue(random))
  if (kind < 8)
    return toText(Array.from({ length: random.between(0, 4) }, (_, at) => hostileValue(era, random, number, at)))
  return toText(hostileValue(era, random, number, part))
}

function hostileValue(era: Era, random: SeededRandom, number: number, part: number): Json {
  // A few messages of the other era: a peer may say anything.
  const valid = random.pick(VALID[random.often(0.95) ? era : era === 'modern' ? 'legacy' : 'modern'])
  const own = valid.id === ID ? { ...valid, id: idOf(number, part) } : valid
  const times = random.between(0, 4)
  return times === 0 ? own : mutated(own, random, times)
}

/** As bytes of one line: a third of them is broken below the level of JSON. */
export function hostileLine(era: Era, random: SeededRandom, number: number, part: number): Buffer {
  const text = hostileText(era, random, number, part)
  if (random.often(0.67)) return Buffer.from(text)
  return withoutNewlines(mutatedBytes(text, hostileText(era, random, number, part), random))
}
