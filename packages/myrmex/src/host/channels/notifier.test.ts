import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  type ReceivedPost,
  SECRET_PATH,
  type WebhookReceiver,
  webhookReceiver,
} from '@myrmex/testing/host/webhook-receiver'
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ChannelSettings, ChannelTarget } from './channel.ts'
import { Notifier } from './notifier.ts'

const SECRET = `whsec_${Buffer.from('a key of more than 24 bytes').toString('base64')}`
const call = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64), principal: 'ann' }

describe('channels', () => {
  let store: Store
  let ledger: Ledger
  let receiver: WebhookReceiver
  let url: string
  let notifier: Notifier
  const logged: string[] = []

  beforeAll(async () => {
    store = await freshStore('sqlite')
    ledger = await store.open()
  })
  afterAll(() => store.remove())
  beforeEach(async () => {
    await store.empty()
    logged.length = 0
    receiver = await webhookReceiver()
    url = receiver.url
    notifier = new Notifier({
      ledger: () => ledger,
      pollMs: 20,
      retryMs: [20, 20],
      log: (_level, line) => logged.push(line),
    })
  })
  afterEach(async () => {
    await notifier.close()
  })

  const settings = (target: ChannelTarget, more: Partial<Omit<ChannelSettings, 'target'>> = {}): ChannelSettings => ({
    name: 'ops',
    kind: target.kind,
    target,
    withArguments: false,
    ...more,
  })
  const announceOn = (...channels: ChannelSettings[]): void =>
    notifier.configure({ channels, link: 'https://host.example/' })
  const request = async (args = '{"price":5}', more = {}): Promise<string> =>
    (
      await ledger.approvals.request(
        { ...call, args_hash: Buffer.from(args).toString('hex').padEnd(64, '0'), ...more },
        args,
        'it changes state',
      )
    ).id
  const arrived = (count: number): Promise<void> => vi.waitFor(() => expect(receiver.received).toHaveLength(count))

  test('a webhook gets each waiting call once, with all arguments, signed as others check it', async () => {
    const early = await request('{"price":1}')
    announceOn(settings({ kind: 'webhook', url, secret: SECRET }))
    await arrived(1)
    const late = await request('{"price":2}')
    await arrived(2)
    const [first, second] = receiver.received.map(
      ({ headers, body }) => new Webhook(SECRET).verify(body, headers) as Record<string, never>,
    )
    expect(first).toMatchObject({
      type: 'approval.requested',
      link: `https://host.example/approvals/${early}`,
      approval: { id: early, tool: 'shop.sell', args: { price: 1 }, principal: 'ann', status: 'waiting' },
    })
    expect(second).toMatchObject({ approval: { id: late } })
    await expect
      .poll(() => notifier.status())
      .toMatchObject([{ name: 'ops', kind: 'webhook', sent: 2, last_error: null }])
  })

  test('an altered body does not verify', async () => {
    await request()
    announceOn(settings({ kind: 'webhook', url, secret: SECRET }))
    await arrived(1)
    const [{ body, headers }] = receiver.received as [ReceivedPost]
    expect(() => new Webhook(SECRET).verify(body.replace('ann', 'bob'), headers)).toThrow('No matching signature')
  })

  test('Slack gets no arguments unless the operator wants them, and no text of a caller as markup', async () => {
    await request('{"to":"<!channel> <https://evil.example|click>"}', { principal: '<!here>' })
    announceOn(settings({ kind: 'slack', url }), settings({ kind: 'slack', url }, { name: 'all', withArguments: true }))
    await arrived(2)
    const bodies = receiver.received.map(({ body }) => JSON.parse(body))
    for (const { text, blocks } of bodies) {
      expect(text).not.toContain('<')
      expect(blocks.map((block: { text?: { type: string } }) => block.text?.type)).toEqual([
        'plain_text',
        'plain_text',
        undefined,
      ])
    }
    expect(bodies.filter(({ blocks }) => JSON.stringify(blocks).includes('evil[.]example'))).toHaveLength(1)
  })

  test('an e-mail is delivered by SMTP, in plain text, with one address of the call', async () => {
    const letters: { from: unknown; to: unknown; text: string }[] = []
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      onData(stream, session, done) {
        let text = ''
        stream.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          letters.push({
            from: mailFrom ? mailFrom.address : undefined,
            to: rcptTo.map(({ address }) => address),
            text,
          })
          done()
        })
      },
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    const { port } = server.server.address() as AddressInfo
    const id = await request('{"note":"hidden\\u202e"}', { principal: 'ann\r\nBcc: eve@example.com' })
    const target = {
      kind: 'email' as const,
      smtp: `smtp://127.0.0.1:${port}`,
      from: 'host@example.com',
      to: ['ann@example.com'],
    }
    announceOn(settings(target, { withArguments: true }))
    await vi.waitFor(() => expect(letters).toHaveLength(1))
    const [letter] = letters
    expect(letter).toMatchObject({ from: 'host@example.com', to: ['ann@example.com'] })
    expect(letter?.text).toContain('Subject: shop.sell waits for approval')
    expect(letter?.text).toContain(`https://host.example/approvals/${id}`)
    expect(letter?.text).toContain(`Message-ID: <apr_${id}_ops@myrmex>`)
    expect(letter?.text).not.toMatch(/^Bcc:/m)
    await new Promise<void>((closed) => server.close(() => closed()))
  })

  test('a channel that fails is reported without its secret, and tried again', async () => {
    receiver.answer(500)
    const id = await request()
    announceOn(settings({ kind: 'slack', url }))
    await arrived(1)
    await vi.waitFor(() => expect(notifier.status()[0]?.last_error?.message).toMatch(/answered 500$/))
    expect(JSON.stringify([logged, notifier.status()])).not.toContain(SECRET_PATH)
    receiver.answer(204)
    await ledger.db.query('UPDATE approval_notices SET next_at = 0')
    await arrived(2)
    await vi.waitFor(() => expect(notifier.status()[0]).toMatchObject({ sent: 1, last_error: null }))
    expect(await ledger.approvals.find(id)).toMatchObject({ status: 'waiting' })
  })

  test('a flood of requests becomes one line', async () => {
    for (let number = 0; number < 60; number++) await request(`{"price":${number}}`)
    announceOn(settings({ kind: 'webhook', url, secret: SECRET }))
    await arrived(21)
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
      type: 'approvals.waiting',
      count: 40,
      link: 'https://host.example/approvals',
    })
  })

  test('only the tools that a channel names are announced there', async () => {
    await request('{}', { tool: 'bank.pay' })
    const id = await request()
    announceOn(settings({ kind: 'webhook', url, secret: SECRET }, { tools: ['shop.*'] }))
    await arrived(1)
    expect(receiver.received[0]?.body).toContain(id)
  })

  test('a channel that stays as it is goes on when others change, and one that is gone announces nothing', async () => {
    const hook = settings({ kind: 'webhook', url, secret: SECRET })
    announceOn(hook)
    await request()
    await arrived(1)
    await vi.waitFor(() => expect(notifier.status()).toMatchObject([{ sent: 1 }]))
    announceOn({ ...hook }, settings({ kind: 'slack', url }, { name: 'chat' }))
    expect(notifier.status()).toMatchObject([
      { name: 'ops', sent: 1 },
      { name: 'chat', sent: 0 },
    ])
    // The new one announces what waits already.
    await arrived(2)
    announceOn()
    await request('{"price":2}')
    announceOn(hook)
    await arrived(3)
    expect(receiver.received.map(({ headers }) => headers['webhook-id'] !== undefined)).toEqual([true, false, true])
  })

  test('plans and budgets of runs are called what they are, and without pages there is no link', async () => {
    const ofRun = { principal: 'ann', version: '1.0.0' }
    await request('{"run":"r-1","steps":[]}', { ...ofRun, tool: 'run.plan' })
    await request('{"run":"r-2","raise":5}', { ...ofRun, tool: 'run.budget' })
    notifier.configure({ channels: [settings({ kind: 'slack', url })], link: undefined })
    await arrived(2)
    expect(receiver.received.map(({ body }) => JSON.parse(body).text).sort()).toEqual([
      'More budget for run r-2 waits for approval',
      'The plan of run r-1 waits for approval',
    ])
    expect(receiver.received[0]?.body).not.toContain('http')
  })

  test('a channel with a problem announces nothing, and others do', async () => {
    const broken: ChannelSettings = {
      name: 'off',
      kind: 'slack',
      withArguments: false,
      target: undefined,
      problem: 'no URL',
    }
    await request()
    announceOn(broken, settings({ kind: 'webhook', url, secret: SECRET }))
    await arrived(1)
    expect(notifier.status()).toMatchObject([
      { name: 'off', problem: 'no URL', sent: 0 },
      { name: 'ops', problem: null },
    ])
    expect(logged).toEqual(['channel off announces nothing: no URL'])
    await expect(notifier.test('off')).rejects.toThrow('no URL')
  })

  test('a sign-in that no longer works is announced on the channels of its server, again if one fails, and without secrets', async () => {
    const needed = {
      server: 'notes',
      principal: 'ann://x',
      reason: 'it was refused',
      command: 'npx myrmex host login notes',
    }
    announceOn(
      settings({ kind: 'webhook', url, secret: SECRET }),
      settings({ kind: 'webhook', url, secret: SECRET }, { name: 'other', tools: ['shop.*', 'notes_x.*'] }),
      settings({ kind: 'slack', url }, { name: 'chat', tools: ['notes.read'] }),
    )
    receiver.answer(500)
    notifier.announceDead(needed)
    await arrived(2)
    receiver.answer(204)
    await vi.waitFor(() => expect(notifier.status().map(({ sent }) => sent)).toEqual([1, 0, 1]))
    const signed = receiver.received.filter(({ headers }) => headers['webhook-id'] !== undefined)
    expect(new Set(signed.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const last = signed.at(-1) as ReceivedPost
    expect(new Webhook(SECRET).verify(last.body, last.headers)).toMatchObject({
      type: 'server.needs_sign_in',
      ...needed,
    })
    const chat = receiver.received.findLast(({ headers }) => headers['webhook-id'] === undefined)?.body ?? ''
    expect(JSON.parse(chat).text).toBe('notes needs a sign-in for ann[:]//x')
    expect(chat).toContain('Sign in: npx myrmex host login notes')
  })

  test('a test of a channel says how it went', async () => {
    announceOn(settings({ kind: 'slack', url }))
    expect(await notifier.test('ops')).toMatchObject({ sent: 1 })
    expect(await notifier.test('nobody')).toBeUndefined()
    receiver.answer(404)
    await expect(notifier.test('ops')).rejects.toThrow('answered 404')
  })
})
