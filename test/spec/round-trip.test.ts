/**
 * The document is the contract, both ways: every tool of the repository is rendered, linted, imported as code and loaded
 * again, and what comes back has the hash of what went in.
 */

import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { propertyRuns } from '@myrmex/testing/long'
import { ROOT } from '@myrmex/testing/paths'
import * as made from '@myrmex/testing/sample-tools'
import fc from 'fast-check'
import { type Tool, tool } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definitionOf } from '../../packages/myrmex/src/spec/definition.ts'
import { importDocument } from '../../packages/myrmex/src/spec/import.ts'
import { lint } from '../../packages/myrmex/src/spec/lint.ts'
import { readDocument } from '../../packages/myrmex/src/spec/read.ts'
import { DOCUMENT, renderDocument } from '../../packages/myrmex/src/spec/render.ts'
import { loadModule } from '../../packages/myrmex/src/tool/discovery/module.ts'
import { definitionHash } from '../../packages/myrmex/src/tool/hash.ts'
import { toolBody } from '../../packages/myrmex/src/tool/verify/verify-tool.ts'

const files: string[] = []
for await (const file of glob('**/*.tools.ts', { cwd: ROOT, exclude: ['**/node_modules/**', '**/.*/**'] }))
  files.push(file)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, '.docs-round-trip-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function throughDocument(tools: readonly Tool[], name: string): Promise<readonly Tool[]> {
  const markdown = renderDocument(tools.map(toolBody))
  expect(renderDocument([...tools].reverse().map(toolBody)), 'stable to the byte').toBe(markdown)
  expect(lint(DOCUMENT, markdown).filter(({ severity }) => severity === 'error')).toEqual([])
  const file = join(folder, name)
  await writeFile(file, importDocument(readDocument(markdown), DOCUMENT))
  return (await loadModule(file)).tools
}

const hashes = (tools: readonly Tool[]): string[] =>
  tools.map(({ name, version, hash }) => `${name} ${version} ${hash}`).sort()

describe('render, lint, import, load', () => {
  test.each(files)('%s comes back as it was', async (file) => {
    const { tools } = await loadModule(join(ROOT, file))
    // Some files only have resources and prompts.
    if (tools.length === 0) return
    expect(hashes(await throughDocument(tools, `${files.indexOf(file)}.tools.ts`))).toEqual(hashes(tools))
  })

  test('so do tools that promise more than others', async () => {
    const keyed = tool({ ...made.toolDefaults, ...PROMISING, name: 'promises.keyed', keyed: true })
    const undone = tool({ ...made.toolDefaults, ...PROMISING, name: 'promises.undone', undo: () => {} })
    const both = tool({ ...made.toolDefaults, ...PROMISING, name: 'promises.both', keyed: true, undo: () => {} })
    const { output: _, run: _run, ...more } = { ...made.toolDefaults, ...PROMISING }
    const letter = tool({
      ...more,
      name: 'promises.letter',
      output: 'text',
      examples: [{ arguments: {}, data: 'Dear Ada' }],
      run: () => 'Dear Ada',
    })
    const icons = [{ src: 'data:image/svg+xml,%3Csvg|`\\/%3E', sizes: ['any'], theme: 'light' as const }]
    const shown = tool({
      ...{ ...made.toolDefaults, ...PROMISING, name: 'promises.shown', openWorld: false, icons },
      meta: { 'shop.example/note': 'a | b `c` \\| <br> *d* _e_\n\n## f', deep: [{ x: null }] },
    })
    const open = tool({ ...made.toolDefaults, ...PROMISING, name: 'promises.open', openWorld: true, meta: {} })
    const tools = [keyed, undone, both, letter, shown, open]
    expect(new Set(tools.map(({ hash }) => hash)).size).toBe(6)
    expect(hashes(await throughDocument(tools, 'promises.tools.ts'))).toEqual(hashes(tools))
  })

  test('so do the tools that tests make', async () => {
    const tools = Object.values(made).filter((one): one is Tool => 'kind' in one && one.kind === 'tool')
    expect(tools.length).toBeGreaterThan(2)
    expect(hashes(await throughDocument(tools, 'made.tools.ts'))).toEqual(hashes(tools))
  })
})

