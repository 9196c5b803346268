/** The story of the shop from end to end, as its owner types it: launch, a month of business, customers served, a report. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ShopOwner } from '@myrmex/testing/shop/shop-owner'
import { expect, test } from 'vitest'

const count = (file: string, sql: string): number => {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return Number(Object.values(db.prepare(sql).get() ?? {})[0])
  } finally {
    db.close()
  }
}

/** What the README shows of these very commands; … is anything. */
function shownInReadme(): string[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const blocks = [...readme.matchAll(/^```text\n(\$ npx myrmex .*?)^```$/gms)].map(([, text]) => text as string)
  const lines = blocks.flatMap((text) => text.split('\n')).filter((line) => !line.startsWith('$ '))
  return lines.flatMap((line) => line.split('…')).filter((part) => part.trim() !== '')
}

test('a coffee brand is launched, sells, is served and reported on', async () => {
  const owner = await new ShopOwner().withShop()
  expect((await owner.myrmex('dropship', 'init')).code).toBe(0)
  expect(
    count(owner.file, `SELECT count(*) FROM products JOIN listings USING (product_id) WHERE category = 'Coffee'`),
  ).toBe(0)

  const launched = await owner.myrmex('run', 'Launch a new coffee brand', '--budget', '5000', '--approve', 'all')
  expect(launched.stderr + launched.stdout, launched.stdout).toContain('campaign')
  expect(launched.code, launched.stdout + launched.stderr).toBe(0)
  expect(
    count(owner.file, `SELECT count(*) FROM products JOIN listings USING (product_id) WHERE category = 'Coffee'`),
  ).toBe(1)
  expect(
    count(
      owner.file,
      `SELECT count(*) FROM campaigns JOIN products USING (sku) JOIN listings USING (product_id) WHERE category = 'Coffee'`,
    ),
  ).toBe(1)
  expect(count(owner.file, 'SELECT count(*) FROM quotes')).toBeGreaterThan(0)

  const went = await owner.myrmex('dropship', 'simulate', '--days', '30')
  expect(went.stdout).toContain('orders for')
  const open = count(owner.file, `SELECT count(*) FROM orders WHERE status = 'paid'`)
  expect(open).toBeGreaterThan(10)

  const served = await owner.myrmex('run', 'Serve the customers', '--approve', 'all')
  expect(served.code, served.stdout + served.stderr).toBe(0)
  expect(count(owner.file, `SELECT count(*) FROM orders WHERE status = 'paid'`)).toBe(0)
  expect(count(owner.file, `SELECT count(*) FROM tickets WHERE status = 'open'`)).toBe(0)

  const reported = await owner.myrmex('run', 'Report on the last 30 days')
  expect(reported.code).toBe(0)
  expect(reported.stdout).toMatch(/[▁▂▃▄▅▆▇█]/)
  const printed = [launched, went, served, reported].map(({ stdout }) => stdout).join('\n')
  const shown = shownInReadme()
  expect(shown.length).toBeGreaterThan(10)
  for (const part of shown) expect(printed, 'README.md shows what these commands no longer print').toContain(part)
  expect((await owner.myrmex('dropship', 'report', '--out', 'out')).code).toBe(0)
  const files = readdirSync(join(owner.folder, 'out'))
  expect(files).toContain('report.md')
  const charts = files.filter((name) => name.endsWith('.svg'))
  expect(charts.length).toBeGreaterThan(2)
  for (const name of charts) expect(readFileSync(join(owner.folder, 'out', name), 'utf8')).toMatch(/^<svg/)
}, 120_000)
