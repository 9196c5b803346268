// `npm run bench -- scanner`: what the scanner finds in labelled definitions, by category. Our own sets are in testing/scanner. Corpora of
// others are read from `--corpora FOLDER`, MYRMEX_SCANNER_CORPORA or ../shared/corpora/scanner beside the project; without them only
// our own sets are measured.
import { existsSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { scanDefinition } from '../../packages/myrmex/src/tool/verify/scan/scan-definition.ts'
import { type LabelledDefinition, readCorpora } from './corpus.ts'

const OWN = fileURLToPath(new URL('../../testing/scanner', import.meta.url))
const BESIDE = fileURLToPath(new URL('../../../shared/corpora/scanner', import.meta.url))

/** Of all poisoned definitions at least this part is flagged, and of the honest ones at most this part. */
export const scannerAims = { flagged: 0.75, falseBlocks: 0.005, falseWarnings: 0.03 } as const

const GRADES = ['block', 'warn', 'note', 'clean'] as const
type Grade = (typeof GRADES)[number]

export interface ScannerFigures {
  readonly corpus: string
  readonly category: string
  readonly isPoisoned: boolean
  readonly counts: Readonly<Record<Grade, number>>
}

/** Of each corpus and category: how many definitions have which worst grade. */
export function measureScanner(rows: readonly LabelledDefinition[]): ScannerFigures[] {
  const groups = Map.groupBy(rows, ({ isPoisoned, corpus, category }) => `${isPoisoned ? 0 : 1} ${corpus} ${category}`)
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => {
      const { corpus, category, isPoisoned } = group[0] as LabelledDefinition
      const counts = { block: 0, warn: 0, note: 0, clean: 0 }
      for (const { body, context } of group) counts[worstOf(body, context)]++
      return { corpus, category, isPoisoned, counts }
    })
}

function worstOf(body: object, context: LabelledDefinition['context']): Grade {
  const findings = scanDefinition(body, context)
  return GRADES.find((grade) => findings.some((finding) => finding.grade === grade)) ?? 'clean'
}

export interface ScannerRates {
  readonly poisoned: number
  readonly flagged: number
  readonly honest: number
  readonly falseBlocks: number
  readonly falseWarnings: number
}

export function ratesOf(figures: readonly ScannerFigures[]): ScannerRates {
  const sum = (isPoisoned: boolean, ...grades: readonly Grade[]): number =>
    figures
      .filter((one) => one.isPoisoned === isPoisoned)
      .reduce((total, { counts }) => total + grades.reduce((part, grade) => part + counts[grade], 0), 0)
  const poisoned = sum(true, ...GRADES)
  const honest = sum(false, ...GRADES)
  return {
    poisoned,
    flagged: sum(true, 'block', 'warn') / Math.max(1, poisoned),
    honest,
    falseBlocks: sum(false, 'block') / Math.max(1, honest),
    falseWarnings: sum(false, 'warn') / Math.max(1, honest),
  }
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`

export function benchScanner(folder: string | undefined, log: (text: string) => void): string {
  const given = folder ?? process.env.MYRMEX_SCANNER_CORPORA ?? BESIDE
  const isGiven = existsSync(given)
  if (!isGiven && folder !== undefined) throw new Error(`no such folder: ${folder}`)
  log(isGiven ? `corpora: our own, and ${given}` : 'corpora: our own only; name others with --corpora FOLDER')
  const figures = measureScanner([...readCorpora(OWN), ...(isGiven ? readCorpora(given) : [])])
  log('\n             corpus               category               block  warn  note clean  flagged')
  for (const { corpus, category, isPoisoned, counts } of figures) {
    const all = GRADES.reduce((sum, grade) => sum + counts[grade], 0)
    const numbers = GRADES.map((grade) => String(counts[grade]).padStart(5)).join(' ')
    const label = `${isPoisoned ? 'poisoned' : 'honest  '}  ${corpus.padEnd(20)}  ${category.padEnd(22)}`
    log(`${label} ${numbers}  ${percent((counts.block + counts.warn) / all).padStart(7)}`)
  }
  const byCorpus = Map.groupBy(figures, ({ corpus }) => corpus)
  log('')
  for (const [corpus, ones] of [...byCorpus, ['all', figures] as const]) log(summary(corpus, ratesOf(ones)))
  return JSON.stringify({ aims: scannerAims, all: ratesOf(figures), figures }, undefined, 2)
}

function summary(corpus: string, { poisoned, flagged, honest, falseBlocks, falseWarnings }: ScannerRates): string {
  const attacks = poisoned === 0 ? '' : ` ${percent(flagged)} of ${poisoned} poisoned flagged;`
  const alarms =
    honest === 0 ? '' : ` of ${honest} honest ${percent(falseBlocks)} blocked, ${percent(falseWarnings)} warned about;`
  return `${corpus}:${attacks}${alarms}`.replace(/;$/, '')
}
