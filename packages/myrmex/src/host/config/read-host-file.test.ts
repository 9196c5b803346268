/** myrmex.json as people write it, in real files: what it comes to, and what is said of each line that is wrong. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, describe, expect, test } from 'vitest'
import schemaFile from '../../../schema/myrmex.host.schema.json' with { type: 'json' }
import type { ServerSettings } from '../settings.ts'
import { hostJsonSchema } from './host-schema.ts'
import { type HostFile, readHostFile } from './read-host-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'myrmex-config-'))
const file = join(folder, 'myrmex.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** How a file names a variable. */
const v = (name: string): string => `$\{${name}}`
const ENV = { PATH: process.env.PATH, GITHUB_TOKEN: 'ghp_0123456789', TEAM: 'blue', EMPTY: '', PORT: '7350' }

const read = (content: unknown, env: Record<string, string | undefined> = ENV): Promise<HostFile> => {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readHostFile(file, env, '/home/ann')
}
const one = async (entry: object, env = ENV): Promise<ServerSettings> =>
  (await read({ mcpServers: { one: entry } }, env)).settings[0] as ServerSettings
const problemOf = async (content: unknown): Promise<string> =>
  ((await read(content)).settings[0]?.problem ?? 'it has none').replaceAll(`${file}:`, '')
const refusal = (content: unknown, env = ENV): Promise<string> =>
  read(content, env).then(
    () => 'it was taken',
    (error: Error) => error.message.replaceAll(`${file}:`, ''),
  )

test('the block of a desktop client is taken as it is', async () => {
  const { settings, disabled, host, notes } = await read(`{
    // with comments, and commas at the end
    "mcpServers": {
      "My-Files": { "command": "./bin/files", "args": ["--root", "${v('userHome')}"], "env": { "MODE": "x-${v('TEAM')}" }, "cwd": "sub" },
      "GitHub": { "type": "http", "url": "https://api.x/mcp", "headers": { "Authorization": "Bearer ${v('env:GITHUB_TOKEN')}" } },
      "wind": { "serverUrl": "http://127.0.0.1:${v('PORT')}/sse", "type": "sse" },
      "gem": { "httpUrl": "http://x/mcp" },
      "off": { "command": "${v('NOBODY_SET_THIS')}", "disabled": true },
      "off2": { "url": "x", "enabled": false },
    },
  }`)
  expect(settings.map(({ name, endpoint }) => [name, endpoint])).toEqual([
    [
      'my_files',
      {
        where: 'child',
        command: join(folder, 'bin/files'),
        args: ['--root', '/home/ann'],
        env: { MODE: 'x-blue' },
        cwd: join(folder, 'sub'),
      },
    ],
    [
      'github',
      {
        where: 'url',
        url: 'https://api.x/mcp',
        headers: { Authorization: 'Bearer ghp_0123456789' },
        transport: 'http',
      },
    ],
    ['wind', { where: 'url', url: 'http://127.0.0.1:7350/sse', headers: {}, transport: 'sse' }],
    ['gem', { where: 'url', url: 'http://x/mcp', headers: {}, transport: 'http' }],
  ])
  expect(settings[1]?.secrets).toContain('ghp_0123456789')
  expect(disabled).toEqual(['off', 'off2'])
  expect(host).toEqual({
    name: 'myrmex',
    port: undefined,
    address: undefined,
    list: 'all',
    alwaysList: [],
    open: false,
    requireToken: false,
    signIn: undefined,
    startWaitMs: 8000,
    logs: { maxBytes: 2_097_152, files: 5 },
  })
  expect(notes).toEqual([])
})

