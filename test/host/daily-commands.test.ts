/** `myrmex host restart|stop|start|refresh|logs|--service`, as an operator types them while the host runs. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTerminal, PTY, PTY_NOTE } from '@myrmex/testing/cli/pty'
import { visibleText } from '@myrmex/testing/cli/run-command'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { LONG } from '@myrmex/testing/long'
import { CLI } from '@myrmex/testing/paths'
import { connect } from 'myrmex/client'
import { expect, test, vi } from 'vitest'

const twoServers = { mcpServers: { one: gatedServer('ping'), two: gatedServer('pong') } }

test('servers are ended, started and listed again by name, and what did not come true is the exit code', async () => {
  const { write, run, start } = hostFolder()
  write('project/myrmex.json', twoServers)
  expect((await run(['restart', 'one'])).stderr).toMatch(/No host is listening: .*Start one with/)
  const host = start(['--http', '0'])
  const url = await host.says(/(?:tools|tool) at (http:\S+)/)
  const statusOf = async (name: string): Promise<{ state: string; pid: number; tools: number }> =>
    (await host.request(`/api/servers/${name}`)).body
  const before = await statusOf('one')
  const restarted = await run(['restart', 'one'])
  expect(restarted).toMatchObject({ code: 0, stderr: '' })
  expect(restarted.stdout).toMatch(/^one +ready +1 /m)
  expect(restarted.stdout).not.toContain('two')
  expect((await statusOf('one')).pid).not.toBe(before.pid)

  expect((await run(['stop', 'one', 'two'])).stdout).toMatch(/^one +stopped[^\n]*\ntwo +stopped/m)
  const connection = await connect({ url })
  await expect(connection.call('one.ping', {})).resolves.toMatchObject({
    error: {
      error_type: 'UnavailableError',
      error_message: expect.stringContaining('an operator stopped this server'),
    },
  })
  await connection.close()
  expect((await run(['start', '--all'])).stdout).toMatch(/^one +ready[^\n]*\ntwo +ready/m)
  expect(JSON.parse((await run(['refresh', 'two', '--json'])).stdout)).toMatchObject({
    servers: [{ name: 'two', state: 'ready', tools: 1 }],
  })

  const unknown = await run(['restart', 'one', 'tow'])
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('Unknown server "tow". Did you mean two?'),
  ])
  expect((await run(['stop'])).stderr).toContain('Which server? Name one or more, or use --all: myrmex host stop NAME')
  write('project/myrmex.json', { mcpServers: { ...twoServers.mcpServers, broken: { command: 'a-command-of-nobody' } } })
  await host.says(/(reloaded: new: broken)/)
  const failed = await run(['restart', 'broken'])
  expect(failed.code).toBe(1)
  expect((await run(['restart', 'broken', '--json'])).code).toBe(1)
  expect(failed.stdout + failed.stderr).toContain('a-command-of-nobody')
  const refreshed = await run(['refresh', '--all'])
  expect([refreshed.code, refreshed.stdout]).toEqual([
    1,
    expect.stringMatching(/^one +ready[^\n]*\ntwo +ready[^\n]*\nbroken /m),
  ])
  expect(refreshed.stderr).toMatch(/^myrmex: broken: the server could not be reached/m)
})

test('the log of a server and of the host are shown, followed, and read through the API', async () => {
  const { project, env, write, run, start } = hostFolder()
  expect((await run(['logs'])).stderr).toContain('start the host first')
  write('project/myrmex.json', twoServers)
  const host = start(['--http', '0'])
  await host.says(/API is at (\S+);/)
  const log = await run(['logs', 'one'])
  expect(log.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z ping was started$/m)
  expect(log.stdout).not.toContain('pong')
  expect((await run(['logs'])).stdout).toContain('listening at http://127.0.0.1:')
  expect((await run(['logs', 'oen'])).stderr).toContain('There is no log of "oen". Did you mean one?')

  const follower = spawn(process.execPath, [CLI, 'host', 'logs', 'one', '-f', '-n', '0', '--json'], {
    cwd: project,
    env,
  })
  let followed = ''
  let complaints = ''
  follower.stdout.setEncoding('utf8').on('data', (chunk: string) => (followed += chunk))
  follower.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
  await vi.waitFor(
    async () => {
      await host.request('/api/servers/one/restart', {})
      expect(followed).toContain('ping was started')
    },
    { timeout: 30_000, interval: 300 },
  )
  expect(JSON.parse(followed.split('\n')[0] as string)).toMatchObject({
    pid: host.child.pid,
    level: expect.any(String),
  })
  follower.kill('SIGINT')
  expect(await once(follower, 'exit')).toEqual([null, 'SIGINT'])
  expect(complaints).toBe('')

  const { body: known } = await host.request('/api/logs')
  expect(known).toEqual({
    logs: [
      { name: 'myrmex', server: false },
      { name: 'one', server: true },
      { name: 'two', server: true },
    ],
  })
  type Page = { lines: { text: string }[]; next: string }
  const { body: first } = (await host.request('/api/logs/two?lines=1000')) as { body: Page }
  expect(first.lines.map(({ text }) => text)).toContain('pong was started')
  const after = encodeURIComponent(first.next)
  expect((await host.request(`/api/logs/two?after=${after}`)).body).toMatchObject({ lines: [], skipped: false })
  await host.request('/api/servers/two/restart', {})
  const { body: more } = (await host.request(`/api/logs/two?after=${after}`)) as { body: Page }
  expect(more.lines.map(({ text }) => text)).toContain('pong was started')
  expect(await host.request('/api/logs/none')).toMatchObject({ status: 404 })
  expect(await host.request('/api/logs/..%2fapi')).toMatchObject({ status: 404 })
})

test.runIf(LONG && PTY !== undefined)(
  `on a terminal the start of a host with 24 servers fits on one page${PTY_NOTE}`,
  async () => {
    const { project, env, write, run } = hostFolder()
    const [names, gate] = [Array.from({ length: 24 }, (_, index) => `s${index}`), join(project, 'go')]
    const mcpServers = Object.fromEntries(names.map((name) => [name, gatedServer(name, gate)]))
    write('project/myrmex.json', { mcpServers, host: { start_wait_ms: 100 } })
    const command = inTerminal([process.execPath, CLI, 'host', '--http', '0'], project, { ...env, TERM: 'xterm' })
    await command.prints(/still starting.*s23\b[\s\S]*every call is recorded/)
    writeFileSync(gate, '')
    for (const name of names) await command.prints(new RegExp(`${name}: ready`))
    const screen = visibleText(command.stdout)
    expect(screen).not.toContain('was started')
    expect(screen).toContain('what servers write: npx myrmex host logs NAME')
    expect(screen.trim().split('\n').length, screen).toBeLessThanOrEqual(40)
    expect((await run(['logs', 's7'])).stdout).toContain('s7 was started')
    command.type('\u0003')
    await command.ended
  },
)

test.runIf(LONG)('commands that follow end without a word when nobody reads them any more', async () => {
  const { project, env, write, start } = hostFolder()
  write('project/myrmex.json', twoServers)
  const host = start(['--http', '0'])
  await host.says(/API is at (\S+);/)
  for (const command of [
    'host logs one -f',
    'host restart one',
    'host start --all',
    'host status',
    'host --service --http 7350',
  ]) {
    const child = spawn(process.execPath, [CLI, ...command.split(' ')], { cwd: project, env })
    let complaints = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
    child.stdout.destroy()
    const ended = once(child, 'exit')
    // A follower notices it at the next line.
    const poke = setInterval(() => command.endsWith('-f') && void host.request('/api/servers/one/restart', {}), 300)
    const [code, signal] = await ended
    clearInterval(poke)
    // What to do with a service file is on stderr.
    const unexpected = complaints.split('\n').filter((line) => line !== '' && !command.includes('--service'))
    expect([command, code, signal, unexpected]).toEqual([command, 0, null, []])
    expect(complaints).not.toMatch(/EPIPE|Error/)
  }
})

const UNIT_FOLDER = 'a b%h $HOME "q" [x]*'

test('--service prints a unit that systemd accepts and that runs the same command', async () => {
  const { folder, env, write, run } = hostFolder()
  write(`${UNIT_FOLDER}/myrmex.json`, {
    mcpServers: { one: { command: 'x', env: { KEY: { from_env: 'ONE_KEY' }, MODE: `$\{ONE_MODE:-y}` } } },
  })
  const cwd = join(folder, UNIT_FOLDER)
  const { code, stdout, stderr } = await run(['--http', '7350', '--service', 'systemd', '--name', 'My "host"'], { cwd })
  expect(code, stderr).toBe(0)
  const [, name = ''] = /user\/(myrmex-a-b-h-HOME-q-x-[0-9a-f]{8})\.service/.exec(stderr) ?? []
  expect(stderr).toContain(`systemctl --user enable --now ${name}\n`)
  expect(stderr).toMatch(/set these in .*service\.env \(chmod 600\).*: (?:MYRMEX_\w+, )*ONE_KEY\n/)
  const lineOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(stdout)?.[1] ?? ''
  expect(lineOf('WorkingDirectory')).toBe(cwd.replaceAll('%', '%%'))
  // systemd takes this path as a pattern.
  const environmentFile = lineOf('EnvironmentFile').slice(1).replaceAll(/\\(.)/g, '$1').replaceAll('%%', '%')
  expect(lineOf('EnvironmentFile')).toContain('\\[x\\]\\*/.myrmex')
  writeFileSync(environmentFile, 'ONE_KEY=1\n')
  const words = [...lineOf('ExecStart').matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) =>
    (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '').replaceAll('%%', '%').replaceAll('$$', '$'),
  )
  expect(words.slice(1)).toEqual([
    ...[CLI, 'host', '--http', '7350', '--name', 'My "host"', '--config', join(cwd, 'myrmex.json')],
  ])
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return
  const runtime = join(folder, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const unit = join(folder, 'myrmex.service')
  writeFileSync(unit, stdout)
  const verify = (path: string) =>
    spawnSync('systemd-analyze', ['verify', '--user', path], {
      env: { ...env, XDG_RUNTIME_DIR: runtime },
      encoding: 'utf8',
    })
  expect(verify(unit)).toMatchObject({ status: 0, stderr: '' })
  const bad = join(folder, 'bad.service')
  writeFileSync(bad, stdout.replace(/^WorkingDirectory=.*/m, 'WorkingDirectory=here'))
  expect(verify(bad).status).not.toBe(0)
})

