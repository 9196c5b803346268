import { propertyRuns } from '@myrmex/testing/long'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CRITERIA } from './criteria/registry.ts'
import { critiqueByRules } from './critique.ts'
import { type CritiqueRequest, VerdictSchema } from './verdict.ts'

const RUNS = propertyRuns(20, 2000)
const ALL: CritiqueRequest['criteria'] = [...CRITERIA.keys()].map((name) =>
  name === 'keyword_coverage' ? { name, keywords: ['coffee', 'cold brew'] } : name,
)
const critique = (request: Partial<CritiqueRequest>) =>
  critiqueByRules({ task: 'Write an ad', output: 'You save 5 euros.', criteria: [], ...request })

describe('the decision', () => {
  const good = 'You get fresh coffee every week. Order it today.'

  test('is pass when every criterion passes, with the mean of the scores', () => {
    const verdict = critique({ output: good, criteria: ['clarity', 'policy', 'completeness'] })
    expect(verdict).toMatchObject({ verdict: 'pass', score: 1 })
    expect(verdict.judgements.map(({ criterion }) => criterion)).toEqual(['clarity', 'policy', 'completeness'])
  })

  test('is fail when one fails, whatever the others say', () => {
    const verdict = critique({ output: good, criteria: ['clarity', { name: 'policy', forbid: ['coffee'] }] })
    expect(verdict).toMatchObject({ verdict: 'fail', score: 0.75 })
    expect(verdict.summary).toBe('fail, by 2 criteria (fail: policy; pass: clarity).')
  })

  test('weighs the scores where weights are given', () => {
    const policy = { name: 'policy', forbid: ['coffee'], weight: 3 }
    expect(critique({ output: good, criteria: ['clarity', policy] }).score).toBe(0.625)
    expect(critique({ output: good, criteria: [{ name: 'clarity', weight: 0 }, policy] }).score).toBe(0.5)
  })

  test('takes an unknown criterion for unknown and never for passed', () => {
    const verdict = critique({ output: good, criteria: ['clarity', 'clarty'] })
    expect(verdict).toMatchObject({ verdict: 'revise', score: 1 })
    expect(verdict.judgements[1]).toMatchObject({ criterion: 'clarty', score: null, verdict: 'unknown' })
    const evidence = verdict.judgements[1]?.evidence.join() ?? ''
    for (const name of CRITERIA.keys()) expect(evidence).toContain(name)
    expect(evidence).toContain('the nearest is clarity')
  })

  test('knows a criterion however its name is written', () => {
    const { judgements } = critique({ criteria: [{ name: ' Keyword-Coverage', keywords: ['euro'] }, 'CLARITY'] })
    expect(judgements.map(({ criterion, verdict }) => [criterion, verdict])).toEqual([
      ['keyword_coverage', 'pass'],
      ['clarity', 'pass'],
    ])
  })

  test.each([undefined, null, '', ' \n\t', '\u200b\u2060', {}, []])('fails the empty output %j', (output) => {
    for (const criterion of ALL) {
      expect(critique({ output, criteria: [criterion] }).judgements[0]).toMatchObject({ verdict: 'fail', score: 0 })
    }
    expect(critique({ output, criteria: ['sparkle'] })).toMatchObject({ verdict: 'fail', score: 0 })
  })

  test('looks at completeness where no criterion was given, and says so', () => {
    expect(critique({ output: { title: 'TODO' } })).toMatchObject({
      verdict: 'fail',
      judgements: [{ criterion: 'completeness' }],
      summary: expect.stringContaining('No criteria were given'),
    })
  })
})

