/** Somebody's YAML file, and one entry in it that is ours. */
import { propertyRuns } from '@myrmex/testing/long'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { setMapping } from './edit-yaml.ts'
import { readYaml } from './read-yaml.ts'

const OURS = { enabled: true, cmd: 'node', args: ['host', '--stdio'], envs: {} }
const STEPS = ['extensions', 'myrmex']
const put = async (text: string): Promise<string> => (await setMapping(text, 'c.yaml', STEPS, OURS)).text
const take = async (text: string, name = 'myrmex'): Promise<string> =>
  (await setMapping(text, 'c.yaml', ['extensions', name], undefined)).text

const COMMENTED = `# my settings
GOOSE_MODEL: gpt # as I like it
extensions:
  # mine
  files:
    enabled: true
    cmd: npx
    args:
    - -y
    - "a: b" # yes
    notes: |
      extensions:
        myrmex: no
  web:
    uri: https://x.y/mcp

# the end
GOOSE_MODE: auto
`

test('an entry is added behind the last one, and taken out again', async () => {
  const added = await put(COMMENTED)
  expect(added).toBe(
    COMMENTED.replace(
      '    uri: https://x.y/mcp\n',
      `    uri: https://x.y/mcp
  myrmex:
    enabled: true
    cmd: node
    args:
      - host
      - --stdio
    envs: {}
`,
    ),
  )
  expect(await take(added)).toBe(COMMENTED)
  expect(await put(added)).toBe(added)
})

test('an entry in the middle goes with its lines, and the comment above it stays', async () => {
  expect(await take(COMMENTED, 'files')).toBe(COMMENTED.replace(/ {2}files:[\s\S]*?(?= {2}web:)/, ''))
})

test.each([
  ['an empty file', '', 'extensions: {}\n'],
  ['nothing in it', 'extensions:\n', 'extensions: {}\n'],
  ['empty braces', 'a: 1\nextensions: {} # none\nb: 2\n', 'a: 1\nextensions: {} # none\nb: 2\n'],
  ['no newline at the end', 'extensions:\n  a:\n    cmd: x', 'extensions:\n  a:\n    cmd: x'],
  ['CRLF', 'extensions:\r\n  a:\r\n    cmd: x\r\nb: 1\r\n', 'extensions:\r\n  a:\r\n    cmd: x\r\nb: 1\r\n'],
])('set and removed: %s', async (_, text, after) => {
  const added = await put(text)
  expect(await readYaml(added, 'c')).toMatchObject({ extensions: { myrmex: OURS } })
  expect(await take(added)).toBe(after)
})

test('what is not understood is refused, and nothing changes', async () => {
  await expect(put('extensions: { a: { cmd: x } }\n')).rejects.toThrow(/Edit it by hand/)
  await expect(put('- a\n')).rejects.toThrow(/not a mapping/)
  await expect(put('a: [1\n')).rejects.toThrow(/c\.yaml:\d+:\d+: invalid YAML/)
})

const key = fc.constantFrom('a', 'b-c', '"d: e"', "'f'")
const value = fc.constantFrom(
  '1',
  '"x # y"',
  '[1, 2]',
  '{ a: b }',
  '|\n      extensions:\n       x',
  '\n    - one\n    - two',
  '',
)
const entry = fc
  .tuple(key, value, fc.boolean())
  .map(([k, v, commented]) => `  ${k}:${v === '' ? '' : ` ${v}`}\n${commented ? '  # of the next\n' : ''}`)
const top = fc.tuple(key, value).map(([k, v]) => `${k}: ${v}\n`)

test('whatever the file is: nothing but our entry changes, or it is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(top, { maxLength: 3 }),
      fc.array(entry, { minLength: 1, maxLength: 4 }),
      fc.array(top, { maxLength: 2 }),
      async (head, entries, tail) => {
        const text = `${head.join('')}extensions:\n${entries.join('')}${tail.join('')}`
        const before = await readYaml(text, 'c').catch(() => undefined)
        if (before === undefined) return
        const added = await put(text)
        expect(await take(added)).toBe(text)
      },
    ),
    { numRuns: propertyRuns(200, 5000) },
  )
})
