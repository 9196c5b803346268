/** How tones differ: how they open, in which order they argue, whether they speak to the reader, how they ask. Never in what is true. */
import type { Angle } from './sentences.ts'

export const TONES = ['urgent', 'friendly', 'playful', 'premium', 'plain', 'professional'] as const
export type Tone = (typeof TONES)[number]

interface Voice {
  /** `*` is the title */
  readonly opens: readonly string[]
  readonly argues: readonly Angle[]
  /** says `you` wherever there is a way to */
  readonly toReader: boolean
  /** buttons that the ad platforms have */
  readonly buttons: readonly string[]
  /** for mails and pages, as a sentence */
  readonly asks: readonly string[]
}

export const VOICES: Readonly<Record<Tone, Voice>> = {
  urgent: {
    opens: ['Get the * today.', 'See the * today.', 'Order the * today.'],
    argues: ['scarcity', 'price', 'reviews', 'features', 'service'],
    toReader: true,
    buttons: ['Order now', 'Buy now'],
    asks: ['Order the * today.', 'Get the * today.'],
  },
  friendly: {
    opens: ['Meet the *.', 'Say hello to the *.', 'Here is the * for you.'],
    argues: ['features', 'reviews', 'service', 'price'],
    toReader: true,
    buttons: ['Shop now'],
    asks: ['See the * in our shop.', 'Take a look at the *.'],
  },
  playful: {
    opens: ['Make room for the *.', 'Psst: the *.', 'Your place, plus the *.'],
    argues: ['features', 'price', 'reviews', 'service'],
    toReader: true,
    buttons: ['Shop now', 'Order now'],
    asks: ['Go on, see the *.', 'Take a look at the *.'],
  },
  premium: {
    opens: ['The *.', 'Choose the *.', 'The *, in detail.'],
    argues: ['features', 'reviews', 'service', 'price'],
    toReader: false,
    buttons: ['Shop now'],
    asks: ['See the * in our shop.', 'Discover the *.'],
  },
  plain: {
    opens: ['This is the *.', 'The *.', '*, in short.'],
    argues: ['features', 'price', 'reviews', 'service'],
    toReader: false,
    buttons: ['Shop now', 'Buy now'],
    asks: ['Order the * in our shop.', 'See the * in our shop.'],
  },
  professional: {
    opens: ['The *, by its figures.', 'Compare the *.', 'The * at a glance.'],
    argues: ['features', 'service', 'reviews', 'price'],
    toReader: false,
    buttons: ['Shop now', 'Order now'],
    asks: ['Compare the * in our shop.', 'See the * in our shop.'],
  },
}
