/**
 * The known MCP clients: where each one keeps its servers and how it writes them. Paths depend only on the given machine, so tests can
 * check every platform.
 */
import { posix, win32 } from 'node:path'
import type { JsonObject } from '../../../protocol/json.ts'

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** the working directory, which project files are in */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ClientFile {
  readonly path: string
  readonly scope: 'user' | 'project'
  /** path of members to the block of servers */
  readonly block: readonly string[]
}

export interface Client {
  readonly id: string
  readonly title: string
  /** For each scope the first file is the one to write. */
  files(machine: Machine): ClientFile[]
  commandEntry(command: string, args: readonly string[]): JsonObject
  /** undefined if the client does not support URLs */
  urlEntry(url: string): JsonObject | undefined
}

type Places = (
  at: Paths,
  machine: Machine,
) => readonly (readonly [path: string, scope?: ClientFile['scope'], block?: readonly string[]])[]

interface Style {
  readonly block?: readonly string[]
  readonly started?: Client['commandEntry']
  readonly reached: Client['urlEntry']
}

const SERVERS = ['mcpServers']

const client = (id: string, title: string, places: Places, { block = SERVERS, started, reached }: Style): Client => ({
  id,
  title,
  files: (machine) =>
    places(new Paths(machine), machine).map(([path, scope = 'user', own = block]) => ({ path, scope, block: own })),
  commandEntry: started ?? ((command, args) => ({ command, args: [...args] })),
  urlEntry: reached,
})

/** Base folders per platform. */
class Paths {
  readonly #machine: Machine
  readonly #join: typeof posix.join

  constructor(machine: Machine) {
    this.#machine = machine
    this.#join = machine.platform === 'win32' ? win32.join : posix.join
  }

  home(...path: string[]): string {
    return this.#join(this.#machine.home, ...path)
  }

  project(...path: string[]): string {
    return this.#join(this.#machine.cwd, ...path)
  }

  in(folder: string, ...path: string[]): string {
    return this.#join(folder, ...path)
  }

  /** Settings folder of desktop programs. */
  application(...path: string[]): string {
    const { platform, env } = this.#machine
    if (platform === 'darwin') return this.home('Library', 'Application Support', ...path)
    if (platform === 'win32') return this.#join(env.APPDATA ?? this.home('AppData', 'Roaming'), ...path)
    return this.config(...path)
  }

  /** Settings folder of command line programs. */
  config(...path: string[]): string {
    const { env } = this.#machine
    return this.#join(env.XDG_CONFIG_HOME || this.home('.config'), ...path)
  }
}

const typed = (type: string) => (url: string) => ({ type, url })
const plain = (url: string) => ({ url })

export const CLIENTS: readonly Client[] = [
  client('claude-desktop', 'Claude Desktop', (at) => [[at.application('Claude', 'claude_desktop_config.json')]], {
    reached: () => undefined,
  }),
  client(
    'claude-code',
    'Claude Code',
    (at, { cwd, env }) => {
      const file = env.CLAUDE_CONFIG_DIR ? at.in(env.CLAUDE_CONFIG_DIR, '.claude.json') : at.home('.claude.json')
      return [[file], [at.project('.mcp.json'), 'project'], [file, 'project', ['projects', cwd, 'mcpServers']]]
    },
    { reached: typed('http') },
  ),
  client(
    'cursor',
    'Cursor',
    (at) => [[at.home('.cursor', 'mcp.json')], [at.project('.cursor', 'mcp.json'), 'project']],
    {
      reached: plain,
    },
  ),
  client(
    'vscode',
    'VS Code',
    (at) => [
      [at.application('Code', 'User', 'mcp.json')],
      [at.application('Code - Insiders', 'User', 'mcp.json')],
      [at.application('VSCodium', 'User', 'mcp.json')],
      [at.application('Code', 'User', 'settings.json'), 'user', ['mcp', 'servers']],
      [at.project('.vscode', 'mcp.json'), 'project'],
    ],
    {
      block: ['servers'],
      started: (command, args) => ({ type: 'stdio', command, args: [...args] }),
      reached: typed('http'),
    },
  ),
  client('windsurf', 'Windsurf', (at) => [[at.home('.codeium', 'windsurf', 'mcp_config.json')]], {
    reached: (url) => ({ serverUrl: url }),
  }),
  client(
    'gemini',
    'Gemini CLI',
    (at) => [[at.home('.gemini', 'settings.json')], [at.project('.gemini', 'settings.json'), 'project']],
    { reached: (url) => ({ httpUrl: url }) },
  ),
  client(
    'cline',
    'Cline',
    (at, { env }) => [
      [
        at.application(
          'Code',
          'User',
          'globalStorage',
          'saoudrizwan.claude-dev',
          'settings',
          'cline_mcp_settings.json',
        ),
      ],
      [env.CLINE_MCP_SETTINGS_PATH || at.home('.cline', 'data', 'settings', 'cline_mcp_settings.json')],
    ],
    { reached: typed('streamableHttp') },
  ),
  client(
    'roo',
    'Roo Code',
    (at) => [
      [at.application('Code', 'User', 'globalStorage', 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json')],
      [at.project('.roo', 'mcp.json'), 'project'],
    ],
    { reached: typed('streamable-http') },
  ),
  client(
    'lm-studio',
    'LM Studio',
    (at) => [[at.home('.lmstudio', 'mcp.json')], [at.home('.cache', 'lm-studio', 'mcp.json')]],
    { reached: plain },
  ),
  client(
    'zed',
    'Zed',
    (at, { platform }) => [
      [platform === 'win32' ? at.application('Zed', 'settings.json') : at.config('zed', 'settings.json')],
      [at.project('.zed', 'settings.json'), 'project'],
    ],
    {
      block: ['context_servers'],
      started: (command, args) => ({ command, args: [...args], env: {} }),
      reached: plain,
    },
  ),
  client(
    'opencode',
    'opencode',
    (at) => [
      [at.config('opencode', 'opencode.json')],
      [at.config('opencode', 'opencode.jsonc')],
      [at.project('opencode.json'), 'project'],
      [at.project('opencode.jsonc'), 'project'],
    ],
    {
      block: ['mcp'],
      started: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
      reached: (url) => ({ type: 'remote', url, enabled: true }),
    },
  ),
  client(
    'copilot',
    'GitHub Copilot CLI',
    (at, { env }) => [
      [env.COPILOT_HOME ? at.in(env.COPILOT_HOME, 'mcp-config.json') : at.home('.copilot', 'mcp-config.json')],
      [at.project('.github', 'mcp.json'), 'project'],
    ],
    {
      started: (command, args) => ({ type: 'local', command, args: [...args], tools: ['*'] }),
      reached: (url) => ({ type: 'http', url, tools: ['*'] }),
    },
  ),
  client(
    'kiro',
    'Kiro',
    (at) => [[at.home('.kiro', 'settings', 'mcp.json')], [at.project('.kiro', 'settings', 'mcp.json'), 'project']],
    { reached: plain },
  ),
]
