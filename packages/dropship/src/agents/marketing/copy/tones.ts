/** The tones of copy: openers, order of arguments, form of address and calls to action. A tone never changes what is claimed. */
import type { Angle } from './sentences.ts'

export const TONES = ['urgent', 'friendly', 'playful', 'premium', 'plain', 'professional'] as const
export type Tone = (typeof TONES)[number]

interface Voice {
  /** `*` stands for the title */
  readonly openers: readonly string[]
  readonly angles: readonly Angle[]
  /** uses `you` where possible */
  readonly addressesReader: boolean
  /** button texts of the ad platforms */
  readonly buttons: readonly string[]
  /** call to action for mails and pages, as a sentence */
  readonly closers: readonly string[]
}

export const VOICES: Readonly<Record<Tone, Voice>> = {
  urgent: {
    openers: ['Get the * today.', 'See the * today.', 'Order the * today.'],
    angles: ['scarcity', 'price', 'reviews', 'features', 'service'],
    addressesReader: true,
    buttons: ['Order now', 'Buy now'],
    closers: ['Order the * today.', 'Get the * today.'],
  },
  friendly: {
    openers: ['Meet the *.', 'Say hello to the *.', 'Here is the * for you.'],
    angles: ['features', 'reviews', 'service', 'price'],
    addressesReader: true,
    buttons: ['Shop now'],
    closers: ['See the * in our shop.', 'Take a look at the *.'],
  },
  playful: {
    openers: ['Make room for the *.', 'Psst: the *.', 'Your place, plus the *.'],
    angles: ['features', 'price', 'reviews', 'service'],
    addressesReader: true,
    buttons: ['Shop now', 'Order now'],
    closers: ['Go on, see the *.', 'Take a look at the *.'],
  },
  premium: {
    openers: ['The *.', 'Choose the *.', 'The *, in detail.'],
    angles: ['features', 'reviews', 'service', 'price'],
    addressesReader: false,
    buttons: ['Shop now'],
    closers: ['See the * in our shop.', 'Discover the *.'],
  },
  plain: {
    openers: ['This is the *.', 'The *.', '*, in short.'],
    angles: ['features', 'price', 'reviews', 'service'],
    addressesReader: false,
    buttons: ['Shop now', 'Buy now'],
    closers: ['Order the * in our shop.', 'See the * in our shop.'],
  },
  professional: {
    openers: ['The *, by its figures.', 'Compare the *.', 'The * at a glance.'],
    angles: ['features', 'service', 'reviews', 'price'],
    addressesReader: false,
    buttons: ['Shop now', 'Order now'],
    closers: ['Compare the * in our shop.', 'See the * in our shop.'],
  },
}
