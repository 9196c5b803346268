/** `myrmex host install --take-over` and `--undo`, over real files of clients in a home of their own. */
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { longTest } from '@myrmex/testing/long'
import { CLI } from '@myrmex/testing/paths'
import { expect, test } from 'vitest'

const TOKEN = 'ghp_0123456789abcdef'
const CURSOR = `{
  // mine
  "mcpServers": {
    "GitHub": { "command": "npx", "args": ["-y", "gh"], "env": { "GITHUB_TOKEN": "${TOKEN}" } }, // first
    "web": { "url": "https://x.y/mcp" }
  },
  "other": [1, 2]
}
`
const CODEX = `model = "gpt" # mine

[mcp_servers.files]
command = "npx"
args = ["-y", "files"]
[mcp_servers.files.env]
TOKEN = "${TOKEN}"

[profiles.a]
model = "b"
`
const GOOSE = `GOOSE_MODEL: gpt
extensions:
  developer: # built in
    enabled: true
    type: builtin
    name: developer
  drive:
    enabled: true
    type: stdio
    cmd: npx
    args: [-y, drive]
    envs:
      KEY: ${TOKEN}
GOOSE_MODE: auto
`

test.each([
  ['cursor', 'home/.cursor/mcp.json', CURSOR, ['github', 'web']],
  ['codex', 'home/.codex/config.toml', CODEX, ['files']],
  ['goose', 'home/.config/goose/config.yaml', GOOSE, ['drive']],
])('%s: its servers move behind the host, and the undo restores both files', async (id, path, text, names) => {
  const { project, write, read, run } = hostFolder()
  write(path, text)
  write('project/myrmex.json', '{\n  // ours\n  "mcpServers": {}\n}\n')
  const dry = await run(['install', id, '--take-over', '--dry-run'])
  expect(dry.stderr).toBe('')
  expect(dry.stdout).toContain('myrmex.json would change:')
  expect(dry.stdout).not.toContain(TOKEN)
  expect(read(path)).toBe(text)
  const done = await run(['install', id, '--take-over'])
  expect(done.code, done.stderr).toBe(0)
  expect(done.stdout + done.stderr).not.toContain(TOKEN)
  const file = read(path)
  expect(file).not.toContain(TOKEN)
  expect(file).toContain(join(project, 'myrmex.json'))
  const ours = JSON.parse(read('project/myrmex.json').replace('// ours', ''))
  expect(Object.keys(ours.mcpServers)).toEqual(names)
  expect(JSON.stringify(ours)).not.toContain(TOKEN)
  const secrets = join(project, '.myrmex/host/secrets')
  for (const name of readdirSync(secrets)) expect(statSync(join(secrets, name)).mode & 0o077).toBe(0)
  expect(readFileSync(join(project, '.myrmex/host/clients', `${id}.json`), 'utf8')).not.toContain(TOKEN)
  const again = await run(['install', id, '--take-over'])
  expect(again.stdout).toContain('already has the host')
  const preview = await run(['install', id, '--undo', '--dry-run'])
  expect(preview.stdout).toContain('would change:')
  expect(preview.stdout).not.toContain(TOKEN)
  expect(read(path)).toBe(file)
  const undone = await run(['install', id, '--undo'])
  expect(undone.stdout).toContain('is as it was before the host was installed')
  expect(read(path)).toBe(text)
  expect(JSON.parse(read('project/myrmex.json').replace('// ours', '')).mcpServers).toEqual({})
  expect(readdirSync(secrets)).toEqual(['.gitignore'])
  expect((await run(['install', id, '--undo'])).stderr).toContain('Nothing to undo')
})

test('a byte order mark and line ends of Windows stay, and come back byte for byte', async () => {
  const { write, read, run } = hostFolder()
  const text = `\ufeff${GOOSE.replaceAll('\n', '\r\n')}`
  write('home/.config/goose/config.yaml', text)
  write('project/myrmex.json', '\ufeff{"mcpServers": {}}')
  const done = await run(['install', 'goose', '--take-over'])
  expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('skipped')])
  expect(read('home/.config/goose/config.yaml').startsWith('\ufeffGOOSE_MODEL: gpt\r\n')).toBe(true)
  expect(read('project/myrmex.json').startsWith('\ufeff')).toBe(true)
  await run(['install', 'goose', '--undo'])
  expect(read('home/.config/goose/config.yaml')).toBe(text)
})