describe('parameters', () => {
  test.each([
    [{ name: 'length', min_words: 'x' }, 'min_words must be a whole number from 0; it was “x”.'],
    [{ name: 'length', max_word: 3 }, 'There is no parameter “max_word”; the nearest is max_words'],
    [{ name: 'length', min_words: 9, max_words: 3 }, 'no text can be both'],
    [{ name: 'policy', forbid: 'free' }, 'forbid must be a list'],
    [{ name: 'policy', forbid: [''] }, 'forbid must be a list'],
    [{ name: 'policy', forbid: ['\u200b'] }, 'forbid must be a list'],
    [{ name: 'clarity', path: 'headline' }, 'path must be a JSON pointer'],
    [{ name: 'clarity', weight: -1 }, 'weight must be a number from 0 to 1000'],
    [{ name: 'keyword_coverage' }, 'No keywords were given.'],
    [{ name: 'completeness', required: ['a'] }, 'has no fields'],
  ])('that are wrong are said: %j', (criterion, says) => {
    const verdict = critique({ criteria: [criterion] })
    expect(verdict).toMatchObject({ verdict: 'revise', judgements: [{ score: null, verdict: 'unknown' }] })
    expect(verdict.judgements[0]?.evidence.join()).toContain(says)
  })

  test('may carry a reason for people', () => {
    expect(critique({ criteria: [{ name: 'clarity', why: 'for beginners', description: 'x' }] }).verdict).toBe('pass')
  })
})

describe('the places of data', () => {
  const output = { id: 'copy_17', variants: [{ text: 'You save time.' }, { text: 'Buy {{name}} now.' }], count: 2 }

  test('are named in the evidence', () => {
    const [judgement] = critique({ output, criteria: ['completeness'] }).judgements
    expect(judgement?.evidence).toEqual(['/variants/1/text: it still has the placeholder “{{name}}”.'])
  })

  test('can be chosen by a pointer', () => {
    const at = (path: string) => critique({ output, criteria: [{ name: 'completeness', path }] }).judgements[0]
    expect(at('/variants/0')?.verdict).toBe('pass')
    expect(at('/variants/1/text')?.verdict).toBe('fail')
  })

  test('that are not there are a failure which names what is', () => {
    const [judgement] = critique({ output, criteria: [{ name: 'clarity', path: '/headline' }] }).judgements
    expect(judgement).toMatchObject({ verdict: 'fail', score: 0 })
    expect(judgement?.evidence[0]).toContain('nothing at “/headline”; the output has “id”, “variants” and “count”')
  })

  test('without a text leave criteria for texts unknown', () => {
    for (const name of ['clarity', 'persuasiveness', 'length']) {
      expect(critique({ output: { id: 'a_1', count: 2 }, criteria: [name] }).judgements[0]?.verdict).toBe('unknown')
    }
  })

  test('are labels where they hold a single word', () => {
    const output = { channel: 'email', tone: 'amazing', text: 'The jar keeps coffee fresh.' }
    const [judgement] = critique({ output, criteria: ['persuasiveness'] }).judgements
    expect(judgement?.evidence.join()).not.toMatch(/“email”|“amazing”/)
  })

  test('include names that are written to be read', () => {
    const criteria = [{ name: 'policy', forbid: ['free'] }]
    expect(critique({ output: { 'Is it free?': 'No.' }, criteria }).verdict).toBe('fail')
    expect(critique({ output: { free: 'No.' }, criteria }).verdict).toBe('pass')
  })
})

