/**
 * Servers from npm that others wrote, as operators have them in the files of their clients. Each starts without an account, and the calls
 * here reach nothing outside this machine.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installFolder } from '@myrmex/testing/installed-folder'
import type { ForeignServer } from '../foreign-servers.ts'

type Args = Readonly<Record<string, unknown>>

export interface PublicServer extends ForeignServer {
  readonly pkg: string
  /** calls whose results do not change from one call to the next, and which need no network */
  readonly calls: readonly (readonly [tool: string, args: Args | ((folder: string) => Args)])[]
}

const FOLDER = new URL('./', import.meta.url)
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

export const installPublicServers = (): void => installFolder(FOLDER)

/** The program of a package, as npx would start it. */
function program(pkg: string): string {
  const folder = new URL(`node_modules/${pkg}/`, FOLDER)
  const { bin } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const file = typeof bin === 'string' ? bin : (Object.values(bin as Record<string, string>)[0] ?? '')
  return fileURLToPath(new URL(file, folder))
}

interface Options {
  readonly args?: readonly string[] | ((folder: string) => readonly string[])
  readonly env?: Readonly<Record<string, string>>
  readonly calls?: PublicServer['calls']
}

const publicServer = (name: string, pkg: string, { args = [], env = {}, calls = [] }: Options = {}): PublicServer => ({
  name,
  pkg,
  calls,
  entry: (folder) => ({
    command: process.execPath,
    args: [program(pkg), ...(typeof args === 'function' ? args(folder) : args)],
    env: { ...env, HOME: folder },
  }),
  prepare: (folder) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'eslint.config.js'), 'export default [{ rules: { "no-var": "error" } }]\n')
    writeFileSync(join(folder, 'old.js'), 'var a = 1\n')
  },
})

export const PUBLIC_SERVERS: readonly PublicServer[] = [
  publicServer('charts', '@antv/mcp-server-chart', {
    env: { VIS_REQUEST_SERVER: NOWHERE },
    calls: [['generate_bar_chart', { data: [{ category: 'a', value: 1 }] }]],
  }),
  publicServer('brave', '@brave/brave-search-mcp-server', {
    args: ['--transport', 'stdio'],
    env: { BRAVE_API_KEY: 'none' },
  }),
  publicServer('currents', '@currents/mcp', { env: { CURRENTS_API_KEY: 'none' } }),
  publicServer('git', '@cyanheads/git-mcp-server', { calls: [['git_status', (folder) => ({ path: folder })]] }),
  publicServer('eslint', '@eslint/mcp', {
    calls: [['lint-files', (folder) => ({ filePaths: [join(folder, 'old.js')] })]],
  }),
  publicServer('hubspot', '@hubspot/mcp-server', {
    env: { PRIVATE_APP_ACCESS_TOKEN: 'none' },
    calls: [
      [
        'hubspot-get-link',
        {
          portalId: '1',
          uiDomain: 'app.hubspot.com',
          pageRequests: [{ pagetype: 'record', objectTypeId: '0-1', objectId: '2' }],
        },
      ],
    ],
  }),
  publicServer('magic_ui', '@magicuidesign/mcp'),
  publicServer('mapbox', '@mapbox/mcp-server', { env: { MAPBOX_ACCESS_TOKEN: 'pk.eyJ1IjoieCJ9.eyJ4Ijoi.x' } }),
  publicServer('github', '@modelcontextprotocol/server-github', { env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' } }),
  publicServer('map', '@modelcontextprotocol/server-map', { args: ['--stdio'], calls: [['show-map', {}]] }),
  publicServer('notion', '@notionhq/notion-mcp-server', { env: { NOTION_TOKEN: 'none' } }),
  publicServer('playwright', '@playwright/mcp', { args: ['--headless', '--executable-path', '/nowhere/chrome'] }),
  publicServer('context7', '@upstash/context7-mcp'),
  publicServer('calculator', '@wrtnlabs/calculator-mcp', {
    calls: [
      ['add', { a: 1, b: 2.5 }],
      ['div', { a: 1, b: 0 }],
    ],
  }),
  publicServer('devtools', 'chrome-devtools-mcp', { args: ['--headless', '--executablePath', '/nowhere/chrome'] }),
  publicServer('firecrawl', 'firecrawl-mcp', {
    env: { FIRECRAWL_API_KEY: 'none', FIRECRAWL_API_URL: NOWHERE },
    calls: [['firecrawl_map', { url: 'https://example.com' }]],
  }),
  publicServer('fetch', 'mcp-fetch-server', { calls: [['fetch_txt', { url: `${NOWHERE}/` }]] }),
  publicServer('graphql', 'mcp-graphql', {
    env: { ENDPOINT: `${NOWHERE}/graphql` },
    calls: [['query-graphql', { query: '{a}' }]],
  }),
  publicServer('hello', 'mcp-hello-world', {
    calls: [
      ['echo', { message: 'Ada 🐜' }],
      ['add', { a: 2, b: 3 }],
    ],
  }),
  publicServer('runner', 'mcp-server-code-runner', {
    calls: [['run-code', { code: 'console.log(6 * 7)', languageId: 'javascript' }]],
  }),
  publicServer('kubernetes', 'mcp-server-kubernetes', { calls: [['ping', {}]] }),
  publicServer('tavily', 'tavily-mcp', { env: { TAVILY_API_KEY: 'none' } }),
]

/** Servers with prompts, pages, roots and templates, and some that were made with early versions of the SDK. */
export const MORE_SERVERS: readonly PublicServer[] = [
  publicServer('commands', '@agent-infra/mcp-server-commands', {
    calls: [
      ['run_command', { command: 'echo hi' }],
      ['run_command', {}],
    ],
  }),
  publicServer('tasks', '@kazuph/mcp-taskmanager', {
    calls: [
      ['get_next_task', { requestId: 'req-9' }],
      ['list_requests', { unknown: 1 }],
    ],
  }),
  publicServer('pdf', '@modelcontextprotocol/server-pdf', { args: ['--stdio'], calls: [['list_pdfs', {}]] }),
  publicServer('video', '@modelcontextprotocol/server-video-resource', {
    args: ['--stdio'],
    calls: [['play_video', { videoId: 'none' }]],
  }),
  publicServer('exa', 'exa-mcp-server', { env: { EXA_API_KEY: 'none' }, calls: [['web_search_exa', { query: 7 }]] }),
  publicServer('vault', 'mcp-obsidian', {
    args: (folder) => [folder],
    calls: [
      ['read_notes', {}],
      ['search_notes', {}],
    ],
  }),
  publicServer('shrimp', 'mcp-shrimp-task-manager', {
    env: { DATA_DIR: 'data', ENABLE_GUI: 'false' },
    calls: [
      ['list_tasks', { status: 'all' }],
      ['list_tasks', { status: 'none' }],
    ],
  }),
  // Its result has no content.
  publicServer('starter', 'mcp-starter', { calls: [['hello_tool', { name: 'Ada' }]] }),
]
