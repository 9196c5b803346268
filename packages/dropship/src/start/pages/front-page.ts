/** The page at `/`: what is running, and links to it. */

import type { Runs } from 'myrmex/runs'
import { escapeHtml } from 'myrmex/text'
import { theShop } from '../../agents/the-shop.ts'
import { htmlTable, type PlainPage } from './layout.ts'

const GOALS = [
  'npx myrmex run "Launch a new coffee brand" --budget 5000',
  'npx myrmex dropship simulate --days 30',
  'npx myrmex run "Serve the customers"',
  'npx myrmex run "Report on the last 30 days"',
]

export async function frontPage(runs: Runs, isOpen: boolean): Promise<PlainPage> {
  const title = 'A shop that seven agents run'
  const doors = [
    linkItem('/shop/', 'The shop', 'The storefront as shoppers see it. No money moves.'),
    ...(isOpen
      ? [
          linkItem('/runs', 'Runs', 'Goals, their plans and their results.'),
          linkItem('/reports/last_30_days', 'Report', 'Revenue, cost and campaigns of the last 30 days, with charts.'),
        ]
      : []),
    `<li><strong>MCP endpoint</strong><br><code>/mcp</code><br><span class="quiet">${
      isOpen ? 'Any MCP client on this machine may connect.' : 'Callers need a bearer token.'
    }</span></li>`,
  ]
  const body = [
    isOpen ? await shopStatus(runs) : '',
    `<ul class="doors">${doors.join('')}</ul>`,
    `<h2>Goals to try, in a terminal</h2><pre class="commands">${GOALS.map(escapeHtml).join('\n')}</pre>`,
    isOpen ? agents(runs) : '',
    '<p class="quiet">Approve calls in the terminal: <code>npx myrmex approvals list</code></p>',
  ]
  return { title, body: body.join('\n') }
}

const linkItem = (href: string, name: string, what: string): string =>
  `<li><a href="${href}">${name}</a><br><span class="quiet">${what}</span></li>`

async function shopStatus({ environment }: Runs): Promise<string> {
  const shop = await theShop()
  const today = await shop.clock.today()
  const open = await shop.orders.orders({ status: 'paid', limit: 1000 })
  const tickets = await shop.helpdesk.tickets({ status: 'open', limit: 1000 })
  const waiting = (await environment.ledger.runs.list({ open: true, limit: 100 })).length
  const count = (number: number, one: string, many: string): string =>
    `${number >= 1000 ? 'more than 999' : number} ${number === 1 ? one : many}`
  const counts = [
    count(open.length, 'order is waiting', 'orders are waiting'),
    count(tickets.length, 'ticket is open', 'tickets are open'),
    count(waiting, 'run is unfinished', 'runs are unfinished'),
  ]
  return `<p class="quiet">Today in the shop is ${escapeHtml(today)}. ${counts.join(', ')}.</p>`
}

function agents({ environment }: Runs): string {
  const rows = environment.fleet.agents.map(({ name }) => {
    const tools = environment.fleet.views().filter(({ agent }) => agent === name)
    const shown = tools.map((tool) => `<code>${escapeHtml(tool.name.slice(name.length + 1))}</code>`).join(', ')
    return [escapeHtml(name), shown]
  })
  return `<h2>Agents</h2>${htmlTable(['Agent', 'Tools'], rows)}`
}
