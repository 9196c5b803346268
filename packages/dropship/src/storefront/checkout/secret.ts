/** The storefront's secret, stored in the shop's database, so that carts and links to orders survive a restart. */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

const NAME = 'storefront_secret'

/** Created on first use. Concurrent callers get the same secret. */
export function storefrontSecret(db: DatabaseSync): string {
  const read = db.prepare('SELECT value FROM meta WHERE name = ?')
  const found = read.get(NAME)
  if (found !== undefined) return String(found.value)
  db.prepare('INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)').run(NAME, randomBytes(32).toString('base64url'))
  return String(read.get(NAME)?.value)
}
