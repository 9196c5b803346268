/** Files that do not load: the file, line and column of each error, and that a broken file breaks only itself. In real processes: a test's modules are transformed. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { longTest } from '@myrmex/testing/long'
import { ROOT } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import type { Discovery, FailedModule } from 'myrmex'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

const GOOD = (name: string, description = 'For tests.') => `import { tool } from 'myrmex'
import * as z from 'zod'
export const made = tool({ name: '${name}', version: '1.0.0', description: '${description}', input: z.object({}),
  output: z.object({ d: z.string() }), errors: {}, idempotent: true, destructive: false, security: 'None.', examples: [],
  run: () => ({ d: '${description}' }) })
`

/** By file: its text, and what is reported. Files with no report load, or are only imported. */
const FILES: Record<string, { text: string; at?: string; type?: string; says?: string }> = {
  'a.tools.ts': { text: GOOD('errors.first') },
  'z.tools.ts': { text: GOOD('errors.last') },
  'helper-ok.ts': { text: 'export const there = 1\n' },
  'helper-syntax.js': { text: '// A comment.\n\n  export const = 1\n' },
  'helper-throws.ts': {
    text: `interface Removed { a: string }\nexport function fails(): never {\n  throw new RangeError('on purpose')\n}\n`,
  },
  'broken.json': { text: '{\n  "a": 1,\n  b\n}\n' },
  'syntax-ts.tools.ts': {
    text: 'const one: number = 1\n  export const = one\n',
    at: 'syntax-ts.tools.ts:2:16',
    type: 'SyntaxError',
  },
  'syntax-enum.tools.ts': {
    text: 'const one = 1\n\n  enum Size { Small }\nexport {}\n',
    at: 'syntax-enum.tools.ts:3:3',
    type: 'SyntaxError',
    says: 'enum',
  },
  'syntax-js.tools.js': {
    text: 'const one = 1\nexport const = one\n',
    at: 'syntax-js.tools.js:2:14',
    type: 'SyntaxError',
  },
  'syntax-after-types.tools.ts': {
    text: `const one: string = ''\nexport const two = 2\nexport const two = 3\n`,
    at: 'syntax-after-types.tools.ts:3:14',
    type: 'SyntaxError',
    says: 'already been declared',
  },
  'syntax-imported.tools.ts': {
    text: `import { there } from './helper-ok.ts'\nimport * as helper from './helper-syntax.js'\nexport { helper, there }\n`,
    at: 'helper-syntax.js:3:16',
    type: 'SyntaxError',
  },
  'no-export.tools.ts': {
    text: `// A comment.\nimport { missing } from './helper-ok.ts'\nexport { missing }\n`,
    at: 'no-export.tools.ts:2:10',
    type: 'SyntaxError',
    says: "does not provide an export named 'missing'",
  },
  'throws.tools.ts': {
    text: `const one = 1\nexport const two = one\n  throw new RangeError('on purpose')\n`,
    at: 'throws.tools.ts:3:9',
    type: 'RangeError',
    says: 'on purpose',
  },
  'throws-late.tools.ts': {
    text: `await undefined\nthrow new RangeError('later')\n`,
    at: 'throws-late.tools.ts:2:7',
    type: 'RangeError',
  },
  'throws-imported.tools.ts': {
    text: `import { fails } from './helper-throws.ts'\nexport const never = fails()\n`,
    at: 'helper-throws.ts:3:9',
    type: 'RangeError',
  },
  'throws-text.tools.ts': { text: `throw 'a text'\n`, at: 'throws-text.tools.ts', type: 'Error', says: 'a text' },
  'throws-odd.tools.ts': {
    text: `throw Object.defineProperty(new Error('odd'), 'stack', { get() { throw new Error('no stack') } })\n`,
    at: 'throws-odd.tools.ts',
    type: 'Error',
    says: 'odd',
  },
  'missing-file.tools.ts': {
    text: `// import from './gone.ts'\nimport { there } from './helper-ok.ts'\nimport { gone } from './gone.ts'\nexport { gone, there }\n`,
    at: 'missing-file.tools.ts:3:22',
    type: 'Error',
    says: "Cannot find module './gone.ts' imported from FOLDER/missing-file.tools.ts",
  },
  'missing-package.tools.ts': {
    text: `export * from "no-such-package/part"\n`,
    at: 'missing-package.tools.ts:1:15',
    type: 'Error',
    says: "Cannot find package 'no-such-package/part' imported from FOLDER/missing-package.tools.ts",
  },
  'json.tools.ts': {
    text: `import data from './broken.json' with { type: 'json' }\nexport { data }\n`,
    at: 'broken.json:3:3',
    type: 'SyntaxError',
  },
  'definition.tools.ts': {
    text: GOOD('NoModule'),
    at: 'definition.tools.ts:3:21',
    type: 'RegistrationError',
    says: 'a name is module.tool',
  },
  'empty.tools.ts': { text: 'export const one = 1\n', at: 'empty.tools.ts', type: 'RegistrationError' },
  'repeats.tools.ts': {
    text: `\n${GOOD('errors.first', 'Different.')}`,
    at: 'repeats.tools.ts:4:21',
    type: 'RegistrationError',
    says: 'tool errors.first 1.0.0 is defined in two files: in FOLDER/a.tools.ts:3:21 and in FOLDER/repeats.tools.ts:4:21.',
  },
}
const BROKEN = Object.entries(FILES).filter(([, { at }]) => at !== undefined)