describe('the sandbox of a child', () => {
  const secret = { from_file: 'keys/token' }
  const protects = (): object => ({
    state: join(folder, '.myrmex'),
    hide: [join(folder, 'keys/token')],
    hidden: [statSync(join(folder, 'keys/token')).ino],
    readOnly: [file],
  })

  test('is that of the server, else that of the host, else auto; every secret file is hidden from all', async () => {
    mkdirSync(join(folder, 'keys'), { recursive: true })
    writeFileSync(join(folder, 'keys/token'), 'a-token-of-somebody')
    const servers = {
      plain: { command: 'x' },
      own: { command: 'x', sandbox: { kind: 'bwrap', write: ['data', '~/cache'], network: false } },
      off: { command: 'x', sandbox: 'none' },
      far: { url: 'https://x/mcp', headers: { Authorization: secret } },
    }
    const sandboxes = async (host?: object): Promise<unknown[]> =>
      (await read({ mcpServers: servers, ...(host && { host }) })).settings.map(({ sandbox }) => sandbox)
    const own = { kind: 'bwrap', write: [join(folder, 'data'), '/home/ann/cache'], network: false, ...protects() }
    const off = { kind: 'none', network: true, ...protects() }
    expect(await sandboxes()).toEqual([{ kind: 'auto', network: true, ...protects() }, own, off, undefined])
    const user = { kind: 'user', user: 'mcp' }
    expect(await sandboxes({ sandbox: user })).toEqual([{ ...user, network: true, ...protects() }, own, off, undefined])
  })

  test.each([
    [
      'docker',
      ' is "docker": must be one of auto, bwrap, namespace, user, none, or an object with one of these as kind',
    ],
    [7, ' is 7: must be one of auto, bwrap, namespace, user, none, or an object with one of these as kind'],
    [{ kind: 'docker' }, ' must be one of auto, bwrap, namespace, user, none, or an object with one of these as kind'],
    [{ kind: 'user', write: ['.'] }, '/write is ["."]: is not possible with kind user; use auto, bwrap or namespace'],
    [
      { kind: 'none', network: false },
      '/network is false: cannot be false with kind none; use auto, bwrap or namespace',
    ],
    [{ kind: 'bwrap', user: 'x' }, '/user is "x": belongs to kind user, but kind is bwrap'],
    [{ kind: 'user', user: 0 }, '/user is 0: '],
    [{ kind: 'user', user: '-u' }, '/user is "-u": '],
    [{ wirte: [] }, '/wirte is not known here. Did you mean write? Known fields: kind, user, write, network'],
  ])('%j is rejected', async (sandbox, message) => {
    const said = await refusal({ mcpServers: { one: { command: 'x', sandbox } } })
    expect(said).toContain(`/mcpServers/one/sandbox${message}`)
  })

  test('belongs to a command', async () => {
    expect(await refusal({ mcpServers: { one: { url: 'https://x/mcp', sandbox: 'none' } } })).toContain(
      '/mcpServers/one/sandbox is "none": belongs to command, but this server has url',
    )
  })
})

test('what an operator says beyond that is kept, and what is not said has a default', async () => {
  const said = await one({
    command: 'x',
    start: 'lazy',
    timeout_ms: 5,
    trust: 'ask',
    tools: { 'get_*': { destructive: false }, rm: { enabled: false, timeout_ms: 9 } },
    roots: ['sub', 'file:///srv'],
    instructions: false,
  })
  expect(said).toMatchObject({
    start: 'lazy',
    timeoutMs: 5,
    trust: 'ask',
    tools: [
      ['get_*', { destructive: false }],
      ['rm', { enabled: false, timeoutMs: 9 }],
    ],
    roots: [`file://${folder}/sub`, 'file:///srv'],
    instructions: false,
  })
  expect(await one({ command: 'x' })).toMatchObject({ start: 'eager', openMs: 60_000, healthMs: 30_000, trust: 'none' })
})

test('settings have another digest when anything in them changes, and only then', async () => {
  const entry = { command: 'x', env: { A: { from_env: 'TEAM' } } }
  const { digest } = await one(entry)
  expect((await one(entry)).digest).toBe(digest)
  expect((await one(entry, { ...ENV, TEAM: 'green' })).digest).not.toBe(digest)
  expect((await one({ ...entry, hung_ms: 1 })).digest).not.toBe(digest)
})

test('variables: defaults, empty ones, and what is to stay as it is', async () => {
  const args = [v('NOT_SET:-other'), v('EMPTY:-full'), v('EMPTY'), `$${v('KEPT')}`, v('workspaceFolder'), '$TEAM']
  const { endpoint } = await one({ command: 'x', args })
  expect(endpoint).toMatchObject({ args: ['other', 'full', '', v('KEPT'), folder, '$TEAM'] })
})

