import { describe, expect, test } from 'vitest'
import { critiqueByRules } from '../critique.ts'

const judge = (output: unknown, given: object = {}) =>
  critiqueByRules({ task: '', output, criteria: [{ name: 'completeness', ...given }] }).judgements[0]

describe('completeness', () => {
  test.each([
    [
      'a product page',
      { title: 'Steel jar', price: 12, images: ['a.png'] },
      { title: 'Lorem ipsum', price: 12, images: [] },
    ],
    [
      'a reply',
      { to: 'Ann', text: 'Dear Ann, it is on its way.' },
      { to: '', text: 'Dear {{name}}, it is on its way.' },
    ],
    ['a campaign', { platform: 'tiktok', budget: 20 }, { platform: 'TBD', budget: null }],
  ])('tells %s that is finished from one that is not', (_what, done, open) => {
    const required = Object.keys(done)
    expect(judge(done, { required })).toMatchObject({ score: 1, verdict: 'pass', suggestion: null })
    const bad = judge(open, { required })
    expect(bad?.verdict).toBe('fail')
    expect(bad?.score).toBeLessThan(0.7)
  })

  test('says of each required field what is wrong', () => {
    const output = { a: null, b: ' ', c: { d: 'TODO' }, e: 0, f: false }
    expect(judge(output, { required: ['a', '/b', 'c', 'e', 'f', '/g/0'] })).toMatchObject({
      score: 0.333,
      evidence: [
        '/a: it is empty.',
        '/b: it is empty.',
        '/c/d: it still has the placeholder “TODO”.',
        '/g/0: it is missing.',
      ],
      suggestion: 'Fill in “/a”, “/b”, “/c/d” and “/g/0”.',
    })
  })

  test.each([
    'TODO: write this',
    'Lorem ipsum dolor',
    'Dear {{ customer.name }},',
    'Dear {first_name},',
    'Hello $'.concat('{name}'),
    'Hello %NAME%',
    'Call [your company name]',
    'Call [Company Name]',
    '<insert price>',
    'Insert text here',
    'costs $undefined',
    'Dear undefined,',
    'NaN euros',
    '[object Object]',
    '<img alt="{{ title }}"> A jar',
    'Name: ____',
    'N/A',
    '...',
    'T\u200bODO',
    'ＴＯＤＯ',
  ])('finds the placeholder in %j', (text) => {
    expect(judge(text)).toMatchObject({ score: 0, verdict: 'fail' })
  })

  test.each([
    'Todo el mundo bebe café.',
    'The behaviour is undefined.',
    'See [1] and {a, b}.',
    'Use 5 % more, then 10 % less.',
    'A test of the Foo Fighters.',
    'snake_case and __init__',
    'He said [sic] it.',
    '<p>A jar</p><script>const {name} = jar</script>',
    'if (a < b) { return }',
  ])('lets %j be', (text) => {
    expect(judge(text)?.verdict).toBe('pass')
  })

  test('one placeholder among many texts asks for revision', () => {
    expect(judge({ a: 'One.', b: 'Two.', c: 'TBD' })).toMatchObject({ score: 0.667, verdict: 'revise' })
    expect(judge({ a: 'One.', c: 'TBD' }, { required: ['a'] })).toMatchObject({ score: 0.5, verdict: 'revise' })
  })

  test('a template may keep its placeholders', () => {
    const output = { html: '<p>Jar</p>', template: '<p>{{ title }}</p>' }
    expect(judge(output)?.verdict).toBe('revise')
    expect(judge(output, { except: ['template'] })?.verdict).toBe('pass')
    expect(judge(output, { required: ['html', 'template'], except: ['/template'] })?.verdict).toBe('pass')
  })
})
