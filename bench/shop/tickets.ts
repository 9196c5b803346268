/** How well the fleet reads tickets: over the worlds of many seeds, against the labels that only the simulator knows. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createShop } from '../../packages/dropship/src/embedded/create.ts'
import { type Labelled, type Measured, measure } from '../../packages/dropship/src/tickets/measure.ts'

export interface TicketsWanted {
  readonly seeds: readonly number[]
  /** days that each world has lived */
  readonly history?: number
}

export type TicketFigures = Measured

export async function measureTickets({ seeds, history = 365 }: TicketsWanted): Promise<TicketFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-tickets-'))
  try {
    const tickets: Labelled[] = []
    for (const seed of seeds) tickets.push(...(await labelled(join(folder, `${seed}.db`), seed, history)))
    return await measure(tickets)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function labelled(file: string, seed: number, history: number): Promise<Labelled[]> {
  await createShop({ file, seed, history })
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const sql =
      'SELECT subject, body, intent, sentiment FROM tickets JOIN hidden_tickets USING (ticket_id) ORDER BY ticket_id'
    return db.prepare(sql).all() as unknown as Labelled[]
  } finally {
    db.close()
  }
}