describe('whatever it is given', () => {
  const criterion = fc.oneof(
    fc.constantFrom(...CRITERIA.keys(), 'sparkle', ''),
    fc.record(
      {
        name: fc.constantFrom(...CRITERIA.keys()),
        path: fc.oneof(fc.constant(''), fc.constant('/a'), fc.jsonValue()),
        keywords: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
        forbid: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
        min_words: fc.jsonValue(),
        weight: fc.oneof(fc.constant(1), fc.jsonValue()),
      },
      { requiredKeys: ['name'] },
    ),
  )
  const output = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.lorem({ mode: 'sentences' }))

  test('it answers a verdict of the schema, with short evidence on single lines', () => {
    fc.assert(
      fc.property(
        output,
        fc.jsonValue(),
        fc.array(criterion, { maxLength: 5 }),
        fc.string(),
        (output, facts, criteria, task) => {
          const verdict = critiqueByRules({ task, output, facts, criteria: criteria as CritiqueRequest['criteria'] })
          expect(VerdictSchema.safeParse(verdict).error).toBeUndefined()
          const says = verdict.judgements.flatMap(({ evidence, suggestion }) => [...evidence, suggestion ?? ''])
          for (const line of [...says, verdict.summary]) {
            expect(line).toMatch(/^\P{Cc}*$/u)
            expect(line.length).toBeLessThan(900)
          }
          for (const { evidence, verdict: one, suggestion } of verdict.judgements) {
            expect(evidence.length).toBeLessThanOrEqual(11)
            expect(suggestion === null).toBe(one === 'pass')
          }
        },
      ),
      { numRuns: RUNS },
    )
  })

  test('the order of the criteria does not matter', () => {
    fc.assert(
      fc.property(output, fc.shuffledSubarray(ALL, { minLength: 2 }), (output, criteria) => {
        const facts = { price: 5 }
        const one = critique({ output, criteria, facts })
        const other = critique({ output, criteria: criteria.toReversed(), facts })
        expect(other).toEqual({ ...one, judgements: one.judgements.toReversed() })
      }),
      { numRuns: RUNS },
    )
  })

  test('criteria that are no criteria are unknown', () => {
    const criteria = [null, 7, [], { title: 'x' }] as unknown as CritiqueRequest['criteria']
    expect(critique({ criteria })).toMatchObject({
      verdict: 'revise',
      judgements: Array(4).fill({ verdict: 'unknown' }),
    })
  })

  test('depth, cycles and shared parts are no trouble', () => {
    let deep: unknown = 'You save 7 euros {{here}}.'
    for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { deep }
    const cycle: Record<string, unknown> = { text: 'You save time.' }
    cycle.self = cycle
    expect(critique({ output: deep, criteria: ALL, facts: deep }).verdict).toBe('fail')
    expect(critique({ output: cycle, criteria: ['clarity', 'completeness'] }).verdict).toBe('pass')
  })

  test('control characters are written out, never repeated', () => {
    const says = JSON.stringify(
      critique({ output: 'TODO \u001b[31m\u202e{{\u0007}}', criteria: [...ALL, '\u001b[2J'] }),
    )
    expect(says).not.toMatch(/\\u001b\[|\\u0007"|\u202e/)
    expect(says).toContain('u{1b}')
  })
})

describe('a long text', () => {
  const filled = (text: string, size: number) => text.repeat(Math.ceil(size / text.length))
  const sentence = 'You keep 250 g fresh for 4 weeks in the Aurora jar, rated 4.8 on 4 March 2026 by 1,287 buyers. '

  function critiqueWithinSecond(output: string): void {
    const criteria = ALL.map((one) => (one === 'policy' ? { name: one, forbid: ['free', 'guarant*'] } : one))
    withTimeLimit(1000, () => critique({ output, criteria, facts: { name: 'Aurora', grams: 250 } }), 5)
  }

  test('of a megabyte is judged by all criteria', () => {
    critiqueWithinSecond(filled(sentence, 2 ** 20))
  }, 60_000)

  // Anything that grew with the square would take minutes.
  test.each([
    ...['.', '0', '1 ', '1,', '<', '<a', '<!--', '{{', '[your ', '"', 'a-', 'f r e e ', 'is very ', '4 March '],
    ...[
      'a@',
      'a@b.c',
      '+1111111111111111111111x ',
      'DE89 3704 ',
      '\u0316\u0301\u0323',
      '\ufdfa',
      '\u200b',
      '٣',
      '👩‍👧',
    ],
  ])(
    'made of %j to trip a pattern is judged in linear time',
    (text) => {
      critiqueWithinSecond(`${filled(text, 2 ** 17)}x`)
    },
    60_000,
  )
})
