/**
 * A desktop client starts a server in any folder, with hardly any environment and no terminal: the entries of docs/serving.md work as they
 * are written, and a command in a terminal finds the same ledger.
 */

import { type ChildProcess, type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { LONG, longTest } from '@myrmex/testing/long'
import { CLI, fixturePath, ROOT } from '@myrmex/testing/paths'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'

const TOOLS = fixturePath('all.tools.ts')
const ANN = '/home/ann'

let folder: string
let home: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'desktop-')))
  // Another user of a test is to read it.
  chmodSync(folder, 0o755)
  home = join(folder, 'home')
  mkdirSync(home)
  return () => rmSync(folder, { recursive: true, force: true })
})

/** As a desktop client passes it on. */
const environment = (more: NodeJS.ProcessEnv = {}): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: home,
  ...(more as Record<string, string>),
})

const run = (args: readonly string[], cwd: string): Promise<CommandEnd> =>
  runToEnd(args, { cwd, env: { ...environment(), NO_COLOR: '1' } })

function writeTools(path: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `export * from ${JSON.stringify(TOOLS)}`)
  return file
}

const makeProject = (path: string): string => {
  const file = writeTools(join(path, 'all.tools.ts'))
  writeFileSync(join(folder, path, 'package.json'), '{"type":"module"}')
  return file
}

/** Where the ledgers in the test's folder are. */
const ledgers = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('ledger.db'))
    .sort()

interface Entry {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Starts an entry as the official client does, calls a tool, and returns what the server wrote to stderr. */
async function callThrough({ command, args, env = {} }: Entry, cwd: string): Promise<string> {
  const transport = new StdioClientTransport({
    ...{ command, args: [...args], cwd, stderr: 'pipe' },
    env: environment(env),
  })
  let said = ''
  transport.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  await client.connect(transport)
  try {
    const { structuredContent } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })
    expect(structuredContent).toEqual({ sum: 3 })
  } finally {
    await client.close()
  }
  return said
}

const serve = (...args: readonly string[]): Entry => ({ command: process.execPath, args: [CLI, 'serve', ...args] })

/** The documented entries of a page, with the folder of the test in the place of the reader's. */
function documentedEntries(page: string): Entry[] {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```json\n(.*?)^```$/gms)].map(([, json]) => json)
  return blocks
    .filter((json) => json?.includes('"mcpServers"') && json.includes('"serve"'))
    .flatMap((json) => Object.values(JSON.parse((json as string).replaceAll(ANN, folder)).mcpServers as object))
}

describe.each(LONG ? ['docs/serving.md', 'README.md'] : ['README.md'])('the entries of %s', (page) => {
  const entries = documentedEntries(page)
  test.each(entries.map(({ command }, index) => [command, index] as const))(
    '%s starts in / and a call is recorded',
    async (_, index) => {
      const [entry] = documentedEntries(page).slice(index)
      const { command, args, env } = entry as Entry
      const file = args.find((arg) => arg.endsWith('.tools.ts')) ?? ''
      makeProject(file.slice(folder.length + 1, file.lastIndexOf('/')))
      writeFileSync(file, `export * from ${JSON.stringify(TOOLS)}`)
      // What npm install would do, and npx.
      const modules = join(dirname(file), 'node_modules')
      mkdirSync(modules)
      symlinkSync(join(ROOT, 'packages/myrmex'), join(modules, 'myrmex'))
      const programs = join(folder, 'programs')
      mkdirSync(programs)
      symlinkSync(process.execPath, join(programs, 'node'))
      const npx = `#!/bin/sh\n[ "$1 $2" = "-y myrmex" ] || exit 1\nshift 2\nexec "${process.execPath}" "${CLI}" "$@"\n`
      writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 })
      for (const policy of Object.values(env ?? {})) writeFileSync(policy, '{}')

      await callThrough({ command, args, env: { ...env, PATH: `${programs}:/usr/bin:/bin` } }, '/')
      const project = dirname(file)
      expect(ledgers()).toEqual([join(project, '.myrmex', 'ledger.db').slice(folder.length + 1)])
      expect((await run(['audit', 'tail'], project)).stdout).toMatch(/success {2}all\.add/)
    },
  )

  test('are there', () => expect(entries.length).toBeGreaterThan(0))
})

