/** Somebody's TOML file, and one table in it that is ours. */
import { propertyRuns } from '@myrmex/testing/long'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { setTable } from './edit-toml.ts'
import { readToml } from './read-toml.ts'

const OURS = { command: 'node', args: ['host', '--stdio'], env: { A: 'b' } }
const STEPS = ['mcp_servers', 'myrmex']
const put = async (text: string): Promise<string> => (await setTable(text, 'c.toml', STEPS, OURS)).text
const take = async (text: string, name = 'myrmex'): Promise<string> =>
  (await setTable(text, 'c.toml', ['mcp_servers', name], undefined)).text

const COMMENTED = `# my settings
model = "gpt" # as I like it
notes = """
[mcp_servers.myrmex]
not = "a table"
"""

[mcp_servers.files] # mine
command = 'npx'
args = [
  "a]b", # [not.a.table]
]

# of github
[mcp_servers.github]
url = "https://x.y/mcp"
[mcp_servers.github.http_headers]
"X-A" = "b"

[profiles.o3]
model = "o3"
`

test('a table is added behind everything else, and taken out again', async () => {
  const added = await put(COMMENTED)
  expect(added).toBe(`${COMMENTED}
[mcp_servers.myrmex]
command = "node"
args = ["host", "--stdio"]

[mcp_servers.myrmex.env]
A = "b"
`)
  expect(await take(added)).toBe(COMMENTED)
  expect(await put(added)).toBe(added)
})

test('a table in the middle goes with its subtables, and the comment above it stays', async () => {
  expect(await take(COMMENTED, 'github')).toBe(COMMENTED.replace(/\[mcp_servers\.github\][\s\S]*"b"\n/, ''))
})

test.each([
  ['', ''],
  ['no newline at the end', 'a = 1'],
  ['CRLF', 'a = 1\r\n\r\n[b]\r\nc = 2\r\n'],
  ['a newline', '\n'],
  ['a parent that is there', '[mcp_servers]\n[mcp_servers.a]\ncommand = "x"\n'],
])('set and removed, the file is as before: %s', async (_, text) => {
  const added = await put(text)
  expect((await readToml(added, 'c')).mcp_servers).toMatchObject({ myrmex: OURS })
  expect(await take(added)).toBe(text)
})

test('keys of a table and dotted keys are found too; a table on one line is refused, and nothing changes', async () => {
  expect(await take('[mcp_servers]\nmyrmex = { command = "x" }\nb = { command = "y" }\n')).toBe(
    '[mcp_servers]\nb = { command = "y" }\n',
  )
  expect(await take('mcp_servers.myrmex.command = "x"\nz = 1\n')).toBe('z = 1\n')
  await expect(take('mcp_servers = { myrmex = { command = "x" } }\n')).rejects.toThrow(/Edit it by hand/)
  await expect(put('mcp_servers = { }\n')).rejects.toThrow(/Edit it by hand/)
  await expect(put('a = ')).rejects.toThrow(/c\.toml:1:\d+: invalid TOML/)
})

const name = fc.constantFrom('a', 'b-c', '"d.e"', "'f g'", 'myrmex2')
const value = fc.constantFrom(
  '1',
  '"x#y"',
  "'[z]'",
  '[1, 2]',
  '[\n  "a", # ]\n]',
  '"""\n[mcp_servers.myrmex]\n"""',
  '{ a = "}" }',
)
const line = fc.oneof(
  fc.constantFrom('', '# [mcp_servers.myrmex]', '   '),
  fc.tuple(name, value).map(([key, text]) => `${key} = ${text}`),
  fc.tuple(fc.constantFrom('mcp_servers', 'other'), name).map(([table, key]) => `[${table}.${key}] # c`),
  name.map((key) => `[[list.${key}]]`),
)

test('whatever the file is: nothing but our table changes, or it is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, ends) => {
      const text = lines.join('\n') + (ends ? '\n' : '')
      const before = await readToml(text, 'c').catch(() => undefined)
      if (before === undefined) return
      const added = await put(text)
      expect(added.startsWith(text)).toBe(true)
      expect(await take(added)).toBe(text)
    }),
    { numRuns: propertyRuns(200, 5000) },
  )
})
