/** Watch mode follows imports: whatever a tool file reaches is loaded again when it changes, and stderr says what happened. */

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONG, longTest } from '@myrmex/testing/long'
import { ROOT } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { expect, onTestFinished, test } from 'vitest'

const TOOL = (name: string, imports: string, word: string) => `import { tool } from 'myrmex'
import * as z from 'zod'
${imports}
export const made = tool({ name: 'demo.${name}', version: '1.0.0', description: 'For tests.', input: z.object({}),
  output: z.object({ word: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.',
  examples: [], run: async () => ({ word: ${word} }) })
`

class WatchedFolder {
  // Inside the repository, so that the files find `myrmex` and `zod`.
  readonly path = mkdtempSync(join(ROOT, '.watch-'))
  readonly child: StdioChild
  #calls = 0

  /** `served` are the paths on the command line. */
  constructor(files: Record<string, string>, served: readonly string[] = ['.']) {
    for (const [name, text] of Object.entries(files)) this.write(name, text)
    this.child = new StdioChild(['serve', ...served.map((name) => join(this.path, name)), '--watch'])
    onTestFinished(() => {
      this.child.kill()
      rmSync(this.path, { recursive: true, force: true })
    })
  }

  static async open(files: Record<string, string>, served?: readonly string[]): Promise<WatchedFolder> {
    const folder = new WatchedFolder(files, served)
    await folder.child.initialize()
    return folder
  }

  write(name: string, text: string): void {
    mkdirSync(join(this.path, name, '..'), { recursive: true })
    writeFileSync(join(this.path, name), text)
  }

