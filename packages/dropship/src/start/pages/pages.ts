/**
 * The pages beside the endpoint: what is running at `/`, runs, reports with their charts, and the storefront. Where callers need a
 * token, only the storefront and the bare front page are there: the rest shows what only the operator may see.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pages } from 'myrmex'
import type { Runs } from 'myrmex/runs'
import { frontPage } from './front-page.ts'
import { type PlainPage, sendPage } from './layout.ts'
import { ReportPages } from './report-pages.ts'
import { runPage, runsPage } from './run-pages.ts'

export interface PagesOptions {
  readonly runs: Runs
  readonly storefront: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  /** nobody needs a token here */
  readonly isOpen: boolean
}

const SHOP = /^\/shop(\/|$)/
const OPERATOR = /^\/(runs|reports)(\/|$)/

export function shopPages({ runs, storefront, isOpen }: PagesOptions): Pages {
  const reports = new ReportPages(runs.environment.fleet.server)
  const isOurs = (path: string): boolean => path === '/' || SHOP.test(path) || (isOpen && OPERATOR.test(path))
  return {
    has: (path) => isOurs(resolvedPath(path)),
    async serve(request, response) {
      const pathname = resolvedPath(request.url ?? '/')
      if (!isOurs(pathname)) return sendPage(request, response, 404, NOT_FOUND)
      if (SHOP.test(pathname) && (await storefront(request, response))) return
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('allow', 'GET, HEAD')
        return sendPage(request, response, 405, NOT_ALLOWED)
      }
      const page = await plainPage(runs, pathname, isOpen)
      if (page !== undefined) return sendPage(request, response, 200, page)
      const [, range, chart] = /^\/reports\/([\w.-]+?)(?:\/([\w-]+)\.svg)?$/.exec(pathname) ?? []
      if (range !== undefined && (await reports.serve(request, response, range, chart))) return
      sendPage(request, response, 404, NOT_FOUND)
    },
  }
}

/** The path that a browser would have sent: who may see a page is never decided by one with `..` in it. */
const resolvedPath = (path: string): string =>
  URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost').pathname : ''

const NOT_ALLOWED = { title: 'Not allowed', body: '<p>This page can only be read.</p>' }
const NOT_FOUND = { title: 'Not here', body: '<p>There is no such page. <a href="/">To the start</a></p>' }

async function plainPage(runs: Runs, path: string, isOpen: boolean): Promise<PlainPage | undefined> {
  if (path === '/') return frontPage(runs, isOpen)
  if (path === '/runs') return runsPage(runs)
  const [, run] = /^\/runs\/([\w-]+)$/.exec(path) ?? []
  return run === undefined ? undefined : runPage(runs, run)
}