describe('secrets', () => {
  test('come from the environment, a file and a command, and are known as secrets', async () => {
    writeFileSync(join(folder, 'key'), '  from-the-file\n')
    const { endpoint, secrets } = await one({
      command: 'x',
      env: {
        A: { from_env: 'GITHUB_TOKEN' },
        B: { from_file: './key', prefix: 'Key ' },
        C: { from_command: [process.execPath, '-p', '"from-" + "the-command"'] },
      },
    })
    expect(endpoint).toMatchObject({ env: { A: 'ghp_0123456789', B: 'Key from-the-file', C: 'from-the-command' } })
    expect([...secrets].sort()).toEqual(['from-the-command', 'from-the-file', 'ghp_0123456789'])
  })

  test('are guessed from names, in arguments and URLs too; paths, numbers and short words are none', async () => {
    const { secrets } = await one({
      command: 'x',
      args: ['--api-key', 'aaaa-1111', '--token=bbbb-2222', '--author', 'somebody', 'postgres://u:cccc-3333@h/d'],
      env: { API_KEY: 'dddd-4444', TOKEN_FILE: file, AUTH: 'enabled', MAX_TOKENS: '100000000', KEYBOARD: 'qwertzuiop' },
    })
    expect([...secrets].sort()).toEqual(['aaaa-1111', 'bbbb-2222', 'cccc-3333', 'dddd-4444'])
    expect((await one({ url: 'https://x/mcp?token=eeee-5555&q=nothing-secret' })).secrets).toEqual(['eeee-5555'])
  })

  test('that cannot be resolved are reported with their location and never shown', async () => {
    writeFileSync(join(folder, 'nothing'), ' \n')
    const loud = `console.log('hush-hush'); console.error('hush-hush'); process.exit(3)`
    const said = await problemOf({
      mcpServers: {
        one: {
          command: 'x',
          env: {
            A: { from_env: 'NOT_THERE' },
            B: { from_file: 'no-such-file' },
            C: { from_file: 'nothing' },
            D: { from_command: [process.execPath, '-e', loud] },
            E: { from_command: ['no-such-program'] },
          },
        },
      },
    })
    expect(said).toContain('/mcpServers/one/env/A needs the environment variable NOT_THERE, which is not set')
    expect(said).toContain(`/mcpServers/one/env/B is in a file that does not exist: ${join(folder, 'no-such-file')}`)
    expect(said).toContain('/mcpServers/one/env/C is empty: the file nothing contains nothing')
    expect(said).toMatch(/env\/D cannot be resolved: ".*" ended with 3; run it yourself to see why/)
    expect(said).toContain('/mcpServers/one/env/E cannot be resolved: there is no program "no-such-program"')
    expect(said).not.toContain('hush')
  })
})

describe('a value that cannot be resolved keeps its own server from starting', () => {
  const within = (entry: string): string =>
    `{\n  "mcpServers": {\n    "a": ${entry},\n    "b": {"command": "y"}\n  }\n}`
  test.each([
    ['a URL that is none', within('{ "url": "file:///x" }'), '3:12: /mcpServers/a/url is not an http or https URL'],
    [
      'a variable that is not set',
      within(`{ "command": "x", "args": ["y",\n "${v('NOPE')}"] }`),
      '4:2: /mcpServers/a/args/1 needs the environment variable NOPE, which is not set',
    ],
    [
      'what only VS Code can ask',
      within(`{ "command": "${v('input:key')}" }`),
      `3:12: /mcpServers/a/command uses ${v('input:key')}, which only VS Code supports`,
    ],
  ])('%s', async (_, text, expected) => {
    expect(await problemOf(text)).toContain(expected)
    const [broken, other] = (await read(text)).settings
    expect([broken?.problem?.startsWith(`${file}:`), other?.name, other?.problem]).toEqual([true, 'b', undefined])
  })

  test('and it is another server when the reason is another', async () => {
    const entry = { command: 'x', env: { A: { from_env: 'SOON' } } }
    const missing = (await read({ mcpServers: { a: entry } })).settings[0]
    const there = (await read({ mcpServers: { a: entry } }, { ...ENV, SOON: 'here' })).settings[0]
    expect(missing?.digest).not.toBe(there?.digest)
    expect(there?.problem).toBeUndefined()
  })
})

