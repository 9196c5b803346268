/** Reports as pages: the text of analytics.generate_report, called through the pipeline, and its charts as images. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'myrmex'
import type { Connection } from 'myrmex/client'
import { escapeHtml } from '../../html.ts'
import { sendPage } from './layout.ts'
import { reportHtml } from './report-html.ts'

export interface ReportData {
  readonly text: string
  readonly charts: readonly { readonly name: string; readonly title: string; readonly svg: string }[]
}

const RANGES = ['last_7_days', 'last_30_days', 'last_90_days', 'last_year']

export class ReportPages {
  readonly #server: Server
  #connection: Promise<Connection> | undefined

  constructor(server: Server) {
    this.#server = server
  }

  /** False: there is no such chart. */
  async serve(
    request: IncomingMessage,
    response: ServerResponse,
    range: string,
    chart: string | undefined,
  ): Promise<boolean> {
    // The client is loaded with the first report, because a server must start quickly.
    this.#connection ??= import('myrmex/client').then(({ connect }) => connect(this.#server))
    const { data, error } = await (await this.#connection).call('analytics.generate_report', { date_range: range })
    if (error !== null) {
      sendPage(request, response, 404, { title: 'No report', body: `<p>${escapeHtml(error.error_message)}</p>` })
      return true
    }
    const report = data as unknown as ReportData
    if (chart === undefined) {
      sendPage(request, response, 200, {
        title: `Report: ${range.replaceAll('_', ' ')}`,
        body: reportBody(range, report),
      })
      return true
    }
    const found = report.charts.find(({ name }) => name === chart)
    if (found !== undefined) sendChart(request, response, found.svg)
    return found !== undefined
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

function sendChart({ method }: IncomingMessage, response: ServerResponse, svg: string): void {
  response.writeHead(200, {
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-length': Buffer.byteLength(svg),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(method === 'HEAD' ? undefined : svg)
}
