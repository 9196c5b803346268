/**
 * The pages of the rules are true: each shows a document that breaks its rule, with what the linter prints, and one that keeps
 * it. A page shows the sections in which its document differs from the one in the index, or the whole document.
 */
import { glob, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { toText } from '../../packages/myrmex/src/spec/lint/report.ts'
import { RULES } from '../../packages/myrmex/src/spec/lint/rules.ts'
import { lint } from '../../packages/myrmex/src/spec/lint.ts'

const FOLDER = fileURLToPath(new URL('../../docs/rules', import.meta.url))
const read = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8')

const documentsIn = (page: string): string[] =>
  [...page.matchAll(/^````markdown\n(.*?)^````$/gms)].map(([, document]) => document as string)

const index = await read('README.md')
const [base] = documentsIn(index) as [string]

/** The document that a page means by these sections. */
function whole(shown: string): string {
  if (/^##? /m.test(shown)) return shown
  return shown.split(/^(?=### )/m).reduce((document, section) => {
    const heading = section.slice(0, section.indexOf('\n') + 1)
    const [before, after] = document.split(heading)
    if (after === undefined) throw new Error(`the document of the index has no ${heading}`)
    const next = after.search(/^### /m)
    return `${before}${section.trim()}\n${next === -1 ? '' : `\n${after.slice(next)}`}`
  }, base)
}

const found = (document: string, rule: string): string =>
  toText(lint('document.md', document).filter((finding) => finding.rule === rule))

test('the document that the pages change has no findings', () => {
  expect(toText(lint('document.md', base))).toBe('')
})

test('every rule has a page, every page a rule, and the index lists them all with their severity', async () => {
  const pages: string[] = []
  for await (const file of glob('*.md', { cwd: FOLDER })) if (file !== 'README.md') pages.push(basename(file, '.md'))
  expect(pages.sort()).toEqual(RULES.map(({ name }) => name).sort())
  const listed = [...index.matchAll(/^\| \[(\S+)\]\((\S+)\) \| (\w+) \| (.*) \|$/gm)].map(([, ...cells]) => cells)
  expect(listed).toEqual(RULES.map(({ name, severity, summary }) => [name, `${name}.md`, severity, summary]))
})

describe.each(RULES.map((rule) => [rule.name, rule] as const))('%s', async (name, { severity, summary }) => {
  const page = await read(`${name}.md`)
  const [breaks, keeps] = documentsIn(page) as [string, string]

  test('the page says what it is', () => {
    expect(page.startsWith(`# ${name}\n\n**Severity**: ${severity}\n\n${summary}\n\n`)).toBe(true)
  })

  test('the first document breaks it, where and as the page says', () => {
    const [, printed] = /^```text\n(.*?)^```$/ms.exec(page) as unknown as [string, string]
    expect(found(whole(breaks), name)).toBe(printed)
  })

  test('the second document keeps it', () => {
    expect(found(whole(keeps), name)).toBe('')
  })
})