let folder: string
beforeAll(() => {
  // Inside the repository, so that the files find `myrmex` and `zod`.
  folder = mkdtempSync(join(ROOT, '.discover-'))
  for (const [name, { text }] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
})
afterAll(() => rmSync(folder, { recursive: true }))

const within = (text: string): string => text.replaceAll('FOLDER', folder)
/** As commands show a file of the folder, if they are started in ROOT. */
const shown = (name: string): string => relative(ROOT, join(folder, name))

async function discovered(path: string): Promise<Discovery> {
  const script = `import { discover } from 'myrmex'
    const found = await discover(process.argv[1])
    process.stdout.write(JSON.stringify({ ...found, tools: found.tools.map(({ name, description }) => ({ name, description })) }))`
  const args = ['--input-type=module', '-e', script, path]
  return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd: ROOT })).stdout)
}

test('every broken file is reported with its file, line and column, and all other files are served', async () => {
  const { tools, failed_modules, modules_scanned } = await discovered(folder)
  expect(tools).toEqual([
    { name: 'errors.first', description: 'For tests.' },
    { name: 'errors.last', description: 'For tests.' },
  ])
  expect(modules_scanned).toBe(BROKEN.length + 2)
  const place = ({ file, line, column }: FailedModule) => (line === undefined ? file : `${file}:${line}:${column}`)
  const reported = failed_modules.map((failed) => [failed.module, place(failed), failed.error_type])
  expect(reported.sort()).toEqual(
    BROKEN.map(([name, { at, type }]) => [join(folder, name), join(folder, at as string), type]).sort(),
  )
  for (const [name, { says = '' }] of BROKEN) {
    expect(failed_modules.find(({ module }) => module === join(folder, name))?.error).toContain(within(says))
  }
})

