/**
 * The pages that announcements link to. They say how to decide, and nothing else: they never look into the ledger, take no parameter, and show
 * the same for every id, so that a link shows and decides nothing, for anyone who opens it.
 */
import type { Pages } from '../../transport/http/pages.ts'
import { pathOf } from '../../transport/http/reply.ts'
import { refuseMethod, sendPlainPage } from './plain-page.ts'

const PATH = /^\/approvals(?:\/([^/]*))?$/
/** As the ledger makes them. Nothing else from the address is shown. */
const ID = /^[a-z0-9]{10}$/

export const approvalPages: Pages = {
  has: (path) => PATH.test(path),
  async serve(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response, 'GET, HEAD')
    const [, id = ''] = PATH.exec(pathOf(request)) ?? []
    sendPlainPage(response, 200, id === '' ? ALL : about(ID.test(id) ? id : 'ID'))
  },
}

const WHERE =
  "This page shows no calls and decides nothing. In the folder of the host, with the operator's rights, run:"

const ALL = ['Calls may be waiting for approval.', WHERE, { code: 'npx myrmex approvals list' }]

const about = (id: string) => [
  'A call may be waiting for approval.',
  WHERE,
  { code: `npx myrmex approvals show ${id}\nnpx myrmex approvals approve ${id}\nnpx myrmex approvals deny ${id}` },
]
