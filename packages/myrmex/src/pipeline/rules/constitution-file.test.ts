/** The constitution as a file: what it may say, and how it is refused where it says something else. */
import { readFileSync } from 'node:fs'
import { countedTool } from '@myrmex/testing/gated-server'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import schemaFile from '../../../schema/myrmex.constitution.schema.json' with { type: 'json' }
import { ToolError } from '../../protocol/errors.ts'
import { compileSchema } from '../../protocol/schema.ts'
import { periodAt } from './article/quota.ts'
import { articlesFor, EMPTY_CONSTITUTION, parseConstitution } from './constitution.ts'
import { constitutionJsonSchema } from './constitution-schema.ts'

const EXAMPLE = JSON.parse(
  readFileSync(new URL('../../../../../examples/constitution.example.json', import.meta.url), 'utf8'),
)

const refusal = (constitution: unknown): string => {
  try {
    parseConstitution(constitution)
  } catch (error) {
    expect(error).toBeInstanceOf(ToolError)
    expect((error as ToolError).error_type).toBe('ValidationError')
    return (error as Error).message
  }
  throw new Error(`taken for valid: ${JSON.stringify(constitution)}`)
}

describe('a constitution', () => {
  const article = (change: object) => ({ articles: [{ name: 'a', text: 'So.', tools: ['*'], ...change }] })
  const fact = { tool: 'a.b', path: '/n' }

  test('is read whole, with what it leaves out filled in', () => {
    expect(parseConstitution(EXAMPLE).articles).toHaveLength(5)
    expect(parseConstitution({})).toEqual(EMPTY_CONSTITUTION)
    expect(parseConstitution(article({ only_if: [{ fact, above: 1 }] })).articles[0]?.only_if?.[0]?.fact).toEqual({
      ...fact,
      arguments: {},
    })
  })

  test.each<[string, unknown, RegExp]>([
    ['no object', 7, /^The constitution is not valid\. the whole is 7/],
    ['a typo at the top', { article: [] }, /\/article is not known here\. Did you mean articles\?/],
    [
      'a typo in an article',
      article({ forbit: [] }),
      /\/articles\/0\/forbit is not known here\. Did you mean forbid\?/,
    ],
    [
      'a typo in a ceiling',
      article({ at_most: { argument: '/x', amount: 1, per: 'day', inall: true } }),
      /\/articles\/0\/at_most\/inall .* mean in_all\?/,
    ],
    [
      'a typo in a fact',
      article({ only_if: [{ fact: { ...fact, tol: 'x' }, above: 1 }] }),
      /\/articles\/0\/only_if\/0\/fact\/tol .* mean tool\?/,
    ],
    ['nothing that it demands', article({}), /\/articles\/0 is .*must demand something: ask, forbid, at_most, only_if/],
    ['no text', { articles: [{ name: 'a', tools: ['*'], ask: [] }] }, /\/articles\/0\/text is missing/],
    ['no conditions', article({ ask: [] }), /\/articles\/0\/ask/],
    ['a condition that says nothing', article({ ask: [{ argument: '/x' }] }), /must have an operator/],
    ['a pattern that is none', article({ tools: ['Shop*'], ask: [] }), /must be module\.tool/],
    ['a span of time nobody knows', article({ at_most: { argument: '/x', amount: 1, per: 'week' } }), /per is "week"/],
    ['less than nothing', article({ at_most: { argument: '/x', amount: -1, per: 'day' } }), /amount is -1/],
    ['a fact without a bound', article({ only_if: [{ fact }] }), /must have a bound for the fact/],
    ['a fact of many tools', article({ only_if: [{ fact: { ...fact, tool: 'a.*' }, above: 1 }] }), /canonical name/],
    [
      'a path that is none',
      article({ only_if: [{ fact: { ...fact, path: 'n' }, above: 1 }] }),
      /JSON pointer, such as \/rate/,
    ],
    ['a time zone that is none', { time_zone: 'Mars/Olympus' }, /must be a time zone, such as UTC/],
    [
      'two articles of one name',
      {
        articles: [
          ...article({ ask: [{ argument: '', present: true }] }).articles,
          { ...EXAMPLE.articles[0], name: 'A' },
        ],
      },
      /\/articles\/1\/name is "A": is there twice/,
    ],
  ])('is refused with %s', (_what, constitution, message) => {
    expect(refusal(constitution)).toMatch(message)
  })

  test('of any shape is read or refused with words', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('articles', 'time_zone', '__proto__'), (value, key) => {
        for (const one of [value, JSON.parse(`{"${key}":${JSON.stringify(value)}}`), { articles: [value] }]) {
          try {
            parseConstitution(one)
          } catch (error) {
            expect(error).toMatchObject({ error_type: 'ValidationError' })
          }
        }
      }),
    )
  })
})

describe('the JSON Schema for editors', () => {
  test('is what the schema gives; scripts/json-schemas.ts writes it', () => {
    expect(schemaFile).toEqual(JSON.parse(JSON.stringify(constitutionJsonSchema())))
  })

  test('takes the example, and refuses what reading refuses', () => {
    const { parse } = compileSchema(JSON.parse(JSON.stringify(schemaFile)), 'input')
    expect(parse(EXAMPLE)).toMatchObject({ success: true })
    expect(parse({ articles: [{ name: 'a', text: 'So.', tools: ['*'] }] })).toMatchObject({ success: false })
  })

  test('says of every field what it does', () => {
    const silent: string[] = []
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, field] of Object.entries((node as { properties?: object }).properties ?? {})) {
        if (typeof field.description !== 'string') silent.push(`${path}/${name}`)
      }
      for (const [name, child] of Object.entries(node)) visit(child, `${path}/${name}`)
    }
    visit(schemaFile, '')
    expect(silent).toEqual([])
  })
})

test('a tool has only the articles that are about it, and they are made once', () => {
  const constitution = parseConstitution(EXAMPLE)
  const { tool } = countedTool('marketing.write_copy')
  const names = (name: string) => articlesFor(constitution, countedTool(name).tool).map((one) => one.name)
  expect(articlesFor(constitution, tool)).toBe(articlesFor(constitution, tool))
  expect(names('marketing.write_copy')).toEqual(['confidence'])
  expect(names('store.accept_order')).toEqual(['refunds', 'confidence'])
  expect(articlesFor(EMPTY_CONSTITUTION, tool)).toEqual([])
})

test.each([
  ['2026-03-29T00:30:00Z', 'day', 'UTC', '2026-03-29'],
  ['2026-12-31T23:30:00Z', 'month', 'UTC', '2026-12'],
  ['2026-12-31T23:30:00Z', 'month', 'Europe/Berlin', '2027-01'],
  ['2026-07-01T03:59:00Z', 'day', 'America/New_York', '2026-06-30'],
  ['2026-07-01T04:00:00Z', 'day', 'America/New_York', '2026-07-01'],
  ['2026-07-28T12:00:00Z', 'ever', 'UTC', ''],
] as const)('%s is, as a %s in %s, %j', (time, per, zone, period) => {
  expect(periodAt(Date.parse(time), per, zone)).toBe(period)
})
