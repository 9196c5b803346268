/**
 * `node scripts/spec-corpus.ts FOLDER [--labels FILE] [--import] [--verbose]`: how well `spec lint` and `spec import` read documents
 * that others wrote. FOLDER has Markdown files. The labels say which tools each of them defines, found by a person who read it:
 *
 *     { "path/in/folder.md": { "tools": ["name"], "optional": ["name"], "none": true, "template": true, "part": "kept aside" } }
 *
 * `optional` names count neither as found nor as false, `none` says that the document states that it has no tool, and the figures
 * are printed for each `part`. `--import` type-checks the generated code with the settings of this repository, and loads it.
 */
import { spawnSync } from 'node:child_process'
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { SpecDocument } from '../packages/myrmex/src/spec/document.ts'
import { importTools } from '../packages/myrmex/src/spec/import.ts'
import { lint } from '../packages/myrmex/src/spec/lint.ts'
import { readDocument } from '../packages/myrmex/src/spec/read.ts'

interface Label {
  readonly tools: readonly string[]
  readonly optional?: readonly string[]
  readonly none?: boolean
  readonly template?: boolean
  readonly part?: string
}

interface Reading {
  readonly file: string
  readonly label: Label
  readonly document: SpecDocument
  readonly found: readonly string[]
  readonly findings: readonly { readonly rule: string }[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    labels: { type: 'string' },
    import: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
const [folder] = positionals
if (folder === undefined) throw new Error('Give the folder with the documents.')

const print = (text: string): boolean => process.stdout.write(`${text}\n`)
const bare = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const labels: Record<string, Label> | undefined =
  values.labels === undefined ? undefined : JSON.parse(await readFile(values.labels, 'utf8'))

const readings: Reading[] = []
for await (const file of glob('**/*.md', { cwd: folder })) {
  const label = labels === undefined ? { tools: [] } : labels[file]
  if (label === undefined) continue
  const markdown = await readFile(join(folder, file), 'utf8')
  const document = readDocument(markdown)
  const real = document.tools.filter(({ isPlaceholder }) => !isPlaceholder)
  const found = real.map(({ invocationName, headingName }) => bare((invocationName ?? headingName)?.value ?? '?'))
  readings.push({ file, label, document, found, findings: lint(file, markdown) })
}

for (const [part, some] of Map.groupBy(readings, ({ label }) => label.part ?? 'all documents')) {
  const rows = [...countRows(some), ...(labels === undefined ? [] : labelRows(some)), ...findingRows(some)]
  if (values.import) rows.push(...(await importRows(some)))
  const width = Math.max(...rows.map(([name]) => name.length))
  print(`${part}\n${rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n')}\n`)
}

function countRows(some: readonly Reading[]): [string, string][] {
  return [
    ['documents', `${some.length}`],
    ['documents with a tool found', `${some.filter(({ found }) => found.length > 0).length}`],
    ['tools found', `${sum(some.map(({ found }) => found.length))}`],
    ['documents that say they define none', `${some.filter(({ document }) => document.saysNoTool).length}`],
  ]
}

function labelRows(some: readonly Reading[]): [string, string][] {
  const defining = some.filter(({ label }) => label.tools.length > 0)
  const compared = some.map(({ file, label, found }) => {
    const wanted = new Set(label.tools.map(bare))
    const allowed = new Set([...wanted, ...(label.optional ?? []).map(bare)])
    const missed = [...wanted].filter((name) => !found.includes(name))
    const wrong = found.filter((name, index) => !allowed.has(name) || (wanted.has(name) && found.indexOf(name) < index))
    if (values.verbose && (missed.length > 0 || wrong.length > 0)) {
      print(`${file}: missed ${missed.join(', ') || 'none'}; false ${wrong.join(', ') || 'none'}`)
    }
    return { wanted: wanted.size, missed: missed.length, wrong: wrong.length }
  })
  const wanted = sum(compared.map((one) => one.wanted))
  const right = wanted - sum(compared.map((one) => one.missed))
  const wrong = sum(compared.map((one) => one.wrong))
  const some1 = defining.filter(({ label, found }) => label.tools.some((name) => found.includes(bare(name))))
  const every = defining.filter(({ label, found }) => label.tools.every((name) => found.includes(bare(name))))
  const none = some.filter(({ label }) => label.none)
  const quiet = none.filter(({ findings }) => findings.length === 0)
  const templates = some.filter(({ label }) => label.template)
  const recognised = templates.filter(
    ({ findings }) => findings.length === 1 && findings[0]?.rule === 'unfilled-template',
  )
  return [
    ['documents that define a tool (labels)', `${defining.length}`],
    ['  with a tool of theirs found', `${some1.length} (${percent(some1.length, defining.length)})`],
    ['  with every tool of theirs found', `${every.length} (${percent(every.length, defining.length)})`],
    ['tools (labels)', `${wanted}`],
    ['  recall', `${right} (${percent(right, wanted)})`],
    ['  precision', `${wrong} false (${percent(right, right + wrong)})`],
    ['documents that state that they have none (labels)', `${none.length}, ${quiet.length} without a finding`],
    ['templates (labels)', `${templates.length}, ${recognised.length} reported as one finding`],
  ]
}

function findingRows(some: readonly Reading[]): [string, string][] {
  const counts = some.map(({ findings }) => findings.length).sort((a, b) => a - b)
  const rules = Map.groupBy(
    some.flatMap(({ findings }) => findings),
    ({ rule }) => rule,
  )
  const most = [...rules].sort(([, a], [, b]) => b.length - a.length).slice(0, 8)
  return [
    ['findings in a document', `median ${counts[counts.length >> 1] ?? 0}, most ${counts.at(-1) ?? 0}`],
    ['findings by rule', most.map(([rule, all]) => `${rule} ${all.length}`).join(', ')],
  ]
}

async function importRows(some: readonly Reading[]): Promise<[string, string][]> {
  const output = await mkdtemp(join(ROOT, '.spec-corpus-'))
  try {
    const wanted = some.filter(({ label, found }) => (labels === undefined ? found : label.tools).length > 0)
    const written = new Map<string, Reading>()
    let notes = 0
    for (const [index, reading] of wanted.entries()) {
      try {
        const imported = importTools(reading.document, reading.file)
        notes += imported.notes.length
        const name = `${index}.tools.ts`
        await writeFile(join(output, name), imported.source)
        written.set(name, reading)
      } catch (error) {
        if (values.verbose) print(`${reading.file}: not imported: ${(error as Error).message}`)
      }
    }
    const broken = await brokenFiles(output)
    let loaded = 0
    for (const [name, { file }] of written) {
      const made: unknown[] = await import(pathToFileURL(join(output, name)).href).then(Object.values, (error) => {
        if (values.verbose) print(`${file}: does not load: ${error.message}`)
        return []
      })
      if (made.length > 0 && !broken.has(name)) loaded++
      else if (values.verbose) print(`${file}: ${broken.get(name) ?? ''}`)
    }
    return [
      ['documents imported', `${written.size} of ${wanted.length}`],
      [
        '  with code that type-checks',
        `${written.size - broken.size} (${percent(written.size - broken.size, wanted.length)})`,
      ],
      ['  that also loads', `${loaded} (${percent(loaded, wanted.length)})`],
      ['notes on what was left out', `${notes}`],
    ]
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}

/** The first error of each file that does not type-check. */
async function brokenFiles(output: string): Promise<Map<string, string>> {
  await writeFile(join(output, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', include: ['*.ts'] }))
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', output, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: output,
  })
  const errors = [...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): (error .*)$/gm)]
  return new Map(errors.reverse().map(([, file = '', message = '']) => [basename(file), message]))
}
