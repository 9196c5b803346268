/** `approvals` of myrmex.json as people write it, in real files: what it comes to, what is said of each mistake, and that no secret is said. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ChannelSettings } from '../channels/channel.ts'
import { type HostFile, readHostFile } from './read-host-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'myrmex-channels-'))
const file = join(folder, 'myrmex.json')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = 'a key of at least twenty-four bytes'
const ENV = { PATH: process.env.PATH, KEY, SHORT: 'too short', HOOK: 'https://hooks.example/T0SECRET' }

const read = (approvals: object, mcpServers: object = {}): Promise<HostFile> => {
  writeFileSync(file, JSON.stringify({ mcpServers, approvals }))
  return readHostFile(file, ENV, '/home/ann')
}
const channels = async (given: object): Promise<readonly ChannelSettings[]> =>
  (await read({ channels: given })).announcements.channels
const problemOf = async (given: object): Promise<string> => {
  const [one] = await channels({ ops: given })
  return one?.target === undefined ? (one?.problem ?? 'no channel') : 'it was resolved'
}
const refusal = (approvals: object): Promise<string> =>
  read(approvals).then(
    () => 'it was taken',
    (error: Error) => error.message.replaceAll(`${file}:`, ''),
  )

test('channels are resolved, with secrets from where they are', async () => {
  mkdirSync(join(folder, 'keys'), { recursive: true })
  writeFileSync(join(folder, 'keys/smtp'), 'smtps://me:pw@mail.example.com\n')
  const { announcements, approvals } = await read({
    hold: '120 s',
    link: 'https://tools.example.com/host/',
    channels: {
      ops: { webhook: { from_env: 'HOOK' }, secret: { from_env: 'KEY' } },
      chat: { slack: '$'.concat('{HOOK}'), tools: ['bank.*'], arguments: true },
      mail: { email: 'ann@example.com', from: 'host@example.com', smtp: { from_file: 'keys/smtp' } },
      desk: { desktop: true },
      off: { slack: { from_env: 'NOT_SET' } },
    },
  })
  expect(approvals).toMatchObject({ hold: '120 s' })
  expect(announcements).toEqual({
    link: 'https://tools.example.com/host/',
    channels: [
      {
        name: 'ops',
        kind: 'webhook',
        withArguments: false,
        target: { kind: 'webhook', url: ENV.HOOK, secret: KEY },
      },
      {
        name: 'chat',
        kind: 'slack',
        withArguments: true,
        tools: ['bank.*'],
        target: { kind: 'slack', url: ENV.HOOK },
      },
      {
        name: 'mail',
        kind: 'email',
        withArguments: false,
        target: {
          kind: 'email',
          smtp: 'smtps://me:pw@mail.example.com',
          from: 'host@example.com',
          to: ['ann@example.com'],
        },
      },
      { name: 'desk', kind: 'desktop', withArguments: false, target: { kind: 'desktop' } },
      {
        name: 'off',
        kind: 'slack',
        withArguments: false,
        target: undefined,
        problem: expect.stringContaining('/approvals/channels/off/slack needs the environment variable NOT_SET'),
      },
    ],
  })
})

test('the file of a secret of a channel, and of a sign-in, is hidden from every child in a sandbox', async () => {
  const mail = { email: 'ann@example.com', from: 'host@example.com', smtp: { from_file: 'keys/smtp' } }
  const auth = { issuer: 'https://x', client_id: 'me', client_secret: { from_file: 'keys/client' } }
  const { settings } = await read(
    { channels: { mail } },
    { one: { command: 'x' }, two: { url: 'https://x/mcp', auth } },
  )
  expect(settings[0]?.sandbox).toMatchObject({ hide: [join(folder, 'keys/client'), join(folder, 'keys/smtp')] })
})

describe('a channel announces nothing, and says why without its secret:', () => {
  test.each([
    ['a secret that can be guessed', { webhook: 'https://x.example', secret: { from_env: 'SHORT' } }, 'is too short'],
    [
      'a webhook over the network in clear',
      { webhook: 'http://x.example/T0SECRET', secret: KEY },
      'must be an https URL',
    ],
    ['a chat over the network in clear', { slack: 'http://x.example/T0SECRET' }, 'must be an https URL'],
    ['what is no URL', { slack: 'T0SECRET' }, 'is not a URL'],
    ['another scheme', { slack: 'file:///etc/T0SECRET' }, 'must be an https URL'],
    [
      'a mail server that is none',
      { email: 'a@x.example', from: 'b@x.example', smtp: 'https://me:T0SECRET@x.example' },
      'must be an smtp:// or smtps:// URL',
    ],
  ])('%s', async (_what, given, why) => {
    const problem = await problemOf(given)
    expect(problem).toMatch(/myrmex\.json:\d+:\d+: \/approvals\/channels\/ops\/\w+ /)
    expect(problem).toContain(why)
    expect(problem).not.toMatch(/T0SECRET|twenty-four|too short:? too/)
  })

  test.each(['http://127.0.0.1:9/x', 'http://localhost/x', 'http://[::1]:9/x', 'https://10.0.0.1/x'])(
    'not one at %s',
    async (webhook) => expect(await problemOf({ webhook, secret: KEY })).toBe('it was resolved'),
  )
})

describe('the file is rejected, without a secret, for', () => {
  const hook = { webhook: 'https://x.example/T0SECRET', secret: KEY }
  test.each([
    ['two kinds', { ops: { ...hook, desktop: true } }, 'must have exactly one of webhook, slack, email, desktop'],
    ['no kind', { ops: {} }, 'must have exactly one of webhook, slack, email, desktop'],
    ['a webhook without a secret', { ops: { webhook: hook.webhook } }, '/secret is missing'],
    ['a secret of nothing', { ops: { slack: hook.webhook, secret: KEY } }, '/secret is "[secret]": belongs to webhook'],
    ['a mail without its server', { ops: { email: 'a@x.example', from: 'b@x.example' } }, '/smtp is missing'],
    ['an address with a header', { ops: { email: 'a@x.example\r\nBcc: b@x.example' } }, 'must be an e-mail address'],
    ['arguments of a webhook', { ops: { ...hook, arguments: true } }, 'a webhook always gets the arguments'],
    ['a name for a path', { '../ops': { desktop: true } }, 'must be a name of a-z'],
    ['a typo', { ops: { ...hook, tool: [] } }, 'Did you mean tools?'],
    ['a webhook of another type', { ops: { webhook: ['https://x.example/T0SECRET'], secret: KEY } }, '/webhook'],
  ])('%s', async (_what, given, why) => {
    const said = await refusal({ channels: given })
    expect(said).toContain('/approvals/channels/')
    expect(said).toContain(why)
    expect(said).not.toMatch(/T0SECRET|twenty-four/)
  })

  test.each(['tools.example.com', 'ftp://x.example', 'https://x.example/?a=b', 'https://me:pw@x.example'])(
    'the link %s',
    async (link) => expect(await refusal({ link })).toContain('must be an http or https URL without a query'),
  )
})

test('channels belong to the host: the policy has none', async () => {
  const { parsePolicy } = await import('../../pipeline/rules/policy.ts')
  expect(() => parsePolicy({ waiting: { channels: {} } })).toThrow('/waiting/channels is not known here')
})
