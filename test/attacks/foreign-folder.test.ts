/**
 * Attacker: an archive that a user unpacks
 * Attack: brings a `.myrmex` with trust and a standing grant, so that a refused tool runs.
 * Stopped by: a ledger is used only if this user's Myrmex began there, or the user trusted the folder once on this machine.
 * Ledgers are known by their keys.
 *
 * Attack: brings `myrmex.json`, a policy or a fleet file with commands and rules.
 * Stopped by: the same holds for these files, unless the operator names them.
 *
 * Attack: brings `node_modules/myrmex-dropship`, which runs instead of the installed package.
 * Stopped by: packages are found in the installation first.
 *
 * Attack: brings an `api.json` that names a server of its author, whose answers control the terminal.
 * Stopped by: what `host status` shows has no control characters.
 *
 * Attacker: another local user
 * Attack: puts `myrmex.json` or a policy into a folder of the user that others can write.
 * Stopped by: files of another user are used only if the user trusted the folder after Myrmex showed them.
 *
 * Attack: puts `node_modules/myrmex-NAME` into a folder above the working directory, such as `/tmp`.
 * Stopped by: a package of a folder is used only if the user trusts the folder that has it.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { LONG, longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

/** In the folder in which a command runs: an archive brings its tools. */
const TOOLS = 'shop.tools.ts'
const writeTools = (into: string): void =>
  writeFileSync(join(into, TOOLS), `export * from ${JSON.stringify(fixturePath('shop.tools.ts'))}`)
/** Runs a command at a terminal of its own. */
const TERMINAL = 'script'

let folder: string
let work: string
beforeEach(() => {
  folder = mkdtempSync(join(process.cwd(), 'foreign-'))
  work = join(folder, 'work')
  mkdirSync(work)
  writeTools(work)
  mkdirSync(join(folder, 'victim'))
  return () => rmSync(folder, { recursive: true, force: true })
})

/** A user with a home folder of their own, and nothing of the tests' environment. */
const envOf = (home: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NO_COLOR: '1',
  ...more,
})

