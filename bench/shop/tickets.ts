/** How well the fleet reads tickets: over the worlds of many seeds, against the labels that only the simulator knows. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createShop } from '../../packages/dropship/src/embedded/create.ts'
import { type LabelledTicket, measureReading, type ReadingAccuracy } from '../../packages/dropship/training/measure.ts'

export interface TicketBenchOptions {
  readonly seeds: readonly number[]
  /** days that each world has lived */
  readonly history?: number
}

export type TicketFigures = ReadingAccuracy

export async function measureTickets({ seeds, history = 365 }: TicketBenchOptions): Promise<TicketFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-tickets-'))
  try {
    const tickets: LabelledTicket[] = []
    for (const seed of seeds) tickets.push(...(await labelled(join(folder, `${seed}.db`), seed, history)))
    return await measureReading(tickets)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function labelled(file: string, seed: number, history: number): Promise<LabelledTicket[]> {
  await createShop({ file, seed, history })
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const sql =
      'SELECT subject, body, intent, sentiment FROM tickets JOIN hidden_tickets USING (ticket_id) ORDER BY ticket_id'
    return db.prepare(sql).all() as unknown as LabelledTicket[]
  } finally {
    db.close()
  }
}