test('a file that changed since keeps its changes, and a server that was changed behind the host stays there', async () => {
  const { write, read, run } = hostFolder()
  write('home/.cursor/mcp.json', CURSOR)
  write('project/myrmex.json', '{"mcpServers": {}}')
  await run(['install', 'cursor', '--take-over'])
  const taken = read('home/.cursor/mcp.json')
  write('home/.cursor/mcp.json', taken.replace('"other": [1, 2]', '"other": [1, 2, 3]'))
  // The only copy of a newer token.
  write('project/.myrmex/host/secrets/github.GITHUB_TOKEN', 'ghp_rotated0123456789\n')
  const ours = JSON.parse(read('project/myrmex.json'))
  write('project/myrmex.json', { mcpServers: { ...ours.mcpServers, web: { ...ours.mcpServers.web, start: 'lazy' } } })
  const { stdout, stderr } = await run(['install', 'cursor', '--undo'])
  expect(stdout).toContain('was changed since, so only the servers that were moved were put back')
  expect(stderr).toContain('web stayed in myrmex.json, because it was changed there')
  const now = JSON.parse(read('home/.cursor/mcp.json').replaceAll(/\/\/ [^\n]*/g, ''))
  expect(now).toMatchObject({ mcpServers: { GitHub: { env: { GITHUB_TOKEN: TOKEN } }, web: {} }, other: [1, 2, 3] })
  expect(now.mcpServers.myrmex).toBeUndefined()
  expect(read('project/.myrmex/host/secrets/github.GITHUB_TOKEN')).toContain('rotated')
  expect(Object.keys(JSON.parse(read('project/myrmex.json')).mcpServers)).toEqual(['web'])
})

test.each([
  [
    'cursor',
    'home/.cursor/mcp.json',
    '{"mcpServers":{"toString":{"command":"a"},"__proto__":{"command":"b"}}}',
    '\n\n',
  ],
  [
    'codex',
    'home/.codex/config.toml',
    '[mcp_servers.toString]\ncommand = "a"\n[mcp_servers.__proto__]\ncommand = "b"\n',
    '#\n',
  ],
  [
    'goose',
    'home/.config/goose/config.yaml',
    'extensions:\n  toString:\n    cmd: a\n  __proto__:\n    cmd: b\n',
    '#\n',
  ],
])('%s: names that every object has come back into a file that changed', async (id, path, text, added) => {
  const { write, read, run } = hostFolder()
  write(path, text)
  write('project/myrmex.json', '{"mcpServers": {}}')
  const done = await run(['install', id, '--take-over'])
  expect(done.stdout, done.stderr).toContain('__proto__ is now behind the host as proto')
  expect(read(path)).not.toContain('toString')
  write(path, read(path) + added)
  const undone = await run(['install', id, '--undo'])
  expect(undone.stdout, undone.stderr).toContain('was changed since')
  expect(read(path)).toMatch(/toString[\s\S]*__proto__/)
  expect(read(path)).not.toContain('myrmex')
})

longTest('killed at any moment, no server is in neither file, and the take-over goes on', async () => {
  for (let delay = 0; delay < 20; delay++) {
    const { project, write, read, run, env } = hostFolder()
    write('home/.cursor/mcp.json', CURSOR)
    write('project/myrmex.json', '{"mcpServers": {}}')
    const child = spawn(process.execPath, [CLI, 'host', 'install', 'cursor', '--take-over'], { cwd: project, env })
    const timer = setTimeout(() => child.kill('SIGKILL'), 200 + delay * 25)
    await once(child, 'exit')
    clearTimeout(timer)
    const client = read('home/.cursor/mcp.json')
    const host = read('project/myrmex.json')
    for (const word of ['"gh"', 'https://x.y/mcp']) expect(client.includes(word) || host.includes(word)).toBe(true)
    expect((await run(['install', 'cursor', '--take-over'])).code).toBe(0)
    expect(read('home/.cursor/mcp.json')).not.toContain('"gh"')
    expect(Object.keys(JSON.parse(read('project/myrmex.json')).mcpServers)).toEqual(['github', 'web'])
  }
})

