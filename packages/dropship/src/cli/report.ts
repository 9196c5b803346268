/** `myrmex dropship report`: prints the report of a period, and writes it as files. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, ToolError } from 'myrmex'
import { connect } from 'myrmex/client'
import { print, say } from 'myrmex/serve'
import { generateReport } from '../agents/analytics/generate-report.ts'
import { closeTheShop, theShop } from '../agents/the-shop.ts'
import type { ReportData } from '../start/pages/report-pages.ts'

export interface ReportOptions {
  out?: string
  json?: boolean
}

export async function report(date_range: string, { out, json }: ReportOptions): Promise<void> {
  const server = createServer({ name: 'report', version: '0.1.0', tools: [generateReport(theShop)] })
  const connection = await connect(server)
  try {
    const { data, error } = await connection.call('analytics.generate_report', { date_range })
    if (error !== null) throw new ToolError(error.error_type, error.error_message)
    const made = data as unknown as ReportData
    print(json ? JSON.stringify(data) : made.text)
    if (out !== undefined) await write(made, out)
  } finally {
    await connection.close()
    await closeTheShop()
  }
}

async function write({ text, charts }: ReportData, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const pictures = charts.map(({ name, title }) => `![${title}](${name}.svg)`)
  await writeFile(join(folder, 'report.md'), `${[text, ...pictures].join('\n\n')}\n`)
  for (const { name, svg } of charts) await writeFile(join(folder, `${name}.svg`), svg)
  say(`wrote report.md and ${charts.length} chart${charts.length === 1 ? '' : 's'} to ${folder}`)
}
