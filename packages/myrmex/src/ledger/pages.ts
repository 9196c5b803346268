/**
 * The texts of the pages of apps, by the name of their definition and their hash: people who review a changed page read what changed. Of
 * each page the oldest texts and the newest one are kept, because somebody may have decided about the old ones.
 */
import { zlib } from '../protocol/builtin.ts'
import { Store } from './db.ts'

const MAX_KEPT = 10
const MAX_BYTES = 32 * 1024 * 1024

export class PageStore extends Store {
  async keep(tool: string, hash: string, text: string): Promise<void> {
    const kept = await this.db.query<{ hash: string }>('SELECT hash FROM pages WHERE tool = ? ORDER BY seen_at, hash', [
      tool,
    ])
    if (kept.some((one) => one.hash === hash)) return
    const newest = kept.at(-1)
    if (kept.length >= MAX_KEPT && newest !== undefined)
      await this.db.query('DELETE FROM pages WHERE tool = ? AND hash = ?', [tool, newest.hash])
    const body = zlib().gzipSync(text).toString('base64')
    await this.db.query(
      `INSERT INTO pages (tool, hash, body, seen_at) VALUES (?, ?, ?, ${this.db.now}) ON CONFLICT (tool, hash) DO NOTHING`,
      [tool, hash, body],
    )
  }

  /** Undefined: it is not kept. */
  async text(tool: string, hash: string): Promise<string | undefined> {
    const [row] = await this.db.query<{ body: string }>('SELECT body FROM pages WHERE tool = ? AND hash = ?', [
      tool,
      hash,
    ])
    return row && zlib().gunzipSync(Buffer.from(row.body, 'base64'), { maxOutputLength: MAX_BYTES }).toString('utf8')
  }
}
