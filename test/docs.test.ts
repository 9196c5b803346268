/**
 * README and guides are true: every code block in them is executed, in order, in a folder of its own inside the
 * repository. `ts file=NAME` and `json file=NAME` are saved, other `ts` is run, `sh` is run (`root`: in a copy of the repository, `exit=N`: with that code),
 * and `text` after a command is what it prints, with … for anything.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { LONG } from '@myrmex/testing/long'
import { CLI, ROOT } from '@myrmex/testing/paths'
import { GATES, parsePolicy } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CATALOGUE } from '../packages/myrmex/src/protocol/errors.ts'
import { CHANGES } from '../packages/myrmex/src/spec/diff.ts'

/** An `npx` that starts our command at once: npm's own takes longer than most commands. */
const programs = mkdtempSync(join(tmpdir(), 'myrmex-docs-'))
writeFileSync(
  join(programs, 'npx'),
  `#!/bin/sh\n[ "$1" = myrmex ] || exec "${join(ROOT, 'node_modules/.bin')}/$@"\nshift\nexec "${process.execPath}" "${CLI}" "$@"\n`,
  { mode: 0o755 },
)
afterAll(() => rmSync(programs, { recursive: true, force: true }))

// A reader has set no ledger.
const { MYRMEX_LEDGER: _, ...environment } = process.env
const env = {
  ...environment,
  NO_COLOR: '1',
  PATH: `${programs}:${join(ROOT, 'node_modules/.bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
}

interface Block {
  line: number
  language: string
  options: string[]
  code: string
}

function blocksOf(markdown: string): Block[] {
  const found = markdown.matchAll(/^```(\w+)([^\n]*)\n(.*?)^```$/gms)
  return [...found].map(({ index, 1: language, 2: options, 3: code }) => ({
    line: markdown.slice(0, index).split('\n').length,
    language: language as string,
    options: (options as string).trim().split(' '),
    code: code as string,
  }))
}

const option = ({ options }: Block, name: string): string | undefined =>
  options.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)

const inRoot = ({ options }: Block): boolean => options.includes('root')

/** The repository as a reader finds it after cloning: without the ledger and the files that `npm start` makes. */
async function copyRoot(folder: string): Promise<void> {
  for (const name of ['LICENSE', 'README.md', 'examples'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true })
}

function run(command: string, args: string[], cwd: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: Number((error as { code?: number } | null)?.code ?? 0), stdout, stderr }),
    )
  })
}

/** Trailing blanks do not show; a line of … stands for any lines, a … within one for anything. */
function expectPrinted(printed: string, expected: string): void {
  const trimmed = (text: string) => text.replace(/[ \t]+$/gm, '').trim()
  const pattern = trimmed(expected).split('…').map(RegExp.escape).join('[^]*')
  expect(trimmed(printed)).toMatch(new RegExp(`^${pattern}$`))
}

const documents = [join(ROOT, 'README.md')]
for await (const file of glob('docs/*.md', { cwd: ROOT })) documents.push(join(ROOT, file))

/** The languages of files. */
const SAVED = new Set(['ts', 'json'])

/** Every block is a process or more. `npm test` executes the first pages that a reader opens; `npm run test:docs` executes all. */
const FIRST_PAGES = new Set(['README.md', 'tools.md'])
const executed = documents.filter((file) => LONG || FIRST_PAGES.has(basename(file)))

describe.each(executed.map((file) => [basename(file), file] as const))('%s', async (_name, file) => {
  const blocks = blocksOf(await readFile(file, 'utf8'))
  let folder: string
  let printed: string | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, '.docs-'))
    // A project of its own, although it is in this one.
    await mkdir(join(folder, '.myrmex'))
    if (blocks.some(inRoot)) await copyRoot(join(folder, 'root'))
  })
  // A host that a page has just stopped may still be writing.
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

  test('has something to look at', () => {
    expect(blocks.length + documents.length).toBeGreaterThan(0)
  })

  for (const [index, block] of blocks.entries()) {
    // The two commands of the README are what CI itself runs.
    if (/^npm install && npm (start|test)$/m.test(block.code)) continue
    test(`line ${block.line}: ${block.language}`, async () => {
      const name = option(block, 'file') ?? `block-${index}.${block.language}`
      if (SAVED.has(block.language)) await writeFile(join(folder, name), block.code)
      if (block.language === 'ts') {
        const ran = await run(process.execPath, [name], folder)
        expect(ran.code, ran.stderr).toBe(0)
      } else if (block.language === 'sh') {
        const ran = await run('bash', ['-c', block.code], inRoot(block) ? join(folder, 'root') : folder)
        expect(ran.code, ran.stderr).toBe(Number(option(block, 'exit') ?? 0))
        printed = ran.stdout
      } else if (block.language === 'text' && printed !== undefined) {
        expectPrinted(printed, block.code)
        printed = undefined
      } else {
        expect(['text', 'json', 'md']).toContain(block.language)
      }
    })
  }
})

test('protocol.md prints the error catalogue, and README too the gates, as they are in the code', async () => {
  const text = await readFile(join(ROOT, 'docs/protocol.md'), 'utf8')
  for (const [type, { summary, details }] of Object.entries(ERROR_CATALOGUE)) {
    expect(text).toContain(`| \`${type}\` | ${summary} |`)
    const fields = Object.entries(details ?? {}).map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    if (fields.length > 0) expect(text).toContain(`| \`${type}\` | ${fields.join('<br>')} |`)
  }
  const gates = `find → ${GATES.map(({ name }) => name).join(' → ')} → record`
  expect(text).toContain(`> ${gates}`)
  expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain(`  ${gates}\n`)
})

test('the policy in serving.md is valid as it is printed', async () => {
  const blocks = blocksOf(await readFile(join(ROOT, 'docs/serving.md'), 'utf8'))
  const [policy] = blocks.filter((block) => option(block, 'file') === 'myrmex.policy.json')
  expect(parsePolicy(JSON.parse(policy?.code ?? '')).jwt).toMatchObject({ issuer: 'https://id.example' })
})

test('changes.md prints the table of changes as it is in the code', async () => {
  const text = await readFile(join(ROOT, 'docs/changes.md'), 'utf8')
  const rows = Object.entries(CHANGES).map(([kind, { level, reason }]) => `| \`${kind}\` | ${level} | ${reason} |`)
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .sort(),
  ).toEqual(rows.sort())
})

test('every link to a file leads somewhere', async () => {
  for (const file of [
    ...documents,
    ...['ARCHITECTURE', 'CONTRIBUTING', 'SECURITY', 'CHANGELOG'].map((name) => join(ROOT, `${name}.md`)),
  ]) {
    for (const [, path] of (await readFile(file, 'utf8')).matchAll(/\]\((?!http)([^)#]+)/g)) {
      await expect(
        readFile(join(dirname(file), path as string)).catch(
          (error) => error.code === 'EISDIR' || Promise.reject(error),
        ),
        `${file}: ${path}`,
      ).resolves.toBeDefined()
    }
  }
})
