/**
 * A ledger on disk as several processes leave it: three chains, two of them at the same time, several segments, decisions, an index,
 * anchors stored elsewhere, and an old copy of everything. For tests that tamper with copies of it.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { readAnchors } from '../../packages/myrmex/src/ledger/journal/anchor-file.ts'
import type { SignedMark } from '../../packages/myrmex/src/ledger/journal/mark.ts'
import { argsHash } from '../../packages/myrmex/src/ledger/journal/read.ts'
import { type VerifyOptions, type VerifyReport, verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { existingKey, openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { openExisting } from '../../packages/myrmex/src/ledger/open-existing.ts'
import { recordGroup, sampleLine } from './sample-audit.ts'

const DEFINITION = { tool: 'shop.refund', version: '1.0.0', hash: 'a'.repeat(64) }

/** A folder with `ledger.db`, `ledger.key`, `ledger.journal` and what was stored elsewhere. */
export class LedgerFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  get address(): string {
    return join(this.path, 'ledger.db')
  }

  get anchorFile(): string {
    return join(this.path, 'anchors.jsonl')
  }

  get #journal(): string {
    return join(this.path, 'ledger.journal')
  }

  copyTo(path: string): LedgerFolder {
    cpSync(this.path, path, { recursive: true })
    return new LedgerFolder(path)
  }

  /** Paths of the segments, in the order of their names. */
  segments(): string[] {
    const names = readdirSync(this.#journal).filter((name) => name.endsWith('.jsonl'))
    return names.sort().map((name) => join(this.#journal, name))
  }

  /** Segments by chain, in the order in which the chains began. */
  chains(): string[][] {
    const byChain = Map.groupBy(this.segments(), (path) => path.split('-').at(-2))
    return [...byChain.values()]
  }

  sql(statement: string, ...params: (string | number)[]): void {
    const database = new DatabaseSync(this.address)
    database.prepare(statement).run(...params)
    database.close()
  }

  indexSql(statement: string): void {
    const database = new DatabaseSync(join(this.#journal, 'index.db'))
    database.exec(statement)
    database.close()
  }

  async verify(options: VerifyOptions & { withoutKey?: boolean } = {}): Promise<VerifyReport> {
    const key = options.withoutKey ? undefined : existingKey(this.address)
    const ledger = await openExisting(this.address, { readOnly: true })
    try {
      return await verifyLedger(ledger, { key, ...options })
    } finally {
      await ledger.close()
    }
  }

  anchors = (): Promise<SignedMark[]> => readAnchors(this.anchorFile)
}

export interface SegmentText {
  readonly path: string
  /** every group as its lines, the last one with its MAC; all without newlines */
  readonly groups: string[][]
}

export function readSegment(path: string): SegmentText {
  const groups: string[][] = []
  let lines: string[] = []
  for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    lines.push(line)
    if (!line.startsWith('{"group":')) continue
    groups.push(lines)
    lines = []
  }
  return { path, groups }
}

export const writeSegment = (path: string, groups: readonly (readonly string[])[]): void =>
  writeFileSync(path, groups.map((lines) => lines.map((line) => `${line}\n`).join('')).join(''))

/** Makes the ledger in `path`, and the old copy in `old`. */
export async function makeLedgerFolder(path: string, old: string): Promise<LedgerFolder> {
  mkdirSync(path, { recursive: true })
  const folder = new LedgerFolder(path)
  const open = (): Promise<Ledger> => openLedger(folder.address, { segments: { segmentBytes: 4000 } })
  const places = [{ file: folder.anchorFile }]
  let number = 0
  const record = async (ledger: Ledger, count: number, changes: object = {}): Promise<void> =>
    recordGroup(
      ledger,
      Array.from({ length: count }, () => sampleLine(++number, changes)),
    )

  const first = await open()
  first.startAnchors(places, 3_600_000, fail)
  await first.trust.set(DEFINITION, 'trusted', { name: 'ann', from: 'cli' })
  await first.grants.give(DEFINITION, { name: 'ann', from: 'cli' })
  const args = { amount: 20 }
  const call = { ...DEFINITION, args_hash: argsHash(args), principal: 'bob' }
  const { id } = await first.approvals.request(call, JSON.stringify(args), 'it changes state')
  await first.approvals.approve(id, { name: 'ann', from: 'api' })
  await first.approvals.use(call, 'call-used')
  await record(first, 1, { approval: id, call_id: 'call-used', tool: DEFINITION.tool, args })
  for (let group = 0; group < 8; group++) await record(first, 3)
  await first.journal.flush()
  const second = await open()
  second.startAnchors(places, 3_600_000, fail)
  for (let group = 0; group < 3; group++) await record(second, 2)
  await second.journal.flush()
  await record(first, 2)
  // It links to the second chain now.
  await first.journal.flush()
  cpSync(path, old, { recursive: true })
  for (let group = 0; group < 4; group++) await record(second, 2)
  await second.grants.revoke(DEFINITION.tool, { name: 'eve', from: 'api' })
  await second.close()
  await record(first, 2)
  await first.close()
  const third = await open()
  third.startAnchors(places, 3_600_000, fail)
  for (let group = 0; group < 3; group++) await record(third, 2)
  await third.index.update()
  await third.close()
  return folder
}

const fail = (error: unknown): never => {
  throw error
}
