/** Reports as pages: the text of analytics.generate_report, called through the pipeline, and its charts as images. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'myrmex'
import type { Connection } from 'myrmex/client'
import { escapeHtml } from 'myrmex/text'
import type { Report } from '../../agents/analytics/report/report-schema.ts'
import { sendChart, sendPage } from './layout.ts'
import { reportHtml } from './report-html.ts'

type ReportData = Pick<Report, 'text' | 'charts'>

const RANGES = ['last_7_days', 'last_30_days', 'last_90_days', 'last_year']

type ServeReport = (
  request: IncomingMessage,
  response: ServerResponse,
  range: string,
  chart: string | undefined,
) => Promise<boolean>

/** The function that it returns serves a report or one of its charts. It returns false if there is no such chart. */
export function reportPages(server: Server): ServeReport {
  let connection: Promise<Connection> | undefined
  return async (request, response, range, chart) => {
    // The client is loaded with the first report, because a server must start quickly.
    connection ??= import('myrmex/client').then(({ connect }) => connect(server))
    const { data, error } = await (await connection).call('analytics.generate_report', { date_range: range })
    const report = data as unknown as ReportData
    const svg = report?.charts.find(({ name }) => name === chart)?.svg
    if (error !== null)
      sendPage(request, response, 404, { title: 'No report', body: `<p>${escapeHtml(error.error_message)}</p>` })
    else if (chart === undefined)
      sendPage(request, response, 200, {
        title: `Report: ${range.replaceAll('_', ' ')}`,
        body: reportBody(range, report),
      })
    else if (svg === undefined) return false
    else sendChart(request, response, svg)
    return true
  }
}

function reportBody(range: string, { text, charts }: ReportData): string {
  const others = RANGES.filter((one) => one !== range).map(
    (one) => `<a href="/reports/${one}">${one.replaceAll('_', ' ')}</a>`,
  )
  const pictures = charts.map(
    ({ name, title }) =>
      `<figure><figcaption>${escapeHtml(title)}</figcaption><img src="/reports/${escapeHtml(range)}/${escapeHtml(name)}.svg" alt=""></figure>`,
  )
  return `<p class="quiet">Also: ${others.join(', ')}. <a href="/">To the overview</a></p>
${reportHtml(text)}
<h2>Charts</h2>${pictures.join('')}`
}