const PROMISING = {
  idempotent: false,
  input: { type: 'object' },
  output: { type: 'object' },
  run: () => ({}),
} as const

const text = fc
  .oneof(
    fc.string({ minLength: 1, unit: 'grapheme' }),
    fc
      .array(
        fc.constantFrom(
          '# ',
          '## Tool: `a.b`',
          '**Version**: 9',
          '- **Deprecated in**: 9.0.0',
          '- **Care**: ',
          '**Title**: other',
          '**Security**',
          '`XError`: ',
          '| ',
          '\n',
          '\n\n',
          '```',
          '- ',
          'Idempotent: yes',
          '<br>',
          'word',
          '1. ',
          'Version 2.0.0',
          'Parameters:',
          'No parameters. **Returns:** `x`',
          '- **Parameters**: `a`\n- **Returns**: `b`',
          '- `city` (string): x',
          '## `get_wind`',
          'The following tools are available:\n\n- `get_wind`: x',
          '`get_wind`, `get_rain`',
          '**get_wind** (x): y',
          '[ToolName]',
          'TODO',
          ' ',
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((parts) => parts.join('')),
  )
  .filter((words) => words.trim() !== '' && words.isWellFormed() && !words.includes('\0'))

const DETAILS = { type: 'object', properties: { left: { type: 'integer' } }, required: ['left'] } as const

const version = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map((parts) => parts.join('.'))

test('whatever its texts are, a definition comes back from its document', () => {
  fc.assert(
    fc.property(
      fc.record({
        version,
        title: fc.option(text, { nil: undefined }),
        description: text,
        security: text,
        errors: fc.dictionary(
          fc.constantFrom('XError', 'NoSuchThing', 'Odd | error'),
          fc.oneof(text, fc.record({ when: text, details: fc.constantFrom(DETAILS, { type: 'string' } as const) })),
        ),
        migration: fc.option(text, { nil: undefined }),
        idempotent: fc.boolean(),
        destructive: fc.boolean(),
        timeout: fc.integer({ min: 1, max: 1e6 }),
        limit: fc.option(fc.record({ calls: fc.integer({ min: 1 }), per_ms: fc.integer({ min: 1 }) }), {
          nil: undefined,
        }),
        cacheTtl: fc.nat(),
        task: fc.constantFrom(false, true, 'required' as const),
        keyed: fc.constantFrom(undefined, false, true),
        undo: fc.constantFrom(undefined, () => {}),
        deprecatedIn: fc.option(version, { nil: undefined }),
        examples: fc.array(
          fc
            .record(
              {
                title: text,
                arguments: fc.record({ n: fc.integer(), s: fc.string() }),
                data: fc.constant({ ok: true }),
                error: fc.constant('XError'),
              },
              { requiredKeys: ['arguments'] },
            )
            .map((example) => (example.error === undefined ? example : { ...example, data: undefined })),
          { maxLength: 3 },
        ),
        describes: text,
      }),
      ({ describes, ...definition }) => {
        const one = tool({
          ...definition,
          name: 'odd.one',
          input: {
            type: 'object',
            properties: { n: { type: 'integer', description: describes }, s: { type: 'string' } },
            required: ['n'],
          },
          output: { type: 'object', properties: { ok: { type: 'boolean', description: describes } }, required: ['ok'] },
          run: () => ({ ok: true }),
        } as Parameters<typeof tool>[0])
        const markdown = renderDocument([toolBody(one)])
        const { tools } = readDocument(markdown)
        expect(tools, markdown).toHaveLength(1)
        const { body, missing } = definitionOf(tools[0] as (typeof tools)[number])
        expect(missing).toEqual([])
        expect(body).toEqual(toolBody(one))
      },
    ),
    { numRuns: propertyRuns(50, 150) },
  )
})

test('the hash is made of what a document holds and nothing else', async () => {
  const { tools } = await loadModule(join(ROOT, 'examples/file-utility/file-utility.tools.ts'))
  const [one] = tools as [Tool]
  const { tools: read } = readDocument(renderDocument([toolBody(one)]))
  const { body } = definitionOf(read[0] as (typeof read)[number])
  expect(body).toEqual(toolBody(one))
  expect(one.hash).toBe(definitionHash(one))
})