test('servers are added, switched and removed by commands, and comments in the file stay', async () => {
  const { project, write, read, run } = hostFolder()
  write('project/myrmex.json', '{\n  // ours\n  "mcpServers": {\n    "one": { "command": "x" } // first\n  }\n}\n')
  const before = read('project/myrmex.json')
  const added = await run([
    'add',
    'gh',
    '--env',
    `GITHUB_TOKEN=${TOKEN}`,
    '--trust',
    'verified',
    '--',
    'npx',
    '-y',
    'gh',
  ])
  expect(added.code, added.stderr).toBe(0)
  const now = read('project/myrmex.json')
  expect(now).toContain('"args": ["-y", "gh"]')
  expect(now).toContain('} // first'.replace('} ', '}, '))
  expect(now + added.stdout + added.stderr).not.toContain(TOKEN)
  expect(readFileSync(join(project, '.myrmex/host/secrets/gh.GITHUB_TOKEN'), 'utf8')).toBe(`${TOKEN}\n`)
  expect((await run(['add', 'GH', '--url', 'https://x.y'])).stderr).toContain('already has a server "gh"')
  expect((await run(['add', 'bad', '--url', 'https://x.y', '--cwd', 'z'])).code).toBe(0)
  expect((await run(['remove', 'bda'])).stderr).toContain('Did you mean bad?')
  await run(['remove', 'bad'])
  expect((await run(['disable', 'one'])).stdout).toContain('one is disabled')
  expect(read('project/myrmex.json')).toContain('"disabled": true')
  expect((await run(['enable', 'one'])).stdout).toContain('one is enabled')
  expect((await run(['remove', 'gh'])).stderr).toMatch(/its secret is still in .*secrets\/gh\.GITHUB_TOKEN; delete/)
  expect(read('project/myrmex.json').replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''))
  expect((await run(['add', 'nothing'])).stderr).toContain('Give a command or a URL')
})

test('what is relative to the file it came from stays right in another folder', async () => {
  const { folder, write, read, run } = hostFolder()
  write('work/app/server.js', '')
  const v = (name: string): string => `$\{${name}}`
  const from = write('work/app/.vscode/mcp.json', {
    servers: {
      a: { command: './bin/run', args: ['server.js', '--root=server.js', 'no-such-file', 'https://x/y'], cwd: 'sub' },
      b: {
        command: 'node',
        args: [`${v('workspaceFolder')}/server.js`],
        env: { KEY: v('input:my-key'), H: v('userHome') },
      },
      c: { command: 'node', args: ['server.js'], env: { E: v('env:HOME') } },
    },
  })
  const { code, stderr } = await run(['import', '--from', from, '--yes'])
  expect(code, stderr).toBe(0)
  const app = join(folder, 'work/app')
  expect(JSON.parse(read('project/myrmex.json')).mcpServers).toEqual({
    a: {
      command: join(app, 'bin/run'),
      args: [join(app, 'server.js'), `--root=${join(app, 'server.js')}`, 'no-such-file', 'https://x/y'],
      cwd: join(app, 'sub'),
    },
    b: { command: 'node', args: [join(app, 'server.js')], cwd: app, env: { KEY: v('MY_KEY'), H: v('userHome') } },
    c: { command: 'node', args: [join(app, 'server.js')], cwd: app, env: { E: v('env:HOME') } },
  })
  expect(existsSync(join(folder, 'home'))).toBe(false)
})

test('a word that is also the name of a folder stays a word: a package, an image, a command', async () => {
  const { folder, write, read, run } = hostFolder()
  write('home/work/time-mcp/package.json', {})
  write('home/work/run/x', '')
  write('home/work/data/x', '')
  const long = 'x'.repeat(5000)
  const from = write('home/work/servers.json', {
    mcpServers: {
      time: { command: 'npx', args: ['-y', 'time-mcp'] },
      image: { command: 'docker', args: ['run', '--rm', 'time-mcp/package'] },
      data: { command: 'serve', args: ['./data', '--root=data/', long] },
    },
  })
  const { code, stderr } = await run(['import', '--from', from, '--yes'])
  expect(code, stderr).toBe(0)
  const work = join(folder, 'home/work')
  expect(JSON.parse(read('project/myrmex.json')).mcpServers).toEqual({
    time: { command: 'npx', args: ['-y', 'time-mcp'], cwd: work },
    image: { command: 'docker', args: ['run', '--rm', 'time-mcp/package'], cwd: work },
    data: { command: 'serve', args: [join(work, 'data'), `--root=${join(work, 'data')}`, long], cwd: work },
  })
})

