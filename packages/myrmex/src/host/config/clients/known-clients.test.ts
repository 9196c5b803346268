/** Where clients keep their servers, and what each of them writes there. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readHostFile } from '../read-host-file.ts'
import { setClientEntry } from './client-file.ts'
import { readClientServers } from './client-servers.ts'
import { CLIENTS, type Machine } from './known-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'myrmex-clients-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const LINUX: Machine = { platform: 'linux', home: '/home/a', cwd: '/p', env: {} }
const MAC: Machine = { platform: 'darwin', home: '/Users/a', cwd: '/p', env: {} }
const WINDOWS: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\a',
  cwd: 'C:\\p',
  env: { APPDATA: 'C:\\Users\\a\\AppData\\Roaming' },
}
const v = (name: string): string => `$\{${name}}`

test.each([
  ['claude-desktop', LINUX, '/home/a/.config/Claude/claude_desktop_config.json'],
  ['claude-desktop', MAC, '/Users/a/Library/Application Support/Claude/claude_desktop_config.json'],
  ['claude-desktop', WINDOWS, 'C:\\Users\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
  ['claude-code', LINUX, '/home/a/.claude.json'],
  ['claude-code', { ...LINUX, env: { CLAUDE_CONFIG_DIR: '/c' } }, '/c/.claude.json'],
  ['cursor', WINDOWS, 'C:\\Users\\a\\.cursor\\mcp.json'],
  ['vscode', MAC, '/Users/a/Library/Application Support/Code/User/mcp.json'],
  ['windsurf', LINUX, '/home/a/.codeium/windsurf/mcp_config.json'],
  ['gemini', LINUX, '/home/a/.gemini/settings.json'],
  ['zed', MAC, '/Users/a/.config/zed/settings.json'],
  ['zed', { ...LINUX, env: { XDG_CONFIG_HOME: '/x' } }, '/x/zed/settings.json'],
  ['opencode', LINUX, '/home/a/.config/opencode/opencode.json'],
  ['codex', MAC, '/Users/a/.codex/config.toml'],
  ['codex', { ...LINUX, env: { CODEX_HOME: '/c' } }, '/c/config.toml'],
  ['codex', WINDOWS, 'C:\\Users\\a\\.codex\\config.toml'],
  ['goose', MAC, '/Users/a/.config/goose/config.yaml'],
  ['goose', WINDOWS, 'C:\\Users\\a\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
] as const)('%s keeps its servers where its makers say', (id, machine, path) => {
  expect(CLIENTS.find((client) => client.id === id)?.files(machine)[0]?.path).toBe(path)
})

test('Claude Code has servers of the user, of the project, and of the user in the project', () => {
  const files = CLIENTS.find(({ id }) => id === 'claude-code')?.files(LINUX)
  expect(files?.map(({ path, scope, block }) => [path, scope, block.join('.')])).toEqual([
    ['/home/a/.claude.json', 'user', 'mcpServers'],
    ['/p/.mcp.json', 'project', 'mcpServers'],
    ['/home/a/.claude.json', 'project', 'projects./p.mcpServers'],
  ])
})

test.each(CLIENTS.map((client) => [client.id, client] as const))(
  'what is written for %s is read back as the same server',
  async (_, client) => {
    const machine = { ...LINUX, home: join(folder, client.id), env: {} }
    const [place] = client.files(machine)
    const file = place?.path ?? ''
    mkdirSync(dirname(file), { recursive: true })
    const reached = client.urlEntry('http://127.0.0.1:1/mcp')
    const servers = { one: client.commandEntry('node', ['a', 'b']), ...(reached && { two: reached }) }
    if (place === undefined) throw new Error('it has no file')
    let text = place.format === undefined ? '// mine\n{"other": 1}' : ''
    for (const [name, entry] of Object.entries(servers)) text = (await setClientEntry(text, place, name, entry)).text
    writeFileSync(file, text)
    const found = await readClientServers(file, place.block)
    expect(found?.map(({ name, notes }) => [name, notes])).toEqual(Object.keys(servers).map((name) => [name, []]))
    expect(found?.[0]?.entry).toEqual({ command: 'node', args: ['a', 'b'] })
    if (reached !== undefined) expect(found?.[1]?.entry).toMatchObject({ url: 'http://127.0.0.1:1/mcp' })
    // Whatever was read is something that the host understands.
    const ours = join(folder, `${client.id}.json`)
    writeFileSync(
      ours,
      JSON.stringify({ mcpServers: Object.fromEntries((found ?? []).map(({ name, entry }) => [name, entry])) }),
    )
    expect((await readHostFile(ours)).settings).toHaveLength(found?.length ?? 0)
  },
)

test('the spellings of all clients are understood, and unsupported fields are reported', async () => {
  const file = join(folder, 'any.json')
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: {
        zed: { source: 'custom', command: { path: '/bin/x', args: ['a'], env: { K: 'v' } } },
        opencode: {
          type: 'local',
          command: ['bun', 'x'],
          environment: { T: '{env:TT}', F: '{file:./f}' },
          enabled: false,
        },
        gemini: { command: 'g', env: { KEY: '$MY_KEY' }, trust: true, excludeTools: ['rm'] },
        code: { command: 'c', env: { KEY: v('input:my-key'), N: 3, NOT: null, 'A B': 'x' }, timeout: 9 },
        cline: { url: 'http://x/mcp', type: 'streamableHttp', autoApprove: ['a'], alwaysAllow: [] },
        host: { command: '/usr/bin/node', args: ['/x/bin/myrmex.js', 'host', '--stdio'] },
        nothing: {},
        text: 'x',
      },
    }),
  )
  const found = await readClientServers(file, undefined)
  expect(Object.fromEntries((found ?? []).map(({ name, entry, notes }) => [name, [entry, notes.length]]))).toEqual({
    zed: [{ command: '/bin/x', args: ['a'], env: { K: 'v' } }, 0],
    opencode: [{ command: 'bun', args: ['x'], env: { T: v('TT'), F: { from_file: './f' } }, disabled: true }, 0],
    gemini: [{ command: 'g', env: { KEY: v('MY_KEY') } }, 2],
    code: [{ command: 'c', env: { KEY: v('MY_KEY'), N: '3' } }, 4],
    cline: [{ url: 'http://x/mcp', type: 'http' }, 1],
    host: [undefined, 1],
    nothing: [undefined, 1],
    text: [undefined, 1],
  })
})

test('the words of Codex and Goose are understood', async () => {
  const codex = join(folder, 'codex.toml')
  writeFileSync(
    codex,
    `[mcp_servers.local]
command = "npx"
args = ["-y", "x"]
env_vars = ["MY_TOKEN"]
startup_timeout_sec = 20
[mcp_servers.local.env]
A = "b"
[mcp_servers.remote]
url = "https://x.y/mcp"
bearer_token_env_var = "Y_TOKEN"
env_http_headers = { "X-Key" = "X_KEY" }
enabled = false
`,
  )
  const goose = join(folder, 'goose.yaml')
  writeFileSync(
    goose,
    `extensions:
  developer: { enabled: true, type: builtin, name: developer }
  gdrive: { enabled: true, type: stdio, cmd: npx, args: [-y, g], envs: { A: b }, env_keys: [DRIVE_KEY] }
  far: { enabled: true, type: streamable_http, uri: "https://x.y/mcp" }
`,
  )
  const entries = async (path: string): Promise<object> =>
    Object.fromEntries(((await readClientServers(path, undefined)) ?? []).map(({ name, entry }) => [name, entry]))
  expect(await entries(codex)).toEqual({
    local: { command: 'npx', args: ['-y', 'x'], inherit_env: ['MY_TOKEN'], env: { A: 'b' } },
    remote: {
      url: 'https://x.y/mcp',
      headers: { 'X-Key': { from_env: 'X_KEY' }, Authorization: { from_env: 'Y_TOKEN', prefix: 'Bearer ' } },
      disabled: true,
    },
  })
  expect(await entries(goose)).toEqual({
    developer: undefined,
    gdrive: { command: 'npx', args: ['-y', 'g'], env: { A: 'b', DRIVE_KEY: v('DRIVE_KEY') } },
    far: { url: 'https://x.y/mcp', type: 'http' },
  })
})

test('an argument that is no text is read as JSON, whatever its members are called', async () => {
  const path = join(folder, 'odd.json')
  writeFileSync(path, '{"mcpServers":{"a":{"command":"npx","args":["-y",7,null,{"toString":false}]}}}')
  expect(JSON.stringify(await readClientServers(path, undefined))).toContain('"{\\"toString\\":false}"')
})
