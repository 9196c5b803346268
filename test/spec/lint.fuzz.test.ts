/** The linter on documents that nobody wrote: it never throws, and what it finds is in the file. */

import { propertyRuns } from '@myrmex/testing/long'
import { anyDocument, bigDocument, mutatedDocument } from '@myrmex/testing/spec/sample-documents'
import { withTimeLimit } from '@myrmex/testing/time-limit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LintFinding } from '../../packages/myrmex/src/spec/lint/finding.ts'
import { toJson, toSarif, toText } from '../../packages/myrmex/src/spec/lint/report.ts'
import { RULES } from '../../packages/myrmex/src/spec/lint/rules.ts'
import { lint, lintDocument } from '../../packages/myrmex/src/spec/lint.ts'
import { readDocument } from '../../packages/myrmex/src/spec/read.ts'

const seen = new Set<string>()
const NAMES = new Set(RULES.map(({ name }) => name))

function judge(markdown: string): void {
  const findings = lint('some file.md', markdown)
  const lines = markdown.split(/\r\n|\n|\r/)
  for (const finding of findings) holds(finding, lines)
  const text = toText(findings)
  expect(text.split('\n')).toHaveLength(findings.length + 1)
  expect(JSON.parse(toJson(findings)).findings).toHaveLength(findings.length)
  expect(JSON.parse(toSarif(findings, '1.0.0')).runs[0].results).toHaveLength(findings.length)
}

function holds({ line, column, rule, message, severity }: LintFinding, lines: readonly string[]): void {
  seen.add(rule)
  expect(NAMES).toContain(rule)
  expect(line).toBeGreaterThanOrEqual(1)
  expect(line, message).toBeLessThanOrEqual(lines.length)
  expect(column).toBeGreaterThanOrEqual(1)
  expect(column, `${rule}: ${message}`).toBeLessThanOrEqual((lines[line - 1] as string).length + 1)
  expect(['error', 'warning']).toContain(severity)
  expect(message).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|undefined|\[object [A-Z]/u)
}

/** A value for every place in which a document has JSON, hostile ones among them. */
const { json: someJson } = fc.letrec((tie) => {
  const words = ['type', 'properties', 'items', '$ref', 'required', 'enum', 'anyOf', '$defs', 'pattern', 'default']
  const others = [
    '__proto__',
    'constructor',
    'status',
    'data',
    'error',
    'error_type',
    'tool_name',
    'arguments',
    '$async',
  ]
  return {
    json: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(
        'object',
        'string',
        '#',
        '#/$defs/a',
        '(',
        '^(?=a)(a+)+$',
        '\u202e',
        'success',
        'failure',
      ),
      fc.constantFrom<unknown>(null, true, 0, -1, 1e300, [], {}),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...words, ...others), tie('json'), { maxKeys: 4 }),
    ),
  }
})

/** A document with other JSON in some of its blocks. */
const withOtherJson = (markdown: string): fc.Arbitrary<string> =>
  fc.array(fc.option(someJson, { nil: undefined }), { minLength: 4, maxLength: 4 }).map((values) => {
    let count = 0
    return markdown.replace(/^```json\n.*?^```$/gms, (block) => {
      const value = values[count++ % values.length]
      return value === undefined ? block : `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``
    })
  })

describe('on any document', () => {
  test('as somebody may write it', () => {
    fc.assert(fc.property(anyDocument(), judge), {
      numRuns: propertyRuns(20, 250),
      endOnFailure: true,
    })
  })

  test('broken in the ways that files break', () => {
    fc.assert(fc.property(anyDocument().chain(mutatedDocument), judge), {
      numRuns: propertyRuns(35, 500),
      endOnFailure: true,
    })
  })

  test('with any JSON in it', () => {
    fc.assert(fc.property(anyDocument().chain(withOtherJson), judge), {
      numRuns: propertyRuns(20, 250),
      endOnFailure: true,
    })
  })

  test('that is none', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), judge), { numRuns: propertyRuns(60, 200) })
  })

  test('most rules have had something to find', () => {
    // Chance does not write sentences that attack a model.
    const byChance = RULES.filter(({ summary }) => !summary.startsWith('A text '))
    expect(seen.size).toBeGreaterThan(byChance.length / 2)
  })
})

test('a document of one megabyte is read and linted', () => {
  const markdown = bigDocument(1_000_000)
  const lines = markdown.split('\n')
  const { document, findings } = withTimeLimit(
    1000,
    () => {
      const document = readDocument(markdown)
      return { document, findings: lintDocument(document, 'big.md', lines) }
    },
    3,
  )
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(document.tools.length).toBeGreaterThan(100)
})