test('--service prints a launchd file, and refuses what cannot be a service', async () => {
  const { folder, env, write, run } = hostFolder()
  write('a&b/myrmex.json', { mcpServers: {}, host: { port: 7351 } })
  const cwd = join(folder, 'a&b')
  const { code, stdout, stderr } = await run(['--service=launchd'], { cwd })
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(
    /launchctl bootstrap gui\/\$\(id -u\) ~\/Library\/LaunchAgents\/myrmex\.a-b-[0-9a-f]{8}\.plist/,
  )
  // launchd creates the log in it, but no folder.
  expect(statSync(join(cwd, '.myrmex/host')).mode & 0o077).toBe(0)
  const plain = stdout.replaceAll('&amp;', '&')
  const strings = [...plain.matchAll(/<string>(.*)<\/string>/g)].map(([, text]) => text)
  expect(strings).toEqual([
    ...[
      expect.stringMatching(/^myrmex\.a-b-[0-9a-f]{8}$/),
      process.execPath,
      CLI,
      'host',
      '--config',
      join(cwd, 'myrmex.json'),
    ],
    ...[cwd, expect.stringContaining('/'), join(cwd, '.myrmex/host/service.log')],
  ])
  expect(stdout.match(/<(?:dict|array|plist)\b/g)).toHaveLength(stdout.match(/<\/(?:dict|array|plist)>/g)?.length ?? 0)
  for (const [args, why] of [
    [['--http', '0'], 'needs a port that stays the same'],
    [['--stdio'], 'needs a port that stays the same'],
    [['--config', 'none.json'], 'none.json does not exist'],
  ] as const) {
    const refused = await run(['--service', ...args], { cwd })
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringContaining(why)])
  }
  write('a&b/myrmex.json', '{"mcpServers": {"x": {}}}')
  expect((await run(['--service', '--http', '1'], { cwd })).stderr).toContain('must have exactly one of')
  for (const name of ['back\\', 'blank ']) {
    write(`${name}/myrmex.json`, { mcpServers: {}, host: { port: 7351 } })
    const refused = await run(['--service=systemd'], { cwd: join(folder, name) })
    expect([refused.stdout, refused.stderr]).toEqual(['', expect.stringContaining('ends with')])
  }
  write('foreign/myrmex.json', { mcpServers: {}, host: { port: 7351 } })
  const untrusting = { cwd: join(folder, 'foreign'), env: { ...env, MYRMEX_TRUSTED_FOLDERS: '' } }
  expect((await run(['--service=launchd'], untrusting)).stderr).toContain('not trusted this folder')
})
