import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'

const judge = (output: string, facts?: unknown) =>
  critiqueByRules({ task: '', output, criteria: ['persuasiveness'], facts }).judgements[0] as NonNullable<
    ReturnType<typeof critiqueByRules>['judgements'][0]
  >

const PAIRS = [
  [
    'a coffee grinder',
    'You taste the difference in the first cup. The steel burrs give you 40 grind settings, and 1,287 buyers rated them 4.8 of 5. Keep it for 24 months on our warranty. Order before noon and you brew with it on Friday.',
    'This amazing, revolutionary grinder is the ultimate game changer! It is incredible and simply perfect! It was designed to be the best. Coffee will be taken to the next level!',
  ],
  [
    'a rain jacket',
    'Stay dry for 10 hours: that is what the lab test measured. Your jacket weighs 180 g and fits your pocket. If it leaks within 5 years you get your money back. Choose your size today.',
    'The jacket is made by a company. It is produced in a factory. Jackets are worn in rain. There is a zip. It is stunning and unparalleled.',
  ],
  [
    'a book-keeping service',
    'You save 6 hours a month, because invoices are matched while you sleep. 412 owners gave it 4.6 stars. Try it for 30 days, then decide.',
    'A seamless, cutting edge, state of the art, world class solution is provided. Synergy is unleashed! Paradigms are shifted! Accounting is elevated like never before!',
  ],
] as const

describe('persuasiveness', () => {
  test.each(PAIRS)('tells substance from hype about %s', (_subject, substance, hype) => {
    const [good, bad] = [judge(substance), judge(hype)]
    expect(good.verdict).toBe('pass')
    expect(bad.verdict).toBe('fail')
    expect((good.score as number) - (bad.score as number)).toBeGreaterThan(0.5)
  })

  test('gives each check its points and its evidence', () => {
    const { evidence } = judge(PAIRS[0][1])
    expect(evidence.map((line) => line.split(' ')[0])).toEqual([
      'reader',
      'benefit',
      'specifics',
      'action',
      'proof',
      'active',
      'restraint',
    ])
    expect(evidence[3]).toBe('action 0.15 of 0.15: “Order before noon and you brew with it on Friday.”.')
  })

  test.each([
    ['specifics', 'The jar keeps coffee fresh.', 'The jar keeps 250 g fresh for 6 weeks.'],
    ['action', 'The jar keeps coffee fresh.', 'The jar keeps coffee fresh. Order yours today.'],
    ['proof', 'The jar keeps coffee fresh.', 'The jar keeps coffee fresh, and 93 of 100 testers rated it good.'],
    ['restraint', 'The amazing jar is the ultimate must have!', 'The jar keeps coffee fresh.'],
    ['reader', 'The jar keeps coffee fresh.', 'The jar keeps your coffee fresh.'],
    ['active', 'Coffee is kept fresh by the jar.', 'The jar keeps coffee fresh.'],
  ])('%s makes a difference', (check, without, having) => {
    const points = (text: string) =>
      Number(
        judge(text)
          .evidence.find((line) => line.startsWith(check))
          ?.split(' ')[1],
      )
    expect(points(having)).toBeGreaterThan(points(without))
    expect(judge(having).score as number).toBeGreaterThan(judge(without).score as number)
  })

  test('names from the facts are specifics', () => {
    const text = 'The beans come from Huila.'
    expect(judge(text, { region: 'Huila' }).score as number).toBeGreaterThan(judge(text).score as number)
  })

  test('a text in another language is unknown, not bad', () => {
    const text =
      'Der Kaffee kommt frisch aus der Mühle. Wir rösten ihn am Montag. Am Freitag steht er vor der Tür. Er schmeckt gut.'
    expect(judge(text)).toMatchObject({ verdict: 'unknown', score: null })
  })
})