test('a server of the same name with other values is another one: it keeps them, and none is lost', async () => {
  const { write, read, run } = hostFolder()
  const db = (dsn: string, token: string) => ({
    mcpServers: { db: { command: 'node', args: ['db.js'], env: { DSN: dsn, DB_TOKEN: token }, timeout: 30 } },
  })
  write('project/myrmex.json', '{"mcpServers": {}}')
  write('home/.cursor/mcp.json', db('test', TOKEN))
  write('home/.codeium/windsurf/mcp_config.json', db('prod', TOKEN))
  write('home/.gemini/settings.json', db('test', TOKEN))
  write('home/.lmstudio/mcp.json', db('test', `${TOKEN}2`))
  await run(['install', 'cursor', '--take-over'])
  const other = await run(['install', 'windsurf', '--take-over'])
  expect(other.stdout).toContain('db is now behind the host as db_windsurf')
  expect(other.stderr).toContain('timeout was skipped: use timeout_ms here')
  expect((await run(['install', 'gemini', '--take-over'])).stdout).toContain('(it was already)')
  await run(['install', 'lm-studio', '--take-over'])
  expect(JSON.parse(read('project/myrmex.json')).mcpServers).toMatchObject({
    db: { env: { DSN: 'test' } },
    db_windsurf: { env: { DSN: 'prod' } },
    db_lm_studio: { env: { DSN: 'test' } },
  })
  expect(read('project/.myrmex/host/secrets/db_lm_studio.DB_TOKEN')).toBe(`${TOKEN}2\n`)
  write('home/.cursor/mcp.json', db('elsewhere', TOKEN))
  const imported = await run(['import', '--from', 'cursor', '--yes'])
  expect(imported.stdout).toContain('myrmex.json has another server db')
})

test('several installs are undone one after the other, until both files are as they were', async () => {
  const { write, read, run } = hostFolder()
  write('project/myrmex.json', '{"mcpServers": {}}')
  write('home/.codex/config.toml', CODEX)
  await run(['install', 'codex', '--take-over', '--http', '7350'])
  await run(['install', 'codex', '--http', '7351'])
  write('home/.codex/config.toml', `${read('home/.codex/config.toml')}\n[mcp_servers.third]\ncommand = "third"\n`)
  await run(['install', 'codex', '--take-over', '--http', '7351'])
  expect(Object.keys(JSON.parse(read('project/myrmex.json')).mcpServers)).toEqual(['files', 'third'])
  const last = await run(['install', 'codex', '--undo'])
  expect(last.stdout).toContain('is as it was before the last install')
  expect(last.stdout).toContain('An earlier install can be undone too: npx myrmex host install codex --undo')
  expect(read('home/.codex/config.toml')).toContain('third')
  expect((await run(['install', 'codex', '--undo'])).stdout).toContain('An earlier install can be undone too')
  expect(read('home/.codex/config.toml')).toContain('7350')
  const first = await run(['install', 'codex', '--undo'])
  expect(first.stdout).toContain('was changed since')
  expect(first.stdout).not.toContain('earlier')
  const now = read('home/.codex/config.toml')
  expect(now).toContain('[mcp_servers.files]')
  expect(now).toContain('[mcp_servers.third]')
  expect(now).not.toContain('7350')
  expect(JSON.parse(read('project/myrmex.json')).mcpServers).toEqual({})
  expect((await run(['install', 'codex', '--undo'])).stderr).toContain('Nothing to undo')
})

test('a take-over makes its folder known, and neither it nor an undo believes a folder of somebody else', async () => {
  const { env, write, read, run } = hostFolder()
  const own = { env: { ...env, MYRMEX_TRUSTED_FOLDERS: '' } }
  write('home/.cursor/mcp.json', CURSOR)
  expect((await run(['install', 'cursor', '--take-over'], own)).code).toBe(0)
  const undone = await run(['install', 'cursor', '--undo'], own)
  expect(undone.stdout, undone.stderr).toContain('is as it was before')

  const foreign = hostFolder()
  const victim = foreign.write('home/notes.txt', 'mine')
  foreign.write('project/.myrmex/host/clients/cursor.json', {
    ...{ at: '2026-11-19T00:00:00.000Z', file: victim, as: 'myrmex', before: null, moved: [], added: {} },
    ...{ after: hash('sha256', 'mine', 'hex'), hostFile: 'myrmex.json' },
  })
  foreign.write('home/.cursor/mcp.json', CURSOR)
  const untrusting = { env: { ...foreign.env, MYRMEX_TRUSTED_FOLDERS: '' } }
  for (const option of ['--undo', '--take-over']) {
    const refused = await foreign.run(['install', 'cursor', option], untrusting)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not trusted this folder')])
  }
  expect(foreign.read('home/notes.txt')).toBe('mine')
  expect(foreign.read('home/.cursor/mcp.json')).toBe(CURSOR)
  expect(read('home/.cursor/mcp.json')).toBe(CURSOR)
})

test('a taken-over server runs behind the host', async () => {
  const { write, run, start } = hostFolder()
  write('home/.cursor/mcp.json', { mcpServers: { 'My Server': gatedServer('t') } })
  write('project/myrmex.json', '{"mcpServers": {}}')
  await run(['install', 'cursor', '--take-over', '--trust', 'verified'])
  const host = start(['--http', '0'])
  await host.says(/(my_server: ready, 1 tool)/)
})