describe('errors are reported with line and column', () => {
  const within = (entry: string): string => `{\n  "mcpServers": {\n    "a": ${entry}\n  }\n}`
  test.each([
    ['not JSON', '{\n  "mcpServers": {\n    "a": 1\n    "b": 2\n', '4:5: invalid JSON: a comma is missing'],
    ['an empty file', '', '1:1: invalid JSON: a value is missing'],
    ['no servers', '{}', '1:1: /mcpServers is missing'],
    [
      'a word of VS Code',
      '{"mcpServers": {},\n "servers": {}}',
      '2:2: /servers belongs to another client and is not supported: use mcpServers here',
    ],
    ['a name twice', '{"mcpServers": {"a": {},\n "a": {}}}', '2:2: /mcpServers/a appears twice'],
    [
      'a mistyped word',
      within('{ "comand": "x" }'),
      '3:12: /mcpServers/a/comand is not known here. Did you mean command?',
    ],
    [
      'two places',
      within('{ "command": "x", "url": "y" }'),
      '3:5: /mcpServers/a must have exactly one of command, url, module; there are command and url',
    ],
    [
      'a word of another place',
      within('{ "url": "http://x", "cwd": "y" }'),
      '3:31: /mcpServers/a/cwd is "y": belongs to command, but this server has url',
    ],
    [
      'a type that does not fit',
      within('{ "url": "http://x", "type": "stdio" }'),
      '3:31: /mcpServers/a/type is "stdio": is stdio, but this server has url',
    ],
    [
      'a secret that any issuer could be sent',
      within('{ "url": "https://x", "auth": { "client_id": "me", "client_secret": "s" } }'),
      'client_secret is "[secret]": needs issuer: it is sent to the issuer that you name, and not to one that the server',
    ],
    [
      'trust that is none',
      within('{ "command": "x", "trust": "all" }'),
      '3:28: /mcpServers/a/trust is "all": must be one of none, verified, ask, trusted',
    ],
    [
      'a word of another client',
      within('{ "command": "x", "autoApprove": [] }'),
      '3:28: /mcpServers/a/autoApprove belongs to another client',
    ],
    [
      'a name that is ours',
      '{"mcpServers": {"Myrmex": {"command": "x"}}}',
      '1:17: /mcpServers/Myrmex becomes the name myrmex',
    ],
    [
      'a name without letters',
      '{"mcpServers": {"工具": {"command": "x"}}}',
      '1:17: /mcpServers/工具 has no letter a to z',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await refusal(text)).toContain(expected)
  })

  test('two names that come to one, with both places', async () => {
    const said = await refusal('{"mcpServers": {"a b": {"command": "x"},\n "A-B": {"command": "x"}}}')
    expect(said.split('\n')).toEqual([
      '1:17: /mcpServers/a b becomes the name a_b, as does "A-B"; rename one of them',
      '2:2: /mcpServers/A-B becomes the name a_b, as does "a b"; rename one of them',
    ])
  })

  test('no value that may be secret is shown again', async () => {
    const said = await refusal(
      within(
        '{ "comand": "sesame", "token": "sesame", "env": {"A": ["sesame"], "B C": "sesame"}, "headers": "sesame", "args": "sesame" }',
      ),
    )
    expect(said).toContain('/mcpServers/a/env/A')
    expect(said).not.toContain('sesame')
  })
})

test('an unreadable file is reported', async () => {
  await expect(readHostFile(join(folder, 'none.json'))).rejects.toThrow(/none\.json does not exist/)
  const closed = join(folder, 'closed.json')
  writeFileSync(closed, '{}')
  chmodSync(closed, 0)
  // Whoever runs this as root may read it all the same.
  await expect(readHostFile(closed)).rejects.toThrow(process.getuid?.() === 0 ? /is missing/ : /cannot be read/)
})

test('the file with the JSON Schema for editors is what the schema gives; scripts/json-schemas.ts writes it', () => {
  expect(schemaFile).toEqual(JSON.parse(JSON.stringify(hostJsonSchema())))
  const check = new Ajv({ strict: false, logger: false }).compile(hostJsonSchema())
  expect(check({ mcpServers: { a: { command: 'x', env: { A: { from_env: 'B' } } } }, host: { list: 'search' } })).toBe(
    true,
  )
  expect(check({ mcpServers: { a: { command: 'x', trust: 'all' } } })).toBe(false)
  expect(check({ mcpServers: { a: { command: 'x', env: { A: { from_nowhere: 'B' } } } } })).toBe(false)
})

test('a value that is declared public is no secret, unless the same value is one elsewhere', async () => {
  const from = { from_env: 'GITHUB_TOKEN', public: true }
  const { secrets, publicValues } = await one({ command: 'x', env: { MAP: from } })
  expect([secrets, publicValues]).toEqual([[], [ENV.GITHUB_TOKEN]])
  const twice = await one({ command: 'x', env: { MAP: from, OTHER: { from_env: 'GITHUB_TOKEN' } } })
  expect([twice.secrets, twice.publicValues]).toEqual([[ENV.GITHUB_TOKEN], undefined])
  expect(await refusal({ mcpServers: { one: { command: 'x', env: { MAP: { ...from, public: 'yes' } } } } })).toMatch(
    /MAP/,
  )
})
