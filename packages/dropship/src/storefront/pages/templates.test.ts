import { expect, test } from 'vitest'
import { templateEngine } from './templates.ts'

test('a page template is escaped, whichever filter it uses', async () => {
  const { page } = await templateEngine()
  expect(page('{{ a }} {{ a | raw }} {{ a | escape }}', { a: '<b>' })).toBe('&lt;b&gt; &lt;b&gt; &lt;b&gt;')
})

test.for([
  [
    'loops without end',
    '{% assign a = (1..1000) %}{% for i in a %}{% for j in a %}{% for k in a %}{% endfor %}{% endfor %}{% endfor %}',
  ],
  [
    'long chains of filters',
    `{% assign a = (1..1000) %}{% for i in a %}{% for j in a %}{{ 1${' | abs'.repeat(9000)} }}{% endfor %}{% endfor %}`,
  ],
  ['more memory than a page needs', '{% for i in (1..100000000) %}{% endfor %}'],
] as const)('a page template is stopped for %s', async ([, template]) => {
  const { page } = await templateEngine()
  expect(() => page(template, {})).toThrow(/limit exceeded/)
})
