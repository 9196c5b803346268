/**
 * The pages beside the endpoint: an overview at `/`, runs, reports with charts, and the storefront. If callers need a token, only the
 * storefront and a short overview are served, because the other pages are for the operator.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Pages } from 'myrmex'
import type { Runs } from 'myrmex/runs'
import { frontPage } from './front-page.ts'
import { type PlainPage, sendPage } from './layout.ts'
import { reportPages } from './report-pages.ts'
import { runPage, runsPage } from './run-pages.ts'

export interface PagesOptions {
  readonly runs: Runs
  readonly storefront: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  /** no token is needed */
  readonly isOpen: boolean
}

const SHOP = /^\/shop(\/|$)/
const OPERATOR = /^\/(runs|reports)(\/|$)/

export function shopPages({ runs, storefront, isOpen }: PagesOptions): Pages {
  const serveReport = reportPages(runs.environment.fleet.server)
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
      if (range !== undefined && (await serveReport(request, response, range, chart))) return
      sendPage(request, response, 404, NOT_FOUND)
    },
  }
}

/** The path with `..` resolved, so that it cannot be used to reach a page that needs a token. */
const resolvedPath = (path: string): string =>
  URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost').pathname : ''

const NOT_ALLOWED = { title: 'Not allowed', body: '<p>This page is read-only.</p>' }
const NOT_FOUND = { title: 'Not found', body: '<p>There is no such page. <a href="/">To the overview</a></p>' }

async function plainPage(runs: Runs, path: string, isOpen: boolean): Promise<PlainPage | undefined> {
  if (path === '/') return frontPage(runs, isOpen)
  if (path === '/runs') return runsPage(runs)
  const [, run] = /^\/runs\/([\w-]+)$/.exec(path) ?? []
  return run === undefined ? undefined : runPage(runs, run)
}
