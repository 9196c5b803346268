/** Somebody's file, and one member in it that is ours. */
import * as fc from 'fast-check'
import { parse, parseTree } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { setMember } from './edit-jsonc.ts'

const OURS = { command: 'node', args: ['host', '--stdio'] }
const STEPS = ['mcpServers', 'myrmex']
const put = async (text: string): Promise<string> => (await setMember(text, 'c.json', STEPS, OURS)).text
const take = async (text: string): Promise<string> => (await setMember(text, 'c.json', STEPS, undefined)).text

const COMMENTED = `// my settings
{
  "theme": "dark", // as I like it
  "mcpServers": {
    /* files */ "files": { "command": "npx", "args": ["a,b"] }, // mine
    "github": {
      "url": "https://x.y/mcp" // , not a comma
    } // the last one
  }
}
`

test('a new member stands on lines of its own, behind what is said of the last one', async () => {
  expect(await put(COMMENTED)).toBe(
    COMMENTED.replace(
      '    } // the last one\n',
      `    }, // the last one
    "myrmex": {
      "command": "node",
      "args": ["host", "--stdio"]
    }
`,
    ),
  )
})

const FILES: [what: string, text: string][] = [
  ['comments everywhere', COMMENTED],
  ['a trailing comma', COMMENTED.replace('} // the last one', '}, // the last one')],
  ['tabs', COMMENTED.replaceAll('  ', '\t')],
  ['four spaces', COMMENTED.replaceAll('  ', '    ')],
  ['line ends of Windows', COMMENTED.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\ufeff${COMMENTED}`],
  ['no line end', COMMENTED.trimEnd()],
  ['all of it on one line', '{"mcpServers":{"a":{"url":"x"},"b":{"url":"y"}}}'],
  ['more behind it', COMMENTED.replace('  }\n}', '  },\n  "z": [1, 2]\n}')],
]

test.each(FILES)('with %s, what was put in and taken out leaves no trace', async (_, text) => {
  const there = await put(text)
  expect(parse(there.replace('\ufeff', ''), [], { allowTrailingComma: true }).mcpServers.myrmex).toEqual(OURS)
  expect(await take(there)).toBe(text)
})

test.each([
  ['an empty file', ''],
  ['an empty object', '{}'],
  ['no block', '{"a": 1}'],
  ['an empty block', '{"mcpServers": {}}'],
  ['all on one line', '{"mcpServers": {"a": {"url": "x"}, "b": {"url": "y"}}}'],
])('it is put into %s and taken out of it', async (_, text) => {
  const there = await put(text)
  const before = text === '' ? {} : JSON.parse(text)
  expect(JSON.parse(there)).toEqual({ ...before, mcpServers: { ...before.mcpServers, myrmex: OURS } })
  // Existing text is not rewritten.
  const { edits } = await setMember(text, 'c.json', STEPS, OURS)
  expect(edits.map(({ length }) => length)).toEqual([0])
  expect(JSON.parse(await take(there))).toEqual({ ...before, mcpServers: before.mcpServers ?? {} })
})

test('the first, the middle and the last member are taken out, and the others stay', async () => {
  for (const names of [
    ['myrmex', 'a', 'b'],
    ['a', 'myrmex', 'b'],
    ['a', 'b', 'myrmex'],
  ]) {
    const block = names
      .map((name) => `    "${name}": {} // of ${name}`)
      .join(',\n')
      .replaceAll(/( \/\/ of \w+),/g, ',$1')
    const left = await take(`{\n  "mcpServers": {\n${block}\n  }\n}\n`)
    expect(parse(left)).toEqual({ mcpServers: { a: {}, b: {} } })
    expect(left).toContain('// of a')
    expect(left).toContain('// of b')
  }
  expect(await take('{"mcpServers": {"a": 1 /* of a */, "myrmex": {} /* ours */ , "b": 2}}')).toBe(
    '{"mcpServers": {"a": 1 /* of a */,  "b": 2}}',
  )
  expect(await take('{"mcpServers": {"a": 1 /* of a */, "myrmex": {}}}')).toBe('{"mcpServers": {"a": 1 /* of a */}}')
})

test('one that is there is changed, and one that is as wanted is not touched', async () => {
  const there = await put(COMMENTED)
  expect((await setMember(there, 'c.json', STEPS, OURS)).edits).toEqual([])
  const other = await setMember(there, 'c.json', STEPS, { url: 'http://127.0.0.1:1/mcp' })
  expect(other.before).toEqual(OURS)
  expect(await take(other.text)).toBe(COMMENTED)
})

describe('a malformed file is rejected with its location and not changed', () => {
  test.each([
    ['{\n  "mcpServers": {\n', /^c\.json:2:18: invalid JSON: a closing \} is missing/],
    ['{\n  "mcpServers": []\n}', /^c\.json:2:3: \/mcpServers is not an object; the file was not changed/],
    ['[]', /^c\.json:1:1: the file is not an object/],
    ['{"mcpServers": {},\n "mcpServers": {}}', /^c\.json:2:2: \/mcpServers appears twice/],
  ])('%s', async (text, message) => {
    await expect(put(text)).rejects.toThrow(message)
  })
})

test('whatever JSON there is, all else in it means the same afterwards', async () => {
  const space = fc.constantFrom('  ', '\t', '')
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      space,
      async (around, block, indent) => {
        const value = { ...around, mcpServers: { ...block, zz: 1 } }
        const text = JSON.stringify(value, null, indent)
        const there = await put(text)
        expect(parseTree(there)).toBeDefined()
        expect(JSON.parse(there)).toEqual(
          JSON.parse(JSON.stringify({ ...value, mcpServers: { ...value.mcpServers, myrmex: OURS } })),
        )
        if (!('myrmex' in block) && indent !== '') expect(await take(there)).toBe(text)
      },
    ),
    { numRuns: 60 },
  )
})
