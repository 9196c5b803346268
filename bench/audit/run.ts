// `npm run bench -- audit`: what a journal of many records takes to verify, to query for the first time and to keep. Time and peak memory
// are those of the command in a fresh process, its start included; every answer of it is checked.
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AtMost, auditAims } from '../aims.ts'
import { WrongAnswer } from '../measure/check-answer.ts'
import { spreadOf } from '../measure/spread.ts'
import { atMostTable, quartiles, table } from '../report.ts'
import { type CommandRun, runCommand } from './command.ts'
import { durabilityTable } from './durability.ts'
import { bytesOnDisk, type JournalShape, RARE_TOOL, writeJournal } from './fixture.ts'

interface Shape extends JournalShape {
  readonly id: string
  readonly what: string
  /** of the records asked for: signatures take long to make */
  readonly share: number
  readonly verifySeconds: number
}

const SHAPES: readonly Shape[] = [
  { id: '64', what: 'groups of 64', groupSize: 64, share: 1, verifySeconds: auditAims.verifyGroups },
  { id: '1', what: 'groups of one', groupSize: 1, share: 1, verifySeconds: auditAims.verifySingles },
  {
    id: '1_signed',
    what: 'groups of one, each signed',
    groupSize: 1,
    signed: true,
    share: 0.1,
    verifySeconds: auditAims.verifySingles * 0.1,
  },
]

/** Each command runs this often; a slow one fewer times. */
const RUNS = 3
const ENOUGH_SECONDS = 60
const FOUND = 10

export async function benchAudit(records: number, log: (text: string) => void): Promise<AtMost[]> {
  const rows: string[][] = []
  const sizes: string[][] = []
  const aims: AtMost[] = []
  for (const shape of SHAPES) {
    const folder = mkdtempSync(join(tmpdir(), 'myrmex-bench-audit-'))
    try {
      const count = Math.max(1000, Math.ceil(records * shape.share))
      await measureShape(folder, shape, { records: count, rows, sizes, aims })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const head = ['command', 'records', 'seconds', 'quartiles', 'first output after', 'CPU seconds', 'peak memory']
  log(`${table(head, rows)}\n`)
  log(`${table(['journal', 'records', 'bytes a record', 'and with the index', 'CPU µs to write one'], sizes)}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-bench-audit-'))
  try {
    log(await durabilityTable(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  // The aims are for a million.
  if (records !== auditAims.records) return []
  log(`\n${atMostTable(aims)}`)
  return aims
}

interface Findings {
  readonly records: number
  readonly rows: string[][]
  readonly sizes: string[][]
  readonly aims: AtMost[]
}

async function measureShape(folder: string, shape: Shape, { records, rows, sizes, aims }: Findings): Promise<void> {
  const made = join(folder, 'made')
  const micros = await writeJournal(join(made, 'ledger.db'), records, shape)
  const bytes = await bytesOnDisk(made)

  const verified = await repeated(() => verify(made, records))
  const rowOf = (what: string, runs: readonly CommandRun[]) => [
    `${what}, ${shape.what}`,
    records.toLocaleString('en-US'),
    ...cells(runs),
  ]
  rows.push(rowOf('verify', verified))
  aims.push(aim(`audit_verify_${shape.id}`, verified, shape.verifySeconds))

  // Each on a copy of its own: the first query may leave an index behind.
  const copy = join(folder, 'copy')
  const first = await repeated(async () => {
    rmSync(copy, { recursive: true, force: true })
    cpSync(made, copy, { recursive: true, preserveTimestamps: true })
    return query(copy)
  })
  rows.push(rowOf('first query', first))
  aims.push(firstQueryAim(shape.id, first))
  rows.push(rowOf('later query', await repeated(() => query(copy))))

  const each = (total: number): string => (total / records).toFixed(0)
  sizes.push([
    shape.what,
    records.toLocaleString('en-US'),
    each(bytes),
    each(await bytesOnDisk(copy)),
    micros.toFixed(2),
  ])
}

async function repeated(once: () => Promise<CommandRun>): Promise<CommandRun[]> {
  const runs: CommandRun[] = []
  let seconds = 0
  while (runs.length < RUNS && seconds < ENOUGH_SECONDS) {
    const run = await once()
    seconds += run.seconds
    runs.push(run)
  }
  return runs
}

async function verify(folder: string, records: number): Promise<CommandRun> {
  const run = await runCommand(['audit', 'verify', '--ledger', join(folder, 'ledger.db')])
  if (!run.stdout.replaceAll(',', '').includes(String(records)))
    throw new WrongAnswer(`verify does not speak of ${records} records: ${run.stdout}`)
  return run
}

async function query(folder: string): Promise<CommandRun> {
  const where = ['--ledger', join(folder, 'ledger.db')]
  const run = await runCommand(['audit', 'query', ...where, '--limit', String(FOUND), '--tool', RARE_TOOL, '--json'])
  const found = run.stdout.trim().split('\n')
  const tools = new Set(found.map((line) => (JSON.parse(line) as { tool?: string }).tool))
  if (found.length !== FOUND || tools.size !== 1 || !tools.has(RARE_TOOL))
    throw new WrongAnswer(`the query found ${found.length} calls of ${[...tools].join(', ')}`)
  return run
}

const secondsOf = (runs: readonly CommandRun[]) => spreadOf(runs.map(({ seconds }) => seconds))

const aim = (id: string, runs: readonly CommandRun[], atMost: number): AtMost => ({
  id,
  measured: secondsOf(runs),
  atMost,
})

/** It is quick, or it says from the first second on how far it is. */
function firstQueryAim(shape: string, runs: readonly CommandRun[]): AtMost {
  const whole = aim(`audit_first_query_${shape}`, runs, auditAims.firstQuery)
  if (whole.measured.median <= whole.atMost) return whole
  const measured = spreadOf(runs.map(({ firstOutput }) => firstOutput))
  return { id: `audit_first_query_${shape}_progress`, measured, atMost: auditAims.firstProgress }
}

function cells(runs: readonly CommandRun[]): string[] {
  const of = (part: 'firstOutput' | 'cpuSeconds' | 'peakMegabytes') => spreadOf(runs.map((run) => run[part])).median
  return [
    secondsOf(runs).median.toFixed(2),
    quartiles(secondsOf(runs), (value) => value.toFixed(2)),
    `${of('firstOutput').toFixed(2)} s`,
    of('cpuSeconds').toFixed(2),
    `${of('peakMegabytes').toFixed(0)} MB`,
  ]
}
