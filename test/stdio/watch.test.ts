/** Watch mode as its user sees it: save a file, and every client is notified and gets the new version. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Inside the repository, so that the files find `myrmex` and `zod`.
let folder: string
let child: StdioChild
const source = (name: string, word: string) => `
  import { prompt, tool } from 'myrmex'
  import * as z from 'zod'
  export const made = tool({ name: 'watched.${name}', version: '1.0.0', description: '${word}', input: z.object({}),
    output: z.object({ word: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.',
    examples: [], run: () => ({ word: '${word}' }) })
  export const asked = prompt({ name: '${name}', get: () => '${word}' })`

beforeAll(async () => {
  folder = await mkdtemp(join(ROOT, '.watch-'))
  await writeFile(join(folder, 'one.tools.ts'), source('one', 'old'))
  child = new StdioChild(['serve', folder, '--watch'])
  await child.initialize()
})
afterAll(async () => {
  child.kill()
  await rm(folder, { recursive: true, force: true })
})

const notices = (kind: string) => child.raw.filter((line) => line.includes(`notifications/${kind}/list_changed`)).length
let id = 0
const word = async (name: string) => {
  child.call(++id, `watched.${name}`, {})
  const { result, error } = await child.answer(id)
  return error?.code ?? result.structuredContent.word
}

test('a changed file is loaded again and clients are notified', async () => {
  expect(await word('one')).toBe('old')
  await writeFile(join(folder, 'one.tools.ts'), source('one', 'new'))
  await child.until(() => notices('tools') === 1 && notices('prompts') === 1)
  expect(await word('one')).toBe('new')
})

test('a file that breaks keeps what it offered, and the log says why', async () => {
  await writeFile(join(folder, 'one.tools.ts'), 'export const = broken')
  await child.until(() => child.stderr.includes('was not reloaded'))
  expect(await word('one')).toBe('new')
})

test('a file that claims the name of another is refused, and costs nobody anything', async () => {
  await writeFile(join(folder, 'thief.tools.ts'), source('one', 'stolen'))
  await child.until(() => /defined in two files: in \S*one\.tools\.ts\S* and in \S*thief\.tools\.ts/.test(child.stderr))
  expect(await word('one')).toBe('new')
})

test('a file that appears is served, and one that goes is not', async () => {
  const before = notices('tools')
  await writeFile(join(folder, 'two.tools.ts'), source('two', 'second'))
  await child.until(() => notices('tools') > before)
  expect(await word('two')).toBe('second')
  const between = notices('tools')
  await rm(join(folder, 'two.tools.ts'))
  await child.until(() => notices('tools') > between)
  expect(await word('two')).toBe(-32602)
})
