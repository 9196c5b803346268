import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createServer } from '../../server/server.ts'
import { discover } from './discover.ts'

// Inside the repository, so that the files find `myrmex` and `zod`.
let folder: string
const source = (name: string, description = 'For tests.', extra = '', fields = '') => `
  import { tool } from 'myrmex'
  import * as z from 'zod'
  ${extra}
  export const made = tool({ name: '${name}', version: '1.0.0', description: '${description}', input: z.object({}),
    output: z.object({ d: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.', examples: [], ${fields}
    run: () => ({ d: '${description}' }) })`

beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, '../../.discover-'))
  await mkdir(join(folder, 'deep'))
  await mkdir(join(folder, 'node_modules/x'), { recursive: true })
  await writeFile(join(folder, 'one.tools.ts'), source('a.one'))
  await writeFile(join(folder, 'deep/two.tools.js'), source('a.two'))
  await writeFile(join(folder, 'syntax.tools.ts'), 'export const = 1')
  await writeFile(join(folder, 'throws.tools.ts'), `throw new RangeError('on purpose')`)
  await writeFile(join(folder, 'empty.tools.ts'), 'export const nothing = 1')
  await writeFile(join(folder, 'bad.tools.ts'), source('NoModule'))
  await writeFile(join(folder, 'node_modules/x/hidden.tools.js'), source('a.hidden'))
  await writeFile(join(folder, 'other.ts'), source('a.other'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('finds the tool modules of a folder, and one broken file breaks only itself', async () => {
  const found = await discover(folder)
  expect(found.tools.map(({ name }) => name).sort()).toEqual(['a.one', 'a.two'])
  expect(found.modules_scanned).toBe(6)
  expect(found.scan_duration_ms).toBeGreaterThan(0)
  const types = Object.fromEntries(
    found.failed_modules.map((failed) => [failed.module.split('/').at(-1), failed.error_type]),
  )
  expect(types).toEqual({
    'syntax.tools.ts': expect.any(String),
    'throws.tools.ts': 'RangeError',
    'empty.tools.ts': 'RegistrationError',
    'bad.tools.ts': 'RegistrationError',
  })
})

/** A folder of its own with these files. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const own = await mkdtemp(join(import.meta.dirname, '../../.discover-'))
  onTestFinished(() => rm(own, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(own, name), text)
  return own
}

test.each([
  ['300 seconds', {}, 300],
  ['as long as the tool allows that allows least', { a: 'cacheTtl: 500,', b: 'cacheTtl: 20,' }, 20],
  ['longer, if every tool allows it', { a: 'cacheTtl: 500,', b: 'cacheTtl: 900,' }, 500],
])('is cached for %s', async (_what, { a = '', b = '' }: { a?: string; b?: string }, seconds) => {
  const own = await folderWith({
    'a.tools.ts': source('ttl.a', 'For tests.', '', a),
    'b.tools.ts': source('ttl.b', 'For tests.', '', b),
  })
  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const start = performance.now()
  const first = await discover(own)
  expect(first.tools).toHaveLength(2)
  clock.mockReturnValue(start + (seconds - 1) * 1000)
  expect(await discover(own)).toBe(first)
  clock.mockReturnValue(start + (seconds + 2) * 1000)
  expect(await discover(own)).not.toBe(first)
})

test('is not cached if a tool may not be, but shared while it goes on', async () => {
  const own = await folderWith({ 'a.tools.ts': source('ttl.zero', 'For tests.', '', 'cacheTtl: 0,') })
  const [first, same] = await Promise.all([discover(own), discover(own)])
  expect(same).toBe(first)
  expect(await discover(own)).not.toBe(first)
})

test.each([
  ['does not exist', () => join(folder, 'nowhere')],
  ['is not a folder', () => join(folder, 'one.tools.ts')],
])('a path that %s is an error, which says what was looked for', async (why, path) => {
  const failed = discover(path())
  await expect(failed).rejects.toMatchObject({
    error_type: 'FileNotFoundError',
    message: `${path()} ${why}. discover() takes a folder with tool files (*.tools.ts, *.agent.ts; also .mts, .js and .mjs).`,
  })
  // It is looked for again each time.
  expect(discover(path())).not.toBe(failed)
  await expect(discover(path())).rejects.toThrow(why)
})

test('of two files that define a tool the first counts, and the error of the second names both', async () => {
  const own = await folderWith({
    'a.tools.ts': source('twice.tool', 'One.'),
    'b.tools.ts': `\n${source('twice.tool', 'Two.')}\n${source('twice.other')
      .replaceAll(/import.*/g, '')
      .replace('made', 'more')}`,
    'c.tools.ts': source('twice.third'),
    // It looks the same, but its code may differ.
    'd.tools.ts': source('twice.tool', 'One.').replace('run: ()', 'run: async ()'),
    'e.tools.ts': `export { made } from './a.tools.ts'`,
  })
  const { tools, failed_modules } = await discover(own)
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['twice.tool', 'One.'],
    ['twice.third', 'For tests.'],
    // A file may export what another one defines.
    ['twice.tool', 'One.'],
  ])
  expect(failed_modules).toMatchObject(
    ['b.tools.ts', 'd.tools.ts'].map((name) => ({ module: join(own, name), error_type: 'RegistrationError' })),
  )
  for (const { module, error } of failed_modules) {
    expect(error).toContain(join(own, 'a.tools.ts'))
    expect(error).toContain(module)
  }
  createServer({ name: 'test', version: '1.0.0', tools })
})

test.each(['resource', 'prompt'])('two files with the same %s are an error that names both', async (kind) => {
  const text =
    kind === 'prompt'
      ? `import { prompt } from 'myrmex'; export const p = prompt({ name: 'same', get: () => 'x' })`
      : `import { resource } from 'myrmex'; export const r = resource({ uri: 'test://same', name: 'x', read: () => 'x' })`
  const own = await folderWith({ 'a.tools.ts': text, 'b.tools.ts': text, 'c.tools.ts': `export * from './a.tools.ts'` })
  const { modules, failed_modules } = await discover(own)
  expect(modules.map(({ file }) => file)).toEqual([join(own, 'a.tools.ts'), join(own, 'c.tools.ts')])
  expect(failed_modules).toMatchObject([
    {
      module: join(own, 'b.tools.ts'),
      error: expect.stringMatching(
        new RegExp(`^${kind} \\S*same is defined in two files.*a\\.tools\\.ts and in .*b\\.tools\\.ts`),
      ),
    },
  ])
})
