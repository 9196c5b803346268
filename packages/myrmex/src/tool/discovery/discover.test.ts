import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Discovery, discover } from './discover.ts'

// Inside the repository, so that the files find `myrmex` and `zod`.
let folder: string
const source = (name: string, description = 'For tests.', extra = '') => `
  import { tool } from 'myrmex'
  import * as z from 'zod'
  ${extra}
  export const made = tool({ name: '${name}', version: '1.0.0', description: '${description}', input: z.object({}),
    output: z.object({ d: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.', examples: [],
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

test('is cached for 300 seconds', async () => {
  const clock = vi.spyOn(performance, 'now')
  const start = performance.now()
  const first = await discover(folder, { fresh: true })
  clock.mockReturnValue(start + 299_000)
  expect(await discover(folder)).toBe(first)
  clock.mockReturnValue(start + 302_000)
  const later: Discovery = await discover(folder)
  expect(later).not.toBe(first)
  clock.mockRestore()
})
