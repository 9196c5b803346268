/** Documents that were written to take long: every form of a tool, thousands of times, and forms that never end. */
import { LONG } from '@myrmex/testing/long'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'
import { importTools } from '../import.ts'
import { lint } from '../lint.ts'
import { readDocument } from '../read.ts'

/** The long form has ten times as many. */
const many = (count: number): number => (LONG ? count : Math.ceil(count / 10))

const TABLE = '| Parameter | Type | Required | Description |\n|-|-|-|-|\n'
const each = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('')
const fenced = (language: string, text: string): string => `# Tools\n\n\`\`\`${language}\n${text}\n\`\`\`\n`

/** `count`: how many tools are found; undefined: the number is of no interest */
const DOCUMENTS: [name: string, markdown: string, count?: number][] = [
  ['headings of one name', `# Tools\n\n${'## `a_b`\n\n'.repeat(many(1500))}`, many(1500)],
  ['headings below each other', `# Tools\n\n${'## a_b\n### c_d\n#### e_f\n##### g_h\n###### i_j\n'.repeat(many(300))}`],
  ['sections of one tool', `# Tools\n\n## a_b\n\n${'### Parameters\n\n'.repeat(many(2000))}`, 1],
  ['labels', `# Tools\n\n${'**get_a**\n\n'.repeat(many(1500))}`],
  [
    'rows',
    `# Tools\n\n| Tool | Parameters |\n|-|-|\n${each(many(1500), (n) => `| a_b${n} | \`a: str\` |\n`)}`,
    many(1500),
  ],
  [
    'items',
    `# Tools\n\n${each(many(1000), (n) => `- **a_b${n}**: x\n  - Inputs:\n    - \`c\` (string): d\n`)}`,
    many(1000),
  ],
  ['nested items', `# Tools\n\n${each(90, (n) => `${'  '.repeat(n)}- \`a_b\`:\n`)}`],
  ['names in a line', `# Tools\n\n${'`a_b`, '.repeat(many(3000))}\n`],
  ['fields in a sentence', `## Tool: \`a_b\`\n\n**Returns**: with ${'`a_b` (int), '.repeat(many(2000))}\n`, 1],
  ['brackets in a type', `## Tool: \`a.b\`\n\n${TABLE}| x | ${'["'.repeat(many(20_000))} | Yes | d |\n`, 1],
  [
    'defaults in a description',
    `## Tool: \`a.b\`\n\n${TABLE}| x | string | Yes | ${'default `'.repeat(many(20_000))} |\n`,
    1,
  ],
  [
    'ranges in a description',
    `## Tool: \`a.b\`\n\n${TABLE}| x | integer | Yes | ${'from 1 to '.repeat(many(20_000))} |\n`,
    1,
  ],
  ['torn cells', `## Tool: \`a.b\`\n\n${TABLE}| ${'`a | '.repeat(many(5000))}\n`, 1],
  ['paths', `## Tool: \`a.b\`\n\n${TABLE}${each(many(2000), (n) => `| x.y.z[].a${n} | int | Yes | d |\n`)}`, 1],
  ['a signature', `# Tools\n\n### \`a_b(${'a: str = "x", '.repeat(many(5000))})\`\n`],
  [
    'definitions',
    `# Tools\n\n${'```json\n{"name": "a_b", "parameters": {"type": "object"}}\n```\n\n'.repeat(many(500))}`,
  ],
  [
    'one block of definitions',
    fenced('json', `[${'{"name": "a_b", "parameters": {"type": "object"}},'.repeat(many(3000))}1]`),
  ],
  ['names in a block', fenced('json', `{${'"name": "x", '.repeat(many(20_000))}"y": 1}`), 0],
  ['decorators', fenced('python', '@tool\n'.repeat(many(10_000))), 0],
  ['blanks after a decorator', fenced('python', `@tool\n${' '.repeat(many(100_000))}`), 0],
  ['blanks in YAML', fenced('yaml', `name: a\ndescription: ${' '.repeat(many(100_000))}\nparameters:`)],
  ['sentences about tools', `# X\n\n${`${'tools '.repeat(160)}:\n\n- a\n\n`.repeat(many(300))}`, 0],
  ['sentences about none', `# X\n\n${`${'does not expose no '.repeat(50)}\n\n`.repeat(many(300))}`, 0],
  ['labels after sentences', `## Tool: \`a.b\`\n\n${'a. **Returns**: b. '.repeat(many(3000))}\n`, 1],
  ['a shape', `## Tool: \`a.b\`\n\n**Returns**: \`{${'{a: '.repeat(many(20_000))}\`\n`, 1],
  ['open brackets', `## Tool: \`a.b\`\n\n### Parameters\n\n${'- `a` (b\n'.repeat(many(3000))}`, 1],
  [
    'a sample',
    `## Tool: \`a.b\`\n\n### Returns\n\n\`\`\`json\n{"a": [${'{"b": 1},'.repeat(many(20_000))}1]}\n\`\`\`\n`,
    1,
  ],
  ['words of a heading', `# Tools\n\n## ${'a_b '.repeat(many(50_000))}\n`, 0],
]

test.each(DOCUMENTS)('%s are read, linted and imported', (_, markdown, count) => {
  const { tools } = withTimeLimit(2000, () => readDocument(markdown))
  if (count !== undefined) expect(tools).toHaveLength(count)
  const lines = markdown.split('\n')
  for (const { line, column } of withTimeLimit(5000, () => lint('a.md', markdown))) {
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeLessThanOrEqual((lines[line - 1] as string).length + 1)
  }
  if (tools.length > 0) withTimeLimit(5000, () => importTools(readDocument(markdown), 'a.md'))
})
