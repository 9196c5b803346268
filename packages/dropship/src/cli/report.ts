/** `myrmex dropship report`: prints the report of a period, and writes it as files. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { print, requireProjectOf, say } from 'myrmex/serve'
import { plural } from 'myrmex/text'
import { makeReport } from '../agents/analytics/report/report.ts'
import type { Report } from '../agents/analytics/report/report-schema.ts'
import { closeTheShop, shopFile, theShop } from '../agents/the-shop.ts'
import { sayIfCreated } from './say-if-created.ts'

export interface ReportOptions {
  out?: string
  json?: boolean
}

export async function report(date_range: string, { out, json }: ReportOptions): Promise<void> {
  try {
    await requireProjectOf(shopFile(process.env))
    sayIfCreated()
    const made = await makeReport(await theShop(), { date_range, charts: true })
    print(json ? JSON.stringify(made) : made.text)
    if (out !== undefined) await write(made, out)
  } finally {
    await closeTheShop()
  }
}

async function write({ text, charts }: Report, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const pictures = charts.map(({ name, title }) => `![${title}](${name}.svg)`)
  await writeFile(join(folder, 'report.md'), `${[text, ...pictures].join('\n\n')}\n`)
  for (const { name, svg } of charts) await writeFile(join(folder, `${name}.svg`), svg)
  say(`wrote report.md and ${plural(charts.length, 'chart')} to ${folder}`)
}
