/** `myrmex host` as its user types it: real processes, real files of clients in a home of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test, vi } from 'vitest'

const TOOLS = fixturePath('all.tools.ts')
const TOKEN = 'ghp_0123456789abcdef'

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-host-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const home = join(folder, 'home')
  const project = join(folder, 'project')
  mkdirSync(project)
  // The project is the user's own.
  const { PATH, NODE_COMPILE_CACHE, MYRMEX_TRUSTED_FOLDERS } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, MYRMEX_TRUSTED_FOLDERS, HOME: home, USERPROFILE: home, NO_COLOR: '1' }
  const write = (path: string, text: string): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  const run = (...args: string[]): Promise<CommandEnd> => runToEnd(['host', ...args], { cwd: project, env })
  const start = (...args: string[]): { child: ChildProcess; said: () => string } => {
    const child = spawn(process.execPath, [CLI, 'host', ...args], { cwd: project, env })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, said: () => said }
  }
  return { project, write, run, start }
}

const says = (said: () => string, what: RegExp): Promise<string> =>
  vi.waitFor(() => what.exec(said())?.[1] ?? expect.fail(`${what} is not in:\n${said()}`), {
    timeout: 15_000,
    interval: 20,
  })

test('servers of clients are taken over; what is secret in them is moved, and never printed', async () => {
  const { project, write, run } = place()
  const entry = `{"command": "npx", "args": ["-y", "gh"], "env": {"GITHUB_TOKEN": "${TOKEN}", "MODE": "x"}}`
  write('home/.cursor/mcp.json', `{"mcpServers": {"GitHub": ${entry}}}`)
  write(
    'project/.vscode/mcp.json',
    `{"servers": {"GitHub": ${entry}, "web": {"url": "https://x.y/mcp?token=${TOKEN}"}, }}`,
  )
  write('home/.gemini/settings.json', '{')
  const ran = await run('import', '--yes', '--trust', 'verified')
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stdout + ran.stderr).not.toContain(TOKEN)
  expect(ran.stdout).toContain('Cursor  ~/.cursor/mcp.json\n  GitHub  npx -y gh  (as github, 1 secret)\n')
  expect(ran.stdout).toContain('  GitHub  npx -y gh  (the same as above, 1 secret)\n  web  https://x.y/mcp\n')
  expect(ran.stdout).toMatch(/not read: .*settings\.json:1:2: invalid JSON/)
  expect(ran.stdout).toContain('2 servers are now in myrmex.json: github, web')
  const file = join(project, 'myrmex.json')
  const source = { from_file: './.myrmex/host/secrets/github.GITHUB_TOKEN' }
  expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.github).toEqual({
    command: 'npx',
    args: ['-y', 'gh'],
    env: { GITHUB_TOKEN: source, MODE: 'x' },
    trust: 'verified',
  })
  const secret = join(project, source.from_file)
  expect(readFileSync(secret, 'utf8')).toBe(`${TOKEN}\n`)
  for (const kept of [file, secret]) expect(statSync(kept).mode & 0o077).toBe(0)
  expect((await run('import', '--yes')).stdout).toContain('All of them are already in myrmex.json.')
})

longTest('the host is written into a client, once, with a copy of what was there, and taken out again', async () => {
  const { project, write, run } = place()
  write('project/myrmex.json', '{"mcpServers": {}}')
  const before = `{\n  // mine\n  "mcpServers": {\n    "a": { "env": { "KEY": "${TOKEN}" }, "command": "a" } // first\n  }\n}\n`
  const file = write('home/.cursor/mcp.json', before)
  const dry = await run('install', 'cursor', '--dry-run')
  expect(dry.stdout).toContain(`"${CLI}"`)
  // It is on a line that changes.
  expect(dry.stdout).not.toContain(TOKEN)
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect((await run('install', 'cursor')).stdout).toContain('Cursor (~/.cursor/mcp.json) now uses the host, as myrmex')
  expect(readFileSync(file, 'utf8')).toContain(`"${join(project, 'myrmex.json')}"`)
  const copies = readdirSync(dirname(file)).filter((name) => name.endsWith('.backup'))
  expect(copies.map((name) => readFileSync(join(dirname(file), name), 'utf8'))).toEqual([before])
  expect((await run('install', 'cursor')).stdout).toContain('already has the host')
  await run('install', 'cursor', '--remove')
  expect(readFileSync(file, 'utf8')).toBe(before)
  write('home/.cursor/mcp.json', '{"mcpServers": {"myrmex": {"command": "another"}}}')
  const refused = await run('install', 'cursor')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('has a server myrmex that is not this host'),
  ])
})

longTest('a host whose ledger is elsewhere says where its commands are typed', async () => {
  const { project, write, start } = place()
  const file = write('other/myrmex.json', '{"mcpServers":{}}')
  const elsewhere = start('--config', file, '--http', '0')
  expect(await says(elsewhere.said, /run myrmex commands for this host in (.*)\n.*open mode/)).toBe(dirname(file))
  writeFileSync(join(project, 'myrmex.json'), '{"mcpServers":{}}')
  const here = start('--http', '0')
  await says(here.said, /(every call is recorded)/)
  expect(here.said()).not.toContain('run myrmex commands')
})

test('without a configuration it says what to do', async () => {
  const { run } = place()
  const ran = await run('--http', '0')
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain(
    'myrmex.json does not exist. To import the servers of your clients: npx myrmex host import',
  )
})

test('it serves over HTTP, takes over what changes in its file, keeps a broken one out, and ends in order', async () => {
  const { project, write, start } = place()
  const config = (name: string): string =>
    write('project/myrmex.json', `{"mcpServers": {"${name}": {"module": "${TOOLS}"}}}`)
  config('all')
  const { child, said } = start('--http', '0')
  const url = await says(said, /tools at (http:\S+)/)
  expect(said()).toContain('all: ready, ')
  const { url: api, token } = JSON.parse(readFileSync(join(project, '.myrmex/host/api.json'), 'utf8'))
  const servers = async (): Promise<string[]> => {
    const answer = await fetch(`${api}/servers`, { headers: { authorization: `Bearer ${token}` } })
    return ((await answer.json()) as { servers: { name: string }[] }).servers.map(({ name }) => name)
  }
  expect(await servers()).toEqual(['all'])
  expect((await fetch(`${api}/servers`)).status).toBe(401)
  expect((await fetch(url, { method: 'GET' })).status).toBeLessThan(500)
  write('project/myrmex.json', '{\n"mcpServers": [')
  await says(said, /(myrmex\.json:2:16: invalid JSON: a closing \] is missing)/)
  expect(await servers()).toEqual(['all'])
  write('project/myrmex.json', '{"mcpServers": {}, "host": {"list": "search"}}')
  await says(said, /(reloaded: removed: all; 0 servers now)/)
  await says(said, /(apply after a restart)/)
  expect(await servers()).toEqual([])
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve([code, signal])))
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(readdirSync(join(project, '.myrmex/host'))).not.toContain('api.json')
})

test('the status of the servers of the running host is shown, and an error if none runs', async () => {
  const { project, write, run, start } = place()
  const none = await run('status')
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toMatch(/No host is listening: .*Start one with: npx myrmex host --http/)
  const served = { command: process.execPath, args: [CLI, 'serve', TOOLS], trust: 'verified' }
  const bad = { command: 'a-command-that-is-nowhere' }
  const mcpServers = { good: served, bad, bare: { ...served, sandbox: 'none' } }
  write('project/myrmex.json', JSON.stringify({ mcpServers }))
  const { child, said } = start('--http', '0')
  await says(said, /API is at (\S+);/)
  const { code, stdout, stderr } = await run('status')
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(new RegExp(`host at http://127.0.0.1:\\d+/mcp, pid ${child.pid}`))
  expect(stdout).toMatch(/^good +ready +[1-9]\d*(?: +0){5}$/m)
  expect(stdout).toMatch(/^bad +(?:waiting|cooldown|starting)[^\n]*\n .* ago: the command a-command-that-is-nowhere/m)
  const { servers } = JSON.parse((await run('status', '--json')).stdout)
  expect(servers).toMatchObject([
    { name: 'good', state: 'ready' },
    { name: 'bad', tools: 0, sandbox: null },
    { name: 'bare', sandbox: 'none' },
  ])
  expect(stdout).toMatch(/^no sandbox: (?:good, )?bare \(can read the state folder of the host\)$/m)
  child.kill('SIGKILL')
  await new Promise((gone) => child.once('exit', gone))
  expect(JSON.parse(readFileSync(join(project, '.myrmex/host/api.json'), 'utf8')).pid).toBe(child.pid)
  expect((await run('status')).stderr).toContain(`No host is running: process ${child.pid}`)
})

longTest('a port in use is reported, and the host ends with all processes that it had started', async () => {
  const { write, run } = place()
  const taken = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void taken.close())
  await new Promise((listens) => taken.once('listening', listens))
  const served = { command: process.execPath, args: [CLI, 'serve', TOOLS] }
  write('project/myrmex.json', JSON.stringify({ mcpServers: { good: served } }))
  const { port } = taken.address() as AddressInfo
  const { code, stderr } = await run('--http', String(port))
  expect(code).toBe(1)
  expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use`)
})
