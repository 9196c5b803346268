/** The storefront's secret, kept in the shop's own file, so that carts and links to orders outlive a restart. */
import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'

const NAME = 'storefront_secret'

/** Made at the first asking. Two who ask at once get the same. */
export function storefrontSecret(db: DatabaseSync): string {
  const read = db.prepare('SELECT value FROM meta WHERE name = ?')
  const found = read.get(NAME)
  if (found !== undefined) return String(found.value)
  db.prepare('INSERT OR IGNORE INTO meta (name, value) VALUES (?, ?)').run(NAME, randomBytes(32).toString('base64url'))
  return String(read.get(NAME)?.value)
}
