import { describe, expect, test } from 'vitest'
import { readDocument } from '../read.ts'
import type { LintFinding } from './finding.ts'
import { toJson, toSarif, toText } from './report.ts'
import { RULES } from './rules.ts'

const FINDINGS: LintFinding[] = [
  {
    file: 'docs/a b#1.md',
    line: 3,
    column: 1,
    rule: 'missing-version',
    severity: 'error',
    message: 'no version.',
    tool: 'a.b',
  },
  { file: 'docs/ä.md', line: 7, column: 5, rule: 'json-relaxed', severity: 'warning', message: 'a comma.' },
]

test('text is a line for each finding, with nothing hidden in the name of a file', () => {
  expect(toText(FINDINGS)).toBe('docs/a b#1.md:3: missing-version: no version.\ndocs/ä.md:7: json-relaxed: a comma.\n')
  expect(toText([{ ...(FINDINGS[0] as LintFinding), file: 'a\u001b[31m\n\u202e.md' }])).toBe(
    'a\\u{1b}[31m\\n\\u{202e}.md:3: missing-version: no version.\n',
  )
  expect(toText([])).toBe('')
})

const TABLE = '| Parameter | Type | Required |\n|-|-|-|\n| `city` | string | Yes |\n'

test('JSON counts, and names files without findings, too', () => {
  const documents = ['docs/a b#1.md', 'docs/ä.md', 'fine.md'].map((file) => ({ file, document: readDocument('') }))
  expect(JSON.parse(toJson(FINDINGS, documents))).toEqual({
    files: ['docs/a b#1.md', 'docs/ä.md', 'fine.md'],
    tools: [],
    withoutTools: [],
    findings: FINDINGS,
    errors: 1,
    warnings: 1,
  })
  expect(JSON.parse(toJson([]))).toMatchObject({ files: [], findings: [], errors: 0, warnings: 0 })
})

test('JSON lists the tools that were found, with what was found for each, and the documents that say they have none', () => {
  const tools = `# Tools\n\n- \`get_rain\`: Wets.\n\n## \`get_wind\`\n\nTells.\n\n${TABLE}\n**Returns**: \`speed\`\n`
  const texts = { 'a.md': tools, 'b.md': '## Tool: `[ToolName]`\n', 'c.md': '# C\n\nNo MCP tools are defined.\n' }
  const documents = Object.entries(texts).map(([file, text]) => ({ file, document: readDocument(text) }))
  expect(JSON.parse(toJson([], documents))).toMatchObject({
    tools: [
      { file: 'a.md', name: 'get_rain', line: 3, column: 3, origin: 'listing', found: ['description'] },
      {
        file: 'a.md',
        name: 'get_wind',
        line: 5,
        column: 1,
        origin: 'section',
        template: false,
        found: ['description', 'parameters', 'resultFields'],
      },
      { file: 'b.md', name: '[ToolName]', line: 1, origin: 'section', template: true, found: [] },
    ],
    withoutTools: [{ file: 'c.md', line: 3, column: 1 }],
  })
})

describe('SARIF', () => {
  const { runs, ...log } = JSON.parse(toSarif(FINDINGS, '0.1.0'))
  const [{ tool, results, ...run }] = runs

  test('is a log of one run of one tool', () => {
    expect(log).toEqual({
      $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
    })
    expect(runs).toHaveLength(1)
    expect(run).toEqual({ columnKind: 'utf16CodeUnits' })
    expect(tool.driver).toMatchObject({ name: 'myrmex', semanticVersion: '0.1.0' })
  })

  test('has every rule, each once, with a text and a level', () => {
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(RULES.map(({ name }) => name))
    expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length)
    for (const [index, { name, severity, summary }] of RULES.entries()) {
      expect(tool.driver.rules[index]).toEqual({
        id: name,
        shortDescription: { text: summary },
        fullDescription: { text: summary },
        help: { text: expect.stringContaining(summary), markdown: expect.stringContaining(`docs/rules/${name}.md`) },
        defaultConfiguration: { level: severity },
      })
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(summary).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('has each finding with its rule, level and place', () => {
    expect(results).toEqual([
      {
        ruleId: 'missing-version',
        ruleIndex: RULES.findIndex(({ name }) => name === 'missing-version'),
        level: 'error',
        message: { text: 'no version.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'docs/a%20b%231.md' },
              region: { startLine: 3, startColumn: 1 },
            },
          },
        ],
      },
      expect.objectContaining({
        ruleId: 'json-relaxed',
        level: 'warning',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'docs/%C3%A4.md' },
              region: { startLine: 7, startColumn: 5 },
            },
          },
        ],
      }),
    ])
  })

  test.each([
    ['a/../b.md', 'a/../b.md'],
    ['/srv/a b.md', 'file:///srv/a%20b.md'],
    ['docs\\b.md', 'docs/b.md'],
    ['C:\\docs\\b.md', 'file:///C%3A/docs/b.md'],
    ['c:d.md', 'c%3Ad.md'],
    ['100%.md', '100%25.md'],
    ['\ud800.md', '%EF%BF%BD.md'],
  ])('the file %j is %s', (file, uri) => {
    const finding = { ...(FINDINGS[0] as LintFinding), file }
    const [result] = JSON.parse(toSarif([finding], '0.1.0')).runs[0].results
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe(uri)
  })

  test('is the same text for the same findings', () => {
    expect(toSarif(FINDINGS, '0.1.0')).toBe(toSarif(structuredClone(FINDINGS), '0.1.0'))
  })
})
