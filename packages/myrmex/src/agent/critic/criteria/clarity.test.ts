import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'

const judge = (output: string) =>
  critiqueByRules({ task: '', output, criteria: ['clarity'] }).judgements[0] as NonNullable<
    ReturnType<typeof critiqueByRules>['judgements'][0]
  >

const PAIRS = [
  [
    'a coffee grinder',
    'The grinder has forty settings. Turn the ring until the grind suits you. It stops by itself when the cup is full.',
    'In order to facilitate the utilization of the aforementioned grinding apparatus, which was conceived for the purpose of essentially transforming the domestic preparation of caffeinated beverages, a considerable number of configuration possibilities are provided, notwithstanding the fact that the majority of individuals generally require comparatively few of them.',
  ],
  [
    'a parcel that is late',
    'Your parcel left our house on Monday. Rain closed the road, so it comes two days late. You need not do anything.',
    'With regard to the aforementioned consignment, it should be noted that, due to the fact that meteorological circumstances were experienced in the distribution network, the anticipated transportation timeframe is currently being reassessed by our logistics department, and additional notifications concerning rescheduling will be transmitted subsequently.',
  ],
  [
    'a rain jacket',
    'This jacket keeps rain out for a full day. It weighs as much as an apple. Fold it into its own pocket and go.',
    'Representing the culmination of extensive technological experimentation, the garment incorporates multifunctional waterproof-breathable laminated constructions, whereby precipitation penetration is virtually eliminated, while simultaneously facilitating comprehensive perspiration transportation in terms of physiological thermoregulation requirements during demanding recreational mountaineering activities.',
  ],
] as const

describe('clarity', () => {
  test.each(PAIRS)('tells plain words from officialese about %s', (_subject, plain, official) => {
    const [good, bad] = [judge(plain), judge(official)]
    expect(good.verdict).toBe('pass')
    expect(bad.verdict).toBe('fail')
    expect((good.score as number) - (bad.score as number)).toBeGreaterThan(0.5)
    expect(good.suggestion).toBeNull()
  })

  test('names the worst sentence and what to strike from it', () => {
    const { evidence, suggestion } = judge(PAIRS[0][2])
    expect(evidence[1]).toMatch(/^48 words, with “in order to”, “facilitate”, “utilization” and \d more: “In order to/)
    expect(suggestion).toContain('Split the sentence “In order to')
    expect(suggestion).toContain('Strike “in order to”')
    expect(judge(PAIRS[1][2]).suggestion).toContain('Say who acts in')
  })

  test('LIX is words a sentence plus the share of words with more than six letters', () => {
    // 10 words, 2 sentences, 3 long: 5 + 30.
    expect(judge('We bought several machines. They can make coffee without noise.').evidence[0]).toContain('LIX 35')
  })

  test('the same words in shorter sentences are clearer', () => {
    const words = 'the cat sat on the mat and the dog ran to the door and '
    const long = `${words.repeat(4)}that was all.`
    const short = long.replaceAll(' and the dog', '. The dog').replaceAll(' and the cat', '. The cat')
    expect(judge(short).score as number).toBeGreaterThan((judge(long).score as number) + 0.3)
  })

  test.each([
    ['an empty phrase', 'It basically just sort of works, more or less.', 'It works on the days when we need it.'],
    ['the passive', 'The cup was filled by the boy.', 'The boy filled the cup.'],
  ])('%s costs points', (_what, worse, better) => {
    expect(judge(better).score as number).toBeGreaterThan((judge(worse).score as number) + 0.05)
  })

  test('decimals, abbreviations and wrapped lines end no sentence', () => {
    expect(judge('It costs 24.90 euros, e.g. for Dr. Brown and the cat.').evidence[0]).toContain('1 sentence,')
    const wrapped = 'This is a line that somebody broke at the width of a page so that\nit goes on in the next one.'
    expect(judge(wrapped).evidence[0]).toContain('1 sentence,')
    expect(judge('- one thing\n- another thing\n- a third').evidence[0]).toContain('3 sentences')
  })

  test('a text that is not English is measured by length alone, and says so', () => {
    const { evidence, verdict } = judge(
      'Der Kaffee kommt frisch aus der Mühle. Wir rösten ihn am Montag. Am Freitag steht er vor der Tür. Er schmeckt nach Nuss.',
    )
    expect(verdict).toBe('pass')
    expect(evidence[0]).toContain('does not look English')
  })

  test('a script without blanks between words is unknown', () => {
    expect(judge('这款咖啡研磨机非常好用。我们每天都在使用它。')).toMatchObject({ verdict: 'unknown', score: null })
  })
})