describe('a server in a project', () => {
  test('has one ledger, whether a client starts it in / or elsewhere, or a person in the project', async () => {
    const file = makeProject('shop')
    await callThrough(serve(file), '/')
    await callThrough(serve(file), home)
    await callThrough(serve('all.tools.ts'), join(folder, 'shop'))
    await run(['call', 'all.add', '{"a":1,"b":2}', '--file', file], folder)
    expect(ledgers()).toEqual(['shop/.myrmex/ledger.db'])
    expect((await run(['audit', 'tail'], join(folder, 'shop'))).stdout.match(/all\.add/g)).toHaveLength(4)
  })

  test.runIf(LONG)(
    'has the rules of its project. Those of another working directory are not used, and it says so',
    async () => {
      const file = makeProject('shop')
      writeFileSync(join(folder, 'shop/myrmex.policy.json'), '{"approvals":[{"name":"all","tools":["all.echo"]}]}')
      writeFileSync(join(home, 'myrmex.policy.json'), '{"approvals":[{"name":"none","tools":["all.add"]}]}')
      await run(['folder', 'trust', join(folder, 'shop')], '/')
      const said = await callThrough(serve(file), home)
      expect(said).toContain(`${join(home, 'myrmex.policy.json')} is not used: the rules are those of ${folder}/shop`)
      const echo = await run(['call', 'all.echo', '{"value":"x"}', '--file', file], '/')
      expect(echo.stdout).toMatch(/needs a human's approval/)
      expect(await callThrough(serve(file), '/')).not.toContain('is not used')
    },
  )

  test.runIf(LONG)('says which rules between its tools and its ledger are not used', async () => {
    const project = join(folder, 'shop')
    await callThrough(serve(makeProject('shop')), project)
    const nested = join(project, 'src')
    writeTools('shop/src/all.tools.ts')
    writeFileSync(join(nested, 'myrmex.policy.json'), '{}')
    const said = await callThrough(serve('src/all.tools.ts'), project)
    expect(said).toContain(`${join(nested, 'myrmex.policy.json')} is not used: the rules are those of ${project}`)
  })

  longTest('says which ledger it uses, and the command that it prints shows the call', async () => {
    const said = await callThrough(serve(makeProject('my shop')), '/')
    const [, words = ''] = /npx myrmex (audit tail .*) \(/.exec(said) ?? []
    expect(words).toBe(`audit tail --follow --ledger '${folder}/my shop/.myrmex/ledger.db'`)
    const ledger = join(folder, 'my shop', '.myrmex', 'ledger.db')
    expect((await run(['audit', 'tail', '--ledger', ledger], '/')).stdout).toContain('all.add')
  })

  longTest('that brings a .myrmex of its own is refused with the command to run, which then helps', async () => {
    const file = makeProject('shop')
    mkdirSync(join(folder, 'shop/.myrmex'))
    writeFileSync(join(folder, 'shop/.myrmex/ledger.db'), '')
    const refused = await runToEnd(['serve', file], { cwd: '/', env: environment(), ownProcess: true })
    expect(refused.stderr).toContain(`npx myrmex folder trust ${folder}/shop`)
    expect(refused.code).toBe(1)
    rmSync(join(folder, 'shop/.myrmex/ledger.db'))
    await run(['folder', 'trust', join(folder, 'shop')], '/')
    await callThrough(serve(file), '/')
  })
})

describe('a server whose tools are in no project', () => {
  test('has a ledger for its user alone in the data folder, which commands about the same file find', async () => {
    const file = writeTools('loose/all.tools.ts')
    await callThrough(serve(file, '--name', 'My Tools'), '/')
    const [ledger = '', ...more] = ledgers()
    expect(ledger).toMatch(/^home\/\.local\/share\/myrmex\/servers\/my-tools-[0-9a-f]{10}\/\.myrmex\/ledger\.db$/)
    const called = await run(['call', 'all.add', '{"a":1,"b":2}', '--file', file], join(folder, 'loose'))
    expect(called.stderr).toContain(`the ledger is ${join(folder, ledger)}`)
    expect([more, ledgers().length]).toEqual([[], 1])
    const server = join(folder, ledger, '..', '..')
    expect((await run(['audit', 'tail'], server)).stdout.match(/all\.add/g)).toHaveLength(2)
    for (const path of ['.', '..', '../..']) expect(statSync(join(server, path)).mode & 0o777).toBe(0o700)
  })

  test.each([
    ['is not a folder', '/dev/null', /because \/dev\/null is not a folder/],
    ['can be changed by another user', '', /because another user can change /],
  ])('is refused if the data folder %s, with the option that helps', async (_what, data, expected) => {
    const file = writeTools('loose/all.tools.ts')
    const shared = join(folder, 'shared')
    mkdirSync(shared)
    chmodSync(shared, 0o777)
    const env = environment({ XDG_DATA_HOME: data || shared })
    const refused = await runToEnd(['serve', file], { cwd: '/', env })
    expect(refused.stderr).toMatch(expected)
    expect(refused.stderr).toMatch(/with --ledger or MYRMEX_LEDGER/)
    expect(refused.stderr).not.toContain('EACCES')
  })
})

describe('where a program can hardly start', () => {
  longTest(
    'the working directory is gone: a server with absolute paths starts, and other commands say what is wrong',
    async () => {
      const file = makeProject('shop')
      const script = 'mkdir gone; cd gone; rmdir ../gone; exec "$@"'
      const inNothing = (...args: string[]): Entry => ({
        command: 'sh',
        args: ['-c', script, 'sh', process.execPath, CLI, ...args],
      })
      await callThrough(inNothing('serve', file), folder)
      expect(ledgers()).toEqual(['shop/.myrmex/ledger.db'])
      const { command, args } = inNothing('audit', 'tail')
      const child = spawn(command, args, { cwd: folder, env: environment(), stdio: ['ignore', 'ignore', 'pipe'] })
      expect(await outputOf(child)).toMatch(/^myrmex: The working directory does not exist any more\. Start in another/)
    },
  )

  longTest('stdin is closed: the server ends as at its end', () => {
    const args = ['-c', 'exec "$@" <&- 2>/dev/null', 'sh', process.execPath, CLI, 'serve', makeProject('shop')]
    expect(execFileSync('sh', args, { cwd: '/', env: environment(), encoding: 'utf8' })).toBe('')
  })

  test.each(['', 'relative'])('HOME is %j: the home folder is that of the account', (value) => {
    const script = `import { homeFolder } from ${JSON.stringify(join(ROOT, 'packages/myrmex/src/ledger/user-folders.ts'))}
      import { userInfo } from 'node:os'
      if (homeFolder() !== userInfo().homedir) process.exit(1)`
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: '/', env: { HOME: value } })
  })

  test.runIf(LONG && process.getuid?.() === 0)(
    'an unprivileged user starts servers in /, also of a project that belongs to root, and its rules hold',
    async () => {
      const nobody = 65_534
      chownSync(home, nobody, nobody)
      const project = makeProject('shop')
      writeFileSync(join(folder, 'shop/myrmex.policy.json'), '{"approvals":[{"name":"all","tools":["all.add"]}]}')
      const asNobody = (...args: string[]): ChildProcessWithoutNullStreams =>
        spawn(process.execPath, [CLI, ...args], { cwd: '/', env: environment(), uid: nobody, gid: nobody })
      expect(await outputOf(asNobody('folder', 'trust', dirname(project)))).toMatch(/^trusted/m)
      for (const [file, answer] of [
        [writeTools('loose/all.tools.ts'), /"sum":3/],
        [project, /needs a human's approval/],
      ] as const) {
        const child = asNobody('serve', file)
        const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
        const request = { method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } }
        for (const message of [
          { id: 1, method: 'initialize', params },
          { id: 2, ...request },
        ])
          child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
        child.stdin.end()
        const output = await outputOf(child)
        expect(output).toMatch(answer)
        expect(output).not.toMatch(/EACCES|EROFS/)
      }
      expect(ledgers().map((path) => path.replace(/-[0-9a-f]{10}\//, '-HASH/'))).toEqual(
        Array(2).fill('home/.local/share/myrmex/servers/all-HASH/.myrmex/ledger.db'),
      )
    },
  )
})

longTest('a host that a client starts in / has its ledger beside its configuration', async () => {
  const file = makeProject('shop')
  const config = join(folder, 'shop', 'myrmex.json')
  const entry = { ...serve(file), env: { MYRMEX_LEDGER: join(folder, 'child.db') }, trust: 'verified', sandbox: 'none' }
  writeFileSync(config, JSON.stringify({ mcpServers: { desk: entry } }))
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [CLI, 'host', '--stdio', '--config', config], cwd: '/', stderr: 'ignore' },
    env: environment(),
  })
  const client = new Client({ name: 'desktop', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const { name = '' } = (await client.listTools()).tools.find((tool) => tool.name.endsWith('add')) ?? {}
  expect((await client.callTool({ name, arguments: { a: 1, b: 2 } })).structuredContent).toEqual({ sum: 3 })
  expect(ledgers()).toEqual(['shop/.myrmex/ledger.db'])
})

longTest('a CEO that a client starts in / has its ledger beside its fleet', async () => {
  mkdirSync(join(folder, 'fleet'))
  const fleet = join(folder, 'fleet', 'myrmex.fleet.json')
  writeFileSync(fleet, JSON.stringify({ agents: { stock: { module: fixturePath('runs/stock.agent.ts') } } }))
  // Its agents are programs: somebody has to trust them once.
  await run(['folder', 'trust', join(folder, 'fleet')], '/')
  const ended = await runToEnd(['ceo', '--fleet', fleet], { cwd: '/', env: environment(), ownProcess: true })
  expect(ended.stderr).toContain(`--ledger ${folder}/fleet/.myrmex/ledger.db`)
  expect(ledgers()).toEqual(['fleet/.myrmex/ledger.db'])
})

describe('.myrmex and Git', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: join(folder, 'shop'), env: environment(), encoding: 'utf8' })

  test('nothing in .myrmex shows in a repository, and a .myrmex from before gets the file too', async () => {
    const file = makeProject('shop')
    git('init', '-q')
    git('add', '.')
    await callThrough(serve(file), '/')
    const ignore = join(folder, 'shop/.myrmex/.gitignore')
    expect([readFileSync(ignore, 'utf8'), statSync(ignore).mode & 0o777]).toEqual(['*\n', 0o600])
    expect(
      git('status', '--porcelain')
        .split('\n')
        .filter((line) => !line.startsWith('A ')),
    ).toEqual([''])
    rmSync(ignore)
    expect(git('status', '--porcelain')).toContain('.myrmex/')
    await run(['call', 'all.add', '{"a":1,"b":2}', '--file', file], '/')
    expect(git('status', '--porcelain')).not.toContain('.myrmex')
  })

  longTest('a file or a link that is there stays, and nothing is written through it', async () => {
    const file = makeProject('shop')
    await run(['call', 'all.add', '{"a":1,"b":2}', '--file', file], '/')
    const ignore = join(folder, 'shop/.myrmex/.gitignore')
    writeFileSync(ignore, '!ledger.db\n')
    await run(['call', 'all.add', '{"a":1,"b":2}', '--file', file], '/')
    expect(readFileSync(ignore, 'utf8')).toBe('!ledger.db\n')
    rmSync(ignore)
    symlinkSync(join(folder, 'target'), ignore)
    await run(['call', 'all.add', '{"a":1,"b":2}', '--file', file], '/')
    expect(existsSync(join(folder, 'target'))).toBe(false)
  })

  longTest('a folder with only that file is as good as new', async () => {
    const file = makeProject('shop')
    mkdirSync(join(folder, 'shop/.myrmex'))
    writeFileSync(join(folder, 'shop/.myrmex/.gitignore'), '*\n')
    await callThrough(serve(file), '/')
    expect(ledgers()).toEqual(['shop/.myrmex/ledger.db'])
  })
})

/** Everything that it prints until it ends. */
async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await new Promise((resolve) => child.once('close', resolve))
  return output
}
