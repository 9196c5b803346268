/** What is suggested for tools whose server does not say whether they change state, and what never is. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { temporaryLedger } from '@myrmex/testing/host/changing-server'
import { type SeenTool, seenTools, upstreamTool } from '@myrmex/testing/trust/seen-tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { suggestionFacts, suggestSettings } from './suggest-settings.ts'
import { acceptSuggestion, settingsSuggestions } from './suggestions.ts'

const of = (tools: readonly SeenTool[], rules: Parameters<typeof suggestSettings>[2] = []) =>
  suggestSettings(
    'files',
    tools.map((one) => suggestionFacts(upstreamTool('files', one))),
    rules,
  )
const patterns = (tools: readonly SeenTool[], rules: Parameters<typeof suggestSettings>[2] = []): string[] =>
  of(tools, rules)?.patterns.map(({ pattern }) => pattern) ?? []

describe('what is suggested', () => {
  test('a pattern for several tools that read, a name for a single one, and the rest is named', () => {
    expect(of(['get_a', 'get_b', 'list_all', 'write_file'].map((name) => ({ name })))).toEqual({
      server: 'files',
      patterns: [
        { pattern: 'get_*', tools: ['files.get_a', 'files.get_b'] },
        { pattern: 'list_all', tools: ['files.list_all'] },
      ],
      others: ['files.write_file'],
    })
  })

  test('nothing for tools of which the server says something', () => {
    expect(
      of([
        { name: 'get_a', readOnly: true },
        { name: 'get_b', readOnly: false },
      ]),
    ).toBeUndefined()
  })

  test.each([
    ['its name says more', { name: 'get_or_create_user' }],
    ['its name says more', { name: 'find_and_replace' }],
    ['its description says that it writes', { name: 'get_token', description: 'Creates a token and returns it.' }],
    ['its description says that it writes', { name: 'read_queue', description: 'Removes the first message.' }],
    ['a query may write', { name: 'query_database' }],
    ['its name begins like a verb that reads', { name: 'getaway' }],
  ])('not a tool where %s: %j', (_why, tool) => {
    expect(patterns([tool])).toEqual([])
    // Nor is it covered by the pattern of others.
    const made = patterns([tool, { name: 'get_a' }, { name: 'get_b' }, { name: 'find_a' }, { name: 'find_b' }])
    const verb = tool.name.split('_')[0] as string
    expect(made).not.toContain(`${verb}_*`)
  })

  test('no pattern that would cover a tool of which the server says that it changes state', () => {
    const tools = [{ name: 'get_a' }, { name: 'get_b' }, { name: 'get_rid_of', readOnly: false }]
    expect(patterns(tools)).toEqual(['get_a', 'get_b'])
  })

  test('what the file says of a tool stays the operator’s word', () => {
    const tools = [{ name: 'get_a' }, { name: 'get_b' }]
    expect(patterns(tools, [['get_*', { destructive: true }]])).toEqual([])
    expect(patterns(tools, [['get_a', { destructive: false }]])).toEqual(['get_b'])
    expect(patterns(tools, [['*', { timeoutMs: 5 }]])).toEqual([])
  })
})

test('an accepted suggestion is in the file, beside what was there, and is not made again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'suggestions-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'myrmex.json')
  const text = `{
  "mcpServers": {
    // mine
    "Files": { "command": "node", "tools": { "write_file": { "enabled": false } } }
  }
}
`
  writeFileSync(path, text)
  const ledger = await temporaryLedger()
  await seenTools(ledger, { files: [{ name: 'get_a' }, { name: 'get_b' }, { name: 'write_file' }] })
  const [suggestion, ...more] = await settingsSuggestions(ledger, path)
  expect(more).toEqual([])
  expect(suggestion).toMatchObject({ server: 'files', patterns: [{ pattern: 'get_*' }] })
  const backup = await acceptSuggestion(path, suggestion as NonNullable<typeof suggestion>)
  expect(readFileSync(backup as string, 'utf8')).toBe(text)
  const written = readFileSync(path, 'utf8')
  expect(written).toContain('// mine')
  expect(JSON.parse(written.replace('// mine', '')).mcpServers.Files.tools).toEqual({
    write_file: { enabled: false },
    'get_*': { destructive: false },
  })
  expect(await settingsSuggestions(ledger, path)).toEqual([])
})