const runAs = (home: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<CommandEnd> =>
  runToEnd(args, { cwd, env: envOf(home, more) })

const victim = (): string => join(folder, 'victim')
const run = (args: readonly string[], cwd = work, more: NodeJS.ProcessEnv = {}): Promise<CommandEnd> =>
  runAs(victim(), args, cwd, more)
/** After the folder or what is known of it has changed: a process looks at a folder once. */
const runLater = (args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<CommandEnd> =>
  runToEnd(args, { cwd: work, env: envOf(victim(), more), ownProcess: true })

const SELL = ['call', 'shop.refund', '{"order":"o1","amount":5}', '--file', TOOLS]
const REFUSED = /PermissionError.*you have not trusted this folder yet.*npx myrmex folder trust/s
const trustFile = (): string[] => {
  const registry = join(folder, 'victim', '.config', 'myrmex', 'folders')
  return existsSync(registry) ? readdirSync(registry).map((name) => join(registry, name)) : []
}

/** The attacker's own folder, in which the tool is trusted and has a standing grant. */
let archive: string
beforeAll(async () => {
  const origin = mkdtempSync(join(process.cwd(), 'origin-'))
  writeTools(origin)
  const of = (args: readonly string[]): Promise<CommandEnd> => runAs(join(origin, 'home'), args, origin)
  expect((await of(SELL)).code).toBe(1)
  expect(await of(['trust', 'shop.refund', '--file', TOOLS, '--yes'])).toMatchObject({ code: 0 })
  expect(await of(SELL)).toMatchObject({ code: 0 })
  archive = join(origin, '.myrmex')
  return () => rmSync(origin, { recursive: true, force: true })
})

/** It was packed up, and is unpacked at the victim's. */
const unpackLedger = (): void => cpSync(archive, join(work, '.myrmex'), { recursive: true })

describe('an unpacked archive with its own .myrmex runs a refused tool under its standing grant', () => {
  test('the call is refused, with what to do, and nothing in the folder changes', async () => {
    unpackLedger()
    const before = readdirSync(join(work, '.myrmex'), { recursive: true })
    const ended = await run(SELL)
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(REFUSED)
    expect(readdirSync(join(work, '.myrmex'), { recursive: true })).toEqual(before)
    expect(trustFile()).toEqual([])
  })

  test.each([
    ['serve', TOOLS],
    ['approvals', 'approve', 'x'],
    ['trust', 'shop.refund', '--file', TOOLS, '--yes'],
    ['untrust', 'shop.refund'],
    ['audit', 'accept-break', '--reason', 'x', '--yes'],
  ])('%s is refused too', async (...args) => {
    unpackLedger()
    expect((await run(args)).stderr).toMatch(REFUSED)
  })

  longTest('reading it is possible: that is how the user looks at it', async () => {
    unpackLedger()
    expect(await run(['status'])).toMatchObject({ code: 0, stdout: expect.stringContaining('shop.refund') })
    expect(await run(['audit', 'query'])).toMatchObject({ code: 0 })
  })

  test('the user looks at it and trusts it, once, and can forget it', async () => {
    unpackLedger()
    const trusted = await run(['folder', 'trust', '.'])
    expect(trusted.stdout.replaceAll(/\n {2}↳ /g, '')).toMatch(
      /1 tool that can be called \(shop\.refund\), 1 standing grant \(shop\.refund\)/,
    )
    expect(await run(SELL)).toMatchObject({ code: 0 })
    expect((await run(['folder', 'list'])).stdout).toContain(work)
    expect(await run(['folder', 'forget', work])).toMatchObject({ code: 0 })
    expect((await runLater(SELL)).stderr).toMatch(REFUSED)
  })

  longTest('a copy or a moved folder is asked about again', async () => {
    unpackLedger()
    await run(['folder', 'trust', work])
    const copy = join(folder, 'copy')
    cpSync(work, copy, { recursive: true })
    expect((await run(SELL, copy)).stderr).toMatch(REFUSED)
  })

  longTest('another ledger in the place of one that the user made is refused', async () => {
    expect((await run(SELL)).stderr).not.toMatch(REFUSED)
    rmSync(join(work, '.myrmex'), { recursive: true })
    unpackLedger()
    const ended = await run(SELL)
    expect(ended.stderr).toMatch(/has a ledger .*ledger\.db that you have neither made nor trusted/s)
    // Without its key, a new one would be made for the attacker's tables.
    for (const name of ['ledger.key', 'ledger.journal']) rmSync(join(work, '.myrmex', name), { recursive: true })
    expect((await run(SELL)).stderr).toMatch(/its key is missing/)
  })

  longTest('a ledger elsewhere is used if the operator names it', async () => {
    unpackLedger()
    cpSync(join(work, '.myrmex'), join(folder, 'named'), { recursive: true })
    rmSync(join(work, '.myrmex'), { recursive: true })
    expect(await run([...SELL, '--ledger', join(folder, 'named', 'ledger.db')])).toMatchObject({ code: 0 })
  })

  longTest('MYRMEX_TRUSTED_FOLDERS names folders, and a relative path names none', async () => {
    unpackLedger()
    expect(await run(SELL, work, { MYRMEX_TRUSTED_FOLDERS: folder })).toMatchObject({ code: 0 })
    expect(trustFile()).toEqual([])
    for (const wrong of ['.', '', join(folder, 'wor'), `${work}2`])
      expect((await run(SELL, work, { MYRMEX_TRUSTED_FOLDERS: wrong })).stderr).toMatch(REFUSED)
  })

  longTest('the demo of an archive is not used by itself', async () => {
    unpackLedger()
    cpSync(join(work, '.myrmex'), join(folder, 'demo'), { recursive: true })
    rmSync(join(work, '.myrmex'), { recursive: true })
    mkdirSync(join(work, '.myrmex'))
    cpSync(join(folder, 'demo'), join(work, '.myrmex', 'demo'), { recursive: true })
    writeFileSync(join(work, '.myrmex', 'demo', 'myrmex.fleet.json'), '{"agents":{}}')
    for (const args of [
      ['approvals', 'approve', 'x'],
      ['run', 'Order coffee'],
      ['dropship', 'start', '--port', '0'],
    ])
      expect((await run(args)).stderr, args.join(' ')).toMatch(REFUSED)
  })
})

describe('files of the working directory start programs and set rules', () => {
  const proof = (): string => join(folder, 'proof')
  const touch = (): object => ({
    command: process.execPath,
    args: ['-e', `require('fs').writeFileSync(${JSON.stringify(proof())}, '')`],
  })

  test('myrmex.json of an unknown folder starts nothing', async () => {
    writeFileSync(join(work, 'myrmex.json'), JSON.stringify({ mcpServers: { evil: touch() } }))
    const ended = await run(['host', '--stdio'])
    expect(ended.stderr).toMatch(REFUSED)
    expect(existsSync(proof())).toBe(false)
    expect(existsSync(join(work, '.myrmex'))).toBe(false)
    // The operator names it, so it starts.
    const args = [CLI, 'host', '--stdio', '--config', join(work, 'myrmex.json')]
    const host = spawn(process.execPath, args, { cwd: work, env: envOf(victim()), stdio: ['pipe', 'ignore', 'ignore'] })
    onTestFinished(() => void host.kill('SIGKILL'))
    await expect.poll(() => existsSync(proof()), { timeout: 20_000 }).toBe(true)
    host.stdin.end()
    await once(host, 'exit')
    // The ledger that it made is the user's own from then on.
    expect((await run(['untrust', 'shop.refund'])).stderr).not.toMatch(/folder trust/)
  })

  longTest('an unknown folder gets into no service, takes over no client, and undoes nothing in one', async () => {
    writeFileSync(join(work, 'myrmex.json'), JSON.stringify({ mcpServers: { evil: touch() } }))
    for (const args of [
      ['--service', 'systemd', '--http', '7350'],
      ['install', 'cursor', '--take-over'],
      ['install', 'cursor', '--undo'],
    ])
      expect(await run(['host', ...args])).toMatchObject({
        ...{ code: 1, stdout: '', stderr: expect.stringMatching(REFUSED) },
      })
    expect(existsSync(join(work, '.myrmex'))).toBe(false)
  })

  test.each(LONG ? ['myrmex.policy.json', 'myrmex.constitution.json'] : ['myrmex.policy.json'])(
    '%s of an unknown folder is not followed',
    async (name) => {
      writeFileSync(join(work, name), '{}')
      expect((await run(SELL)).stderr).toMatch(REFUSED)
      expect((await run(['serve', TOOLS])).stderr).toMatch(REFUSED)
    },
  )

  longTest('myrmex.fleet.json of an unknown folder starts no agent', async () => {
    writeFileSync(join(work, 'myrmex.fleet.json'), JSON.stringify({ agents: { evil: touch() } }))
    expect((await run(['run', 'Order coffee'])).stderr).toMatch(REFUSED)
    expect((await run(['dropship', 'start', '--port', '0'])).stderr).toMatch(REFUSED)
    expect(existsSync(proof())).toBe(false)
  })
})

describe('node_modules/myrmex-dropship of the working directory runs instead of the installed package', () => {
  const proof = (): string => join(folder, 'proof')
  const plant = (name: string, place = join(work, 'node_modules', name)): void => {
    mkdirSync(place, { recursive: true })
    writeFileSync(
      join(place, 'package.json'),
      JSON.stringify({ name, type: 'module', exports: { './command': './command.js' } }),
    )
    writeFileSync(
      join(place, 'command.js'),
      `import { writeFileSync } from 'node:fs'
      writeFileSync(${JSON.stringify(proof())}, '')
      export const addCommand = (program) => program.command(${JSON.stringify(name.slice(7))}).action(() => console.log('planted'))`,
    )
  }

  test('the installed package is used', async () => {
    plant('myrmex-dropship')
    const { stdout } = await run(['dropship', '--help'])
    expect(stdout).toContain('start')
    expect(existsSync(proof())).toBe(false)
  })

  longTest('a package above the working directory is not used, if nobody trusted the folder that has it', async () => {
    plant('myrmex-planted', join(folder, 'node_modules', 'myrmex-planted'))
    const { code, stdout, stderr } = await run(['planted'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(REFUSED)
    expect(stderr).toContain(`folder trust ${folder}.`)
    expect(existsSync(proof())).toBe(false)
  })

  test('the working directory itself is not a package with a command', async () => {
    plant('myrmex-planted', work)
    expect(await run(['planted'])).toMatchObject({ code: 1, stdout: '' })
    expect(existsSync(proof())).toBe(false)
  })

  longTest('a package that only the folder has is used if the folder is trusted', async () => {
    plant('myrmex-planted')
    expect((await run(['planted'])).stderr).toMatch(REFUSED)
    expect((await run(SELL)).stderr).toMatch(REFUSED)
    expect(existsSync(proof())).toBe(false)
    await run(['folder', 'trust'])
    expect(await run(['planted'])).toMatchObject({ code: 0, stdout: 'planted\n' })
  })
})

describe('a folder of the user’s own', () => {
  test('is known by itself when Myrmex begins there, and for every later command', async () => {
    expect((await run(SELL)).stderr).not.toMatch(/PermissionError.*folder/)
    expect(trustFile()).toHaveLength(2)
    for (const file of trustFile()) expect(statSync(file).mode & 0o777).toBe(0o600)
    for (const path of ['.config/myrmex', '.config/myrmex/folders'])
      expect(statSync(join(folder, 'victim', path)).mode & 0o777).toBe(0o700)
    expect(await run(['trust', 'shop.refund', '--file', TOOLS, '--yes'])).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(await run(SELL)).toMatchObject({ code: 0, stderr: 'paid 5\n' })
    writeFileSync(join(work, 'myrmex.policy.json'), '{}')
    expect(await run(SELL)).toMatchObject({ code: 0, stderr: 'paid 5\n' })
  })

  longTest('is known although its first process was killed before it could record the key', async () => {
    await run(SELL)
    const file = trustFile().find((name) => basename(name).includes('-')) ?? ''
    const { path, key } = JSON.parse(readFileSync(file, 'utf8'))
    const { dev, ino } = statSync(join(work, '.myrmex'), { bigint: true })
    writeFileSync(file, JSON.stringify({ path, creating: `${dev}:${ino}` }))
    expect((await run(SELL)).stderr).not.toMatch(/folder trust/)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ path, key })
    writeFileSync(file, JSON.stringify({ path, creating: `${dev}:${ino + 1n}` }))
    expect((await run(SELL)).stderr).toMatch(/folder trust/)
  })

  longTest('is found by many processes that begin there at once', async () => {
    const ended = await Promise.all(Array.from({ length: 8 }, () => run(SELL)))
    for (const { stderr } of ended) expect(stderr).not.toMatch(/folder trust|folder of yours/)
  })

  test.runIf(LONG).each(['/dev/null', '/dev/null/none'])(
    'without a registry (HOME=%s) a new ledger works, and says what follows',
    async (home) => {
      const first = await run(SELL, work, { HOME: home })
      expect(first.stderr).toMatch(/could not be recorded as a folder of yours/)
      expect(first.stderr).not.toMatch(/folder trust/)
      expect((await runLater(SELL, { HOME: home })).stderr).toMatch(REFUSED)
      expect((await runLater(SELL, { HOME: home, MYRMEX_TRUSTED_FOLDERS: work })).stderr).not.toMatch(REFUSED)
    },
  )

  test.runIf(process.getuid?.() === 0)('files that another user puts there are not believed', async () => {
    expect((await run(SELL)).stderr).not.toContain('folder trust')
    const file = join(work, 'myrmex.policy.json')
    writeFileSync(file, '{}')
    chownSync(file, 12_345, 12_345)
    const ended = await runLater(SELL)
    expect(ended.stderr).toMatch(/has myrmex\.policy\.json of another user.*npx myrmex folder trust/s)
    await run(['folder', 'trust'])
    expect((await runLater(SELL)).stderr).not.toContain('folder trust')
  })

  longTest('a registry that others can write is not believed', async () => {
    await run(SELL)
    chmodSync(join(folder, 'victim', '.config', 'myrmex', 'folders'), 0o777)
    expect((await run(SELL)).stderr).toMatch(REFUSED)
    chmodSync(join(folder, 'victim', '.config', 'myrmex', 'folders'), 0o700)
    for (const file of trustFile()) chmodSync(file, 0o606)
    expect((await run(SELL)).stderr).toMatch(REFUSED)
  })
})

describe('at a terminal', () => {
  /** Types an answer when the question is there. */
  function atTerminal(args: readonly string[], answer: string): Promise<string> {
    const words = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn(TERMINAL, ['-qec', words, '/dev/null'], {
      cwd: work,
      env: envOf(victim(), { TERM: 'xterm', SHELL: '/bin/sh' }),
      stdio: 'pipe',
    })
    onTestFinished(() => void child.kill())
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const isNew = !printed.includes('[y/N]')
      printed += text
      if (isNew && printed.includes('[y/N]')) child.stdin.write(`${answer}\n`)
    })
    return new Promise((resolve) => child.on('close', () => resolve(printed)))
  }

  test('the user is shown what the folder brings, and asked once', async () => {
    unpackLedger()
    writeFileSync(join(work, 'myrmex.json'), '{"mcpServers":{"x":{"command":"rm","args":["-rf","/tmp/\\u001b[2J"]}}}')
    const refused = await atTerminal(SELL, '')
    expect(refused).toMatch(/1 standing grant \(shop\.refund\)/)
    expect(refused).toMatch(/myrmex\.json: 1 server\r?\n {2}│ +rm -rf/)
    expect(refused).not.toContain('\u001b[2J')
    expect(refused).toMatch(/is not trusted/)
    expect(trustFile()).toEqual([])
    expect(await atTerminal(SELL, 'y')).toMatch(/success|refunded/)
    expect(await run(SELL)).toMatchObject({ code: 0 })
  })
})

test("the answers of an author's server do not control the terminal", async () => {
  const ESC = '\u001b[2J'
  const server = {
    name: `a${ESC}`,
    state: `ready${ESC}`,
    tools: ESC,
    last_error: { message: ESC, at: ESC },
    sandbox: 'none',
    problem: ESC,
    held_back: { total: 1, reasons: [], command: ESC },
    sessions: [{ pid: ESC }],
  }
  const problems = [{ server: ESC, item: ESC, message: ESC }]
  const channels = [{ name: ESC, problem: ESC, last_error: ESC }]
  const facts = { reason: ESC, set_by: ESC }
  const switches = { stop: facts, read_only: facts, read_only_profiles: [{ ...facts, profile: ESC }] }
  const http = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url?.endsWith('/switches') ? switches : { servers: [server], problems, channels }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void http.close())
  await new Promise((resolve) => http.once('listening', resolve))
  mkdirSync(join(work, '.myrmex/host'), { recursive: true })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api`
  writeFileSync(join(work, '.myrmex/host/api.json'), JSON.stringify({ url, token: 'x', pid: process.pid }))
  const { stdout } = await run(['host', 'status', '--details'])
  expect(stdout).toContain('ready')
  expect(stdout).not.toContain('\u001b')
})
