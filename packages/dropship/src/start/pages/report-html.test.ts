import { expect, test } from 'vitest'
import { reportHtml } from './report-html.ts'

test('headings, tables, lists and fences become HTML, and the page keeps its own heading', () => {
  const text =
    '# Report\n\n| in EUR | now |\n| --- | ---: |\n| **Profit** | 1.00 |\n\n## Waiting\n\n- one\n- two\n\n```text\na < b\n```'
  expect(reportHtml(text)).toBe(
    [
      '<div class="scroll" tabindex="0"><table><thead><tr><th>in EUR</th><th class="number">now</th></tr></thead>' +
        '<tbody><tr><td><strong>Profit</strong></td><td class="number">1.00</td></tr></tbody></table></div>',
      '<h2>Waiting</h2>',
      '<ul><li>one</li><li>two</li></ul>',
      '<pre tabindex="0">a &lt; b</pre>',
    ].join('\n'),
  )
})

test('what data says stays text: tags, bars, stars and quotes', () => {
  const html = reportHtml(
    '| a |\n| --- |\n| <img src=x> \\| \\*\\*x\\*\\* cmp\\_1 \\<b\\> |\n\n<script>alert(1)</script>',
  )
  expect(html).toContain('<td>&lt;img src=x&gt; | **x** cmp_1 &lt;b&gt;</td>')
  expect(html).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
})
