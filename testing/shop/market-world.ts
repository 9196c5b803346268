/** Worlds for tests of the market: a migrated file in memory, empty or filled, and all of it as one text to compare. */
import { DatabaseSync } from 'node:sqlite'
import { createKysely } from '../../packages/dropship/src/embedded/database/connect.ts'
import { migrate } from '../../packages/dropship/src/embedded/database/migrate.ts'
import { Store } from '../../packages/dropship/src/embedded/database/store.ts'
import { fillWorld, type WorldOptions } from '../../packages/dropship/src/market/world/fill-world.ts'

export const SMALL_WORLD = { listings: 24, products: 8, history: 90 } as const

export async function emptyFile(): Promise<DatabaseSync> {
  const db = new DatabaseSync(':memory:')
  await migrate(new Store(db, createKysely(db)))
  return db
}

export async function marketWorld(size: WorldOptions): Promise<DatabaseSync> {
  const db = await emptyFile()
  fillWorld(db, size)
  return db
}

const templates = new Map<number, Uint8Array>()

/** A small world of that seed: made once, then copied. */
export async function smallWorld(seed = 1): Promise<DatabaseSync> {
  let template = templates.get(seed)
  if (template === undefined) {
    template = (await marketWorld({ seed, ...SMALL_WORLD })).serialize()
    templates.set(seed, template)
  }
  const db = new DatabaseSync(':memory:')
  db.deserialize(template)
  return db
}

export const rows = <Row = Record<string, unknown>>(
  db: DatabaseSync,
  text: string,
  ...values: (string | number)[]
): Row[] => db.prepare(text).all(...values) as Row[]

export const value = (db: DatabaseSync, text: string, ...values: (string | number)[]): number =>
  Number(Object.values(db.prepare(text).get(...values) ?? {})[0])

/** Every row of every table of the shop but those left out, in the order of their columns. */
export const dumpOf = (db: DatabaseSync, without: readonly string[] = []): string =>
  rows<{ name: string }>(
    db,
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kysely%' ORDER BY name",
  )
    .filter(({ name }) => !without.includes(name))
    .map(
      ({ name }) =>
        `${name}\n${rows(db, `SELECT * FROM ${name}`)
          .map((row) => JSON.stringify(row))
          .sort()
          .join('\n')}`,
    )
    .join('\n')
