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
  /** default: JSON with comments */
  readonly format?: 'toml' | 'yaml'
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

type FoundFile = Omit<ClientFile, 'block'> & Partial<Pick<ClientFile, 'block'>>

/** Base folders per platform. Paths are written with slashes. */
const foldersOf = (machine: Machine) => {
  const { platform, home, cwd, env } = machine
  const { join } = platform === 'win32' ? win32 : posix
  const user = (...path: string[]): FoundFile => ({ path: join(...path), scope: 'user' })
  /** Settings folder of command line programs. */
  const config = (path: string): FoundFile => user(env.XDG_CONFIG_HOME || join(home, '.config'), path)
  return {
    ...machine,
    config,
    home: (path: string): FoundFile => user(home, path),
    /** The folder that a variable names, or else a path in the home folder. */
    variable: (name: string, path: string, otherwise: string): FoundFile =>
      env[name] ? user(env[name], path) : user(home, otherwise),
    project: (path: string): FoundFile => ({ path: join(cwd, path), scope: 'project' }),
    /** Settings folder of desktop programs. */
    application: (path: string): FoundFile => {
      if (platform === 'darwin') return user(home, 'Library/Application Support', path)
      return platform === 'win32' ? user(env.APPDATA ?? join(home, 'AppData', 'Roaming'), path) : config(path)
    },
  }
}

interface EntryStyle {
  readonly block?: readonly string[]
  readonly command?: Client['commandEntry']
  readonly url: Client['urlEntry']
}

const client = (
  id: string,
  title: string,
  { block = ['mcpServers'], command = (program, args) => ({ command: program, args: [...args] }), url }: EntryStyle,
  files: (at: ReturnType<typeof foldersOf>) => FoundFile[],
): Client => ({
  id,
  title,
  files: (machine) => files(foldersOf(machine)).map((file) => ({ block, ...file })),
  commandEntry: command,
  urlEntry: url,
})

const typed = (type: string): EntryStyle => ({ url: (url) => ({ type, url }) })
const PLAIN: EntryStyle = { url: (url) => ({ url }) }

const VSCODE: EntryStyle = {
  ...typed('http'),
  block: ['servers'],
  command: (command, args) => ({ type: 'stdio', command, args: [...args] }),
}
const ZED: EntryStyle = {
  ...PLAIN,
  block: ['context_servers'],
  command: (command, args) => ({ command, args: [...args], env: {} }),
}
const OPENCODE: EntryStyle = {
  block: ['mcp'],
  command: (command, args) => ({ type: 'local', command: [command, ...args], enabled: true }),
  url: (url) => ({ type: 'remote', url, enabled: true }),
}
const COPILOT: EntryStyle = {
  command: (command, args) => ({ type: 'local', command, args: [...args], tools: ['*'] }),
  url: (url) => ({ type: 'http', url, tools: ['*'] }),
}

/** Its `name` is that of the entry, which is given to the host. */
const GOOSE: EntryStyle = {
  block: ['extensions'],
  command: (cmd, args) => ({
    enabled: true,
    type: 'stdio',
    name: 'myrmex',
    cmd,
    args: [...args],
    envs: {},
    timeout: 300,
  }),
  url: (uri) => ({ enabled: true, type: 'streamable_http', name: 'myrmex', uri, headers: {}, timeout: 300 }),
}

export const CLIENTS: readonly Client[] = [
  client('claude-desktop', 'Claude Desktop', { url: () => undefined }, (at) => [
    at.application('Claude/claude_desktop_config.json'),
  ]),
  client('claude-code', 'Claude Code', typed('http'), (at) => {
    const file = at.variable('CLAUDE_CONFIG_DIR', '.claude.json', '.claude.json')
    const block = ['projects', at.cwd, 'mcpServers']
    return [file, at.project('.mcp.json'), { ...file, scope: 'project', block }]
  }),
  client('cursor', 'Cursor', PLAIN, (at) => [at.home('.cursor/mcp.json'), at.project('.cursor/mcp.json')]),
  client('vscode', 'VS Code', VSCODE, (at) => [
    at.application('Code/User/mcp.json'),
    at.application('Code - Insiders/User/mcp.json'),
    at.application('VSCodium/User/mcp.json'),
    { ...at.application('Code/User/settings.json'), block: ['mcp', 'servers'] },
    at.project('.vscode/mcp.json'),
  ]),
  client('windsurf', 'Windsurf', { url: (url) => ({ serverUrl: url }) }, (at) => [
    at.home('.codeium/windsurf/mcp_config.json'),
  ]),
  client('gemini', 'Gemini CLI', { url: (url) => ({ httpUrl: url }) }, (at) => [
    at.home('.gemini/settings.json'),
    at.project('.gemini/settings.json'),
  ]),
  client('cline', 'Cline', typed('streamableHttp'), (at) => [
    at.application('Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'),
    at.variable('CLINE_MCP_SETTINGS_PATH', '', '.cline/data/settings/cline_mcp_settings.json'),
  ]),
  client('roo', 'Roo Code', typed('streamable-http'), (at) => [
    at.application('Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json'),
    at.project('.roo/mcp.json'),
  ]),
  client('lm-studio', 'LM Studio', PLAIN, (at) => [
    at.home('.lmstudio/mcp.json'),
    at.home('.cache/lm-studio/mcp.json'),
  ]),
  client('zed', 'Zed', ZED, (at) => [
    at.platform === 'win32' ? at.application('Zed/settings.json') : at.config('zed/settings.json'),
    at.project('.zed/settings.json'),
  ]),
  client('opencode', 'opencode', OPENCODE, (at) => [
    at.config('opencode/opencode.json'),
    at.config('opencode/opencode.jsonc'),
    at.project('opencode.json'),
    at.project('opencode.jsonc'),
  ]),
  client('copilot', 'GitHub Copilot CLI', COPILOT, (at) => [
    at.variable('COPILOT_HOME', 'mcp-config.json', '.copilot/mcp-config.json'),
    at.project('.github/mcp.json'),
  ]),
  client('codex', 'Codex', { ...PLAIN, block: ['mcp_servers'] }, (at) => [
    { ...at.variable('CODEX_HOME', 'config.toml', '.codex/config.toml'), format: 'toml' },
    { ...at.project('.codex/config.toml'), format: 'toml' },
  ]),
  client('goose', 'Goose', GOOSE, (at) => [
    {
      ...(at.platform === 'win32' ? at.application('Block/goose/config/config.yaml') : at.config('goose/config.yaml')),
      format: 'yaml',
    },
  ]),
  client('kiro', 'Kiro', PLAIN, (at) => [at.home('.kiro/settings/mcp.json'), at.project('.kiro/settings/mcp.json')]),
]