test('the command prints file:line:column of each, and lists the tools of the others', async () => {
  const { code, stdout, stderr } = await runToEnd(['tools', folder], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect(code).toBe(0)
  expect(stdout).toContain('errors.first')
  expect(stdout).toContain('errors.last')
  for (const [name, { at }] of BROKEN) {
    const [module, place] = [shown(name), shown(at as string)]
    const line = place.startsWith(module) ? `${place} skipped: ` : `${module} skipped: ${place}: `
    expect(stderr).toContain(line)
  }
})

test('a file that is named must load; the error has the location', async () => {
  const file = join(folder, 'syntax-imported.tools.ts')
  const { code, stderr } = await runToEnd(['tools', file], { cwd: ROOT })
  expect(code).toBe(1)
  expect(stderr).toContain(
    `${shown('syntax-imported.tools.ts')} does not load: ${shown('helper-syntax.js')}:3:16: SyntaxError: `,
  )
})

test('two files that are named and define a tool differently are an error that names both', async () => {
  const files = ['a.tools.ts', 'repeats.tools.ts'].map((name) => join(folder, name))
  const { code, stderr } = await runToEnd(['tools', ...files], { cwd: ROOT })
  expect(code).toBe(1)
  expect(stderr).toContain(`in ${shown('a.tools.ts')}:3:21 and in ${shown('repeats.tools.ts')}:4:21`)
})

test('files above the working directory are shown with their whole paths', async () => {
  mkdirSync(join(folder, 'elsewhere'))
  const { stderr } = await runToEnd(['tools', '..'], { cwd: join(folder, 'elsewhere') })
  expect(stderr).toContain(within('FOLDER/repeats.tools.ts:4:21 skipped: RegistrationError: '))
  expect(stderr).toContain(within('in FOLDER/a.tools.ts:3:21 and in FOLDER/repeats.tools.ts:4:21.'))
})

test.each([[['serve', 'nowhere/']], [['tools', 'nowhere/']], [['call', 'a.tool', '{}', '--file', 'nowhere/']]])(
  '%j says that the folder does not exist, and what was looked for',
  async (args) => {
    const { code, stderr } = await runToEnd(args)
    expect(code).toBe(1)
    expect(stderr).toContain(
      'FileNotFoundError: nowhere/ does not exist. Name a tool file, or a folder with tool files (*.tools.ts, *.agent.ts; also .mts, .js and .mjs).',
    )
  },
)

test('a folder with broken files is served without them', async () => {
  const child = new StdioChild(['serve', folder])
  onTestFinished(() => child.kill())
  await child.initialize()
  child.call(1, 'errors.first', {})
  expect((await child.answer(1)).result).toMatchObject({ structuredContent: { d: 'For tests.' } })
  child.call(2, 'errors.last', {})
  expect((await child.answer(2)).result).toMatchObject({ structuredContent: { d: 'For tests.' } })
  expect(child.stderr.match(/ skipped: /g)).toHaveLength(BROKEN.length)
})

test('two agents in one folder: the first is served, and the second is reported', async () => {
  const agents = mkdtempSync(join(ROOT, '.discover-'))
  onTestFinished(() => rmSync(agents, { recursive: true }))
  for (const name of ['clerk', 'kiosk'])
    writeFileSync(
      join(agents, `${name}.agent.ts`),
      `export { ${name} } from '@myrmex/testing/fixtures/fleet/${name}.agent'\n`,
    )
  const { code, stdout, stderr } = await runToEnd(['tools', agents])
  expect(code, stderr).toBe(0)
  expect(stdout).toContain('clerk.file_letter')
  expect(stderr).toMatch(/kiosk\.agent\.ts skipped: RegistrationError: .*clerk and kiosk cannot share a server/)
})

longTest('a file that never ends its import is reported after ten seconds, and the others are served', async () => {
  const slow = mkdtempSync(join(ROOT, '.discover-'))
  onTestFinished(() => rmSync(slow, { recursive: true }))
  const file = join(slow, 'never.tools.ts')
  writeFileSync(file, 'await new Promise(() => {})\nexport {}\n')
  mkdirSync(join(slow, 'more'))
  writeFileSync(join(slow, 'more/a.tools.ts'), GOOD('errors.first'))
  const { code, stdout, stderr } = await runToEnd(['tools', dirname(file)], { cwd: ROOT, ownProcess: true })
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('errors.first') })
  const name = relative(ROOT, file)
  expect(stderr).toContain(`${name} skipped: TimeoutError: ${name} was not loaded within 10000 ms`)
})
