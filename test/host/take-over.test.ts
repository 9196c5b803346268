/** `myrmex host install --take-over` and `--undo`, over real files of clients in a home of their own. */
import { spawn } from 'node:child_process'
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
  expect((await run(['install', id, '--undo'])).stderr).toContain('Nothing to undo')
})

test('a file that changed since keeps its changes, and a server that was changed behind the host stays there', async () => {
  const { write, read, run } = hostFolder()
  write('home/.cursor/mcp.json', CURSOR)
  write('project/myrmex.json', '{"mcpServers": {}}')
  await run(['install', 'cursor', '--take-over'])
  const taken = read('home/.cursor/mcp.json')
  write('home/.cursor/mcp.json', taken.replace('"other": [1, 2]', '"other": [1, 2, 3]'))
  const ours = JSON.parse(read('project/myrmex.json'))
  write('project/myrmex.json', { mcpServers: { ...ours.mcpServers, web: { ...ours.mcpServers.web, start: 'lazy' } } })
  const { stdout, stderr } = await run(['install', 'cursor', '--undo'])
  expect(stdout).toContain('was changed since, so only the servers that were moved were put back')
  expect(stderr).toContain('web stayed in myrmex.json, because it was changed there')
  const now = JSON.parse(read('home/.cursor/mcp.json').replaceAll(/\/\/ [^\n]*/g, ''))
  expect(now).toMatchObject({ mcpServers: { GitHub: { env: { GITHUB_TOKEN: TOKEN } }, web: {} }, other: [1, 2, 3] })
  expect(now.mcpServers.myrmex).toBeUndefined()
  expect(Object.keys(JSON.parse(read('project/myrmex.json')).mcpServers)).toEqual(['web'])
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
  await run(['remove', 'gh'])
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

test('a taken-over server runs behind the host', async () => {
  const { write, run, start } = hostFolder()
  write('home/.cursor/mcp.json', { mcpServers: { 'My Server': gatedServer('t') } })
  write('project/myrmex.json', '{"mcpServers": {}}')
  await run(['install', 'cursor', '--take-over', '--trust', 'verified'])
  const host = start(['--http', '0'])
  await host.says(/(my_server: ready, 1 tool)/)
})