  async word(name: string): Promise<string> {
    this.child.call(++this.#calls, `demo.${name}`, {})
    const { result, error } = await this.child.answer(this.#calls)
    return error?.message ?? result.structuredContent.word
  }

  /** What the tool, the prompt and the resource named `same` return. */
  async everyWord(): Promise<string[]> {
    const { child } = this
    const [prompt, resource] = [++this.#calls, ++this.#calls]
    child.send({ jsonrpc: '2.0', id: prompt, method: 'prompts/get', params: { name: 'same' } })
    child.send({ jsonrpc: '2.0', id: resource, method: 'resources/read', params: { uri: 'demo://same' } })
    const [got, read] = [(await child.answer(prompt)).result, (await child.answer(resource)).result]
    return [await this.word('same'), got?.messages[0].content.text, read?.contents[0].text]
  }

  /** Waits until stderr says it, with this folder as FOLDER,. */
  async says(text: string): Promise<void> {
    await this.child.until(() => this.said.includes(text))
  }

  get said(): string {
    return this.child.stderr.replaceAll(this.path, 'FOLDER').replaceAll(this.path.slice(ROOT.length + 1), 'FOLDER')
  }
}

test('a helper of a helper, JSON and CommonJS are loaded again, and nothing else is', async () => {
  const folder = await WatchedFolder.open({
    'greet.tools.ts': TOOL('greet', `import { words } from './lib/words.ts'`, 'words'),
    'lib/words.ts': `import { deep } from './deep.ts'\nimport data from './data.json' with { type: 'json' }\nimport old from './old.cjs'\nexport const words: string = [deep, data.word, old.word].join(' ')\n`,
    'lib/deep.ts': `export const deep = 'one'\n`,
    'lib/data.json': '{"word":"two"}',
    'lib/old.cjs': `exports.word = require('./older.cjs').word\n`,
    'lib/older.cjs': `exports.word = 'three'\n`,
    // It keeps its state, because nothing that it imports changes.
    'count.tools.ts': TOOL('count', `import { count } from './lib/count.ts'`, 'String(count())'),
    'lib/count.ts': `let calls = 0\nexport const count = () => ++calls\n`,
  })
  expect([await folder.word('greet'), await folder.word('count')]).toEqual(['one two three', '1'])

  folder.write('lib/deep.ts', `export const deep = 'uno'\n`)
  await folder.says('Reloaded FOLDER/greet.tools.ts (tool demo.greet) because FOLDER/lib/deep.ts changed\n')
  expect(await folder.word('greet')).toBe('uno two three')
  folder.write('lib/data.json', '{"word":"due"}')
  await folder.says('because FOLDER/lib/data.json changed')
  expect(await folder.word('greet')).toBe('uno due three')
  folder.write('lib/older.cjs', `exports.word = 'tre'\n`)
  await folder.says('because FOLDER/lib/older.cjs changed')
  expect(await folder.word('greet')).toBe('uno due tre')
  // A second change of the same file.
  folder.write('lib/deep.ts', `export const deep = 'un'\n`)
  await folder.child.until(() => folder.said.split('FOLDER/lib/deep.ts changed').length === 3)
  expect(await folder.word('greet')).toBe('un due tre')

  expect(await folder.word('count')).toBe('2')
  expect(folder.said).not.toContain('count.tools.ts')
  expect(folder.said).not.toContain('edition')
})

test('one change reloads every tool file that reaches it, and says what each has gained and lost', async () => {
  const folder = await WatchedFolder.open({
    'a.tools.ts': TOOL('a', `import { word } from './word.ts'`, 'word'),
    'b.tools.ts': `export { b } from './word.ts'\n`,
    'word.ts': `${TOOL('b', '', `'b'`).replace('made', 'b')}\nexport const word = 'old'\n`,
  })
  folder.write('word.ts', `${TOOL('c', '', `'c'`).replace('made', 'b')}\nexport const word = 'new'\n`)
  await folder.says('Reloaded FOLDER/a.tools.ts (tool demo.a) because FOLDER/word.ts changed\n')
  await folder.says(
    'Reloaded FOLDER/b.tools.ts (tool demo.c) because FOLDER/word.ts changed; added demo.c; removed demo.b\n',
  )
  expect([await folder.word('a'), await folder.word('c')]).toEqual(['new', 'c'])
  expect(await folder.word('b')).toContain('demo.b')
})

longTest('an import outside of the served paths is followed, also if an editor replaces the file', async () => {
  const folder = await WatchedFolder.open(
    {
      'served/one.tools.ts': TOOL('one', `import { word } from '../shared/dist/word.ts'`, 'word'),
      'shared/dist/word.ts': `export const word = 'old'\n`,
    },
    ['served/one.tools.ts'],
  )
  folder.write('shared/dist/word.ts', `export const word = 'new'\n`)
  await folder.says('Reloaded FOLDER/served/one.tools.ts (tool demo.one) because FOLDER/shared/dist/word.ts changed')
  expect(await folder.word('one')).toBe('new')
  folder.write('shared/dist/.word.ts.tmp', `export const word = 'newer'\n`)
  renameSync(join(folder.path, 'shared/dist/.word.ts.tmp'), join(folder.path, 'shared/dist/word.ts'))
  await folder.child.until(() => folder.said.split('Reloaded').length === 3)
  expect(await folder.word('one')).toBe('newer')
})

test('a helper that breaks is reported with its line and column, and the tools work on until it is right again', async () => {
  const folder = await WatchedFolder.open({
    'one.tools.ts': TOOL('one', `import { word } from './word.js'`, 'word'),
    'word.js': `export const word = 'old'\n`,
  })
  folder.write('word.js', `\nexport const = 'broken'\n`)
  await folder.says('FOLDER/one.tools.ts was not reloaded: FOLDER/word.js:2:14: SyntaxError: ')
  expect(await folder.word('one')).toBe('old')
  folder.write('word.js', `export const word = 'ok'\nthrow new RangeError('on purpose')\n`)
  await folder.says('FOLDER/one.tools.ts was not reloaded: FOLDER/word.js:2:7: RangeError: on purpose\n')
  rmSync(join(folder.path, 'word.js'))
  await folder.says(
    `FOLDER/one.tools.ts was not reloaded: FOLDER/one.tools.ts:3:22: Error: Cannot find module './word.js'`,
  )
  expect(await folder.word('one')).toBe('old')
  folder.write('word.js', `export const word = 'new'\n`)
  await folder.says('Reloaded FOLDER/one.tools.ts (tool demo.one) because FOLDER/word.js changed')
  expect(await folder.word('one')).toBe('new')
  expect(folder.said).not.toContain('edition')
})

test('a file that was broken at the start is served once what it imports is right', async () => {
  const folder = await WatchedFolder.open({
    'one.tools.ts': TOOL('one', '', `'one'`),
    'two.tools.ts': TOOL('two', `import { word } from './later.ts'`, 'word'),
    'three.tools.ts': TOOL('three', `import { word } from './broken.ts'`, 'word'),
    'broken.ts': 'export const = 1\n',
  })
  await folder.says('FOLDER/three.tools.ts skipped: FOLDER/broken.ts:1:14: SyntaxError')
  folder.write('later.ts', `export const word = 'two'\n`)
  await folder.says('Loaded FOLDER/two.tools.ts (tool demo.two)\n')
  folder.write('broken.ts', `export const word = 'three'\n`)
  await folder.says('Loaded FOLDER/three.tools.ts (tool demo.three)\n')
  expect([await folder.word('two'), await folder.word('three')]).toEqual(['two', 'three'])
})

longTest('a file that waits for the name of another is served when that one gives it up', async () => {
  const folder = await WatchedFolder.open({
    'a.tools.ts': TOOL('same', '', `'a'`),
    'b.tools.ts': TOOL('same', '', `'b'`).replace('For tests.', 'Another one.'),
  })
  await folder.says('FOLDER/b.tools.ts:4:21 skipped: RegistrationError')
  expect(await folder.word('same')).toBe('a')
  folder.write('unrelated.tools.ts', TOOL('unrelated', '', `'x'`))
  await folder.says('Loaded FOLDER/unrelated.tools.ts')
  rmSync(join(folder.path, 'a.tools.ts'))
  await folder.says('Removed FOLDER/a.tools.ts (tool demo.same)\n')
  await folder.says('Loaded FOLDER/b.tools.ts (tool demo.same)\n')
  expect(await folder.word('same')).toBe('b')
  // It was reported at the start, and nothing has changed about it since.
  expect(folder.said).not.toContain('not reloaded')
})

/** Equal to its listing, and nothing more: what it returns differs. */
const TWIN = (word: string, name = 'same') => `${TOOL(name, `import { prompt, resource } from 'myrmex'`, `'${word}'`)}
export const asked = prompt({ name: '${name}', get: () => '${word}' })
export const read = resource({ uri: 'demo://${name}', name: '${name}', read: () => '${word}' })
`

test.runIf(LONG).each([
  ['is deleted', (folder: WatchedFolder) => rmSync(join(folder.path, 'a.tools.ts')), 'Removed FOLDER/a.tools.ts'],
  [
    'is renamed',
    (folder: WatchedFolder) => folder.write('a.tools.ts', TWIN('a', 'renamed')),
    'added demo.renamed, resource demo://renamed, prompt renamed',
  ],
])('a second file with the same listing is refused, and takes over when the first %s', async (_what, change, says) => {
  const folder = await WatchedFolder.open({ 'a.tools.ts': TWIN('a'), 'b.tools.ts': TWIN('b') })
  await folder.says('FOLDER/b.tools.ts:4:21 skipped: RegistrationError: tool demo.same 1.0.0 is defined in two files: ')
  await folder.says('in FOLDER/a.tools.ts:4:21 and in FOLDER/b.tools.ts:4:21.')
  expect(await folder.everyWord()).toEqual(['a', 'a', 'a'])
  change(folder)
  await folder.says(says)
  await folder.says('Loaded FOLDER/b.tools.ts (tool demo.same; resource demo://same; prompt same)\n')
  expect(await folder.everyWord()).toEqual(['b', 'b', 'b'])
})

longTest('the first of two files with the same listing stays when the second is renamed or deleted', async () => {
  const folder = await WatchedFolder.open({ 'a.tools.ts': TWIN('a') })
  folder.write('b.tools.ts', TWIN('b'))
  await folder.says('FOLDER/b.tools.ts was not reloaded: FOLDER/b.tools.ts:4:21: RegistrationError: tool demo.same')
  folder.write('b.tools.ts', TWIN('b', 'other'))
  await folder.says('Loaded FOLDER/b.tools.ts (tool demo.other;')
  expect(await folder.everyWord()).toEqual(['a', 'a', 'a'])
  rmSync(join(folder.path, 'b.tools.ts'))
  await folder.says('Removed FOLDER/b.tools.ts')
  expect(await folder.everyWord()).toEqual(['a', 'a', 'a'])
})

longTest('what two files share is reloaded with both, and stays until both have given it up', async () => {
  const folder = await WatchedFolder.open({
    'a.tools.ts': `export * from './shared.ts'\n`,
    'b.tools.ts': `export * from './shared.ts'\n`,
    'shared.ts': TWIN('old'),
  })
  expect(await folder.everyWord()).toEqual(['old', 'old', 'old'])
  folder.write('shared.ts', TWIN('new'))
  await folder.says('Reloaded FOLDER/a.tools.ts')
  await folder.says('Reloaded FOLDER/b.tools.ts')
  expect(await folder.everyWord()).toEqual(['new', 'new', 'new'])
  folder.write('a.tools.ts', TWIN('a', 'other'))
  await folder.child.until(() => folder.said.includes('added demo.other'))
  expect(await folder.everyWord()).toEqual(['new', 'new', 'new'])
  folder.write('a.tools.ts', `export * from './shared.ts'\n`)
  await folder.child.until(() => folder.said.includes('removed demo.other'))
  rmSync(join(folder.path, 'a.tools.ts'))
  await folder.says('Removed FOLDER/a.tools.ts')
  expect(await folder.everyWord()).toEqual(['new', 'new', 'new'])
  rmSync(join(folder.path, 'b.tools.ts'))
  await folder.says('Removed FOLDER/b.tools.ts')
  expect(await folder.word('same')).toContain('demo.same')
  expect(folder.said).not.toMatch(/skipped|not reloaded/)
})

test('a file that was deleted and comes back is loaded from the disk', async () => {
  const folder = await WatchedFolder.open({ 'one.tools.ts': TOOL('one', '', `'old'`) })
  rmSync(join(folder.path, 'one.tools.ts'))
  await folder.says('Removed FOLDER/one.tools.ts')
  folder.write('one.tools.ts', TOOL('one', '', `'new'`))
  await folder.says('Loaded FOLDER/one.tools.ts (tool demo.one)')
  expect(await folder.word('one')).toBe('new')
})
