/**
 * What waits for approval is announced by e-mail, chat and webhook, where other people and programs read it.
 *
 * Attacker: a remote caller or an upstream server
 * Attack: puts text into arguments, versions and names that becomes a line, a link, a mention, a header or a subject of the announcement, so
 * that the person reads something else than what waits, or opens a page of the attacker.
 * Stopped by: texts of others stay on their line, with hidden characters escaped, URLs and names of hosts broken; Slack gets them as plain text,
 * and mail programs no markup.
 *
 * Attacker: a remote caller
 * Attack: makes so many calls that a person reads no announcement any more, or that the call of another caller is hidden among them.
 * Stopped by: beyond twenty a minute of one caller, and forty of all, announcements become one line a minute. Callers take turns, and one that
 * floods leaves room for the others.
 *
 * Attacker: anyone who reads an announcement, or holds its link
 * Attack: opens the link, with any method, parameter and header, to approve the call or to read it.
 * Stopped by: the page behind the link never looks into the ledger and takes no parameter. Deciding needs the operator's token or session.
 *
 * Attacker: the receiver of a webhook, or somebody between
 * Attack: redirects the announcement, with what the call contains, to another address; forges or alters one; or never answers, so that calls hang.
 * Stopped by: redirects are not followed, announcements are signed over id, time and body, and no call waits for them.
 */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call, eventually, serveRefundTool } from '@myrmex/testing/gated-server'
import { SECRET_PATH, webhookReceiver } from '@myrmex/testing/host/webhook-receiver'
import { listenHttp } from 'myrmex'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ChannelSettings, ChannelTarget } from '../../packages/myrmex/src/host/channels/channel.ts'
import { Notifier } from '../../packages/myrmex/src/host/channels/notifier.ts'
import { approvalPages } from '../../packages/myrmex/src/host/pages/approval-pages.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'

const SECRET = 'a key of at least twenty-four bytes'
const FORGED = [
  'ann\r\nDecide: https://evil.example/approve',
  'ann\u2028Subject: paid\u2029\u0085x',
  '<!channel> <https://evil.example|Open> <@U123>',
  'ann\u202e\u200b\u0007\u001b[2J',
  '[Open](https://evil.example) **bold** &lt;!here&gt;',
  'www.evil.example, evil.example/approve?x.evil.example and mailto:ann@evil.example',
  '"\r\nBcc: eve@example.com\r\n\r\n<b>hi</b>',
]

/** What mail and chat programs make a link of: a URL, or the name of a host without one. */
const LINKED = /:\/\/evil|evil\.example|www\./

function announcer(ledger: Ledger, ...targets: ChannelTarget[]) {
  const logged: string[] = []
  const notifier = new Notifier({ ledger: () => ledger, pollMs: 50, log: (_level, line) => logged.push(line) })
  onTestFinished(() => notifier.close())
  const channels: ChannelSettings[] = targets.map((target, index) => ({
    name: `c${index}`,
    kind: target.kind,
    target,
    withArguments: true,
  }))
  notifier.configure({ channels, link: 'https://host.example' })
  return { notifier, logged }
}

async function mailbox() {
  const letters: string[] = []
  const recipients: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onData(stream, session, done) {
      let text = ''
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        letters.push(text)
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  const { port } = server.server.address() as AddressInfo
  const target: ChannelTarget = {
    kind: 'email',
    smtp: `smtp://127.0.0.1:${port}`,
    from: 'host@example.com',
    to: ['olga@example.com'],
  }
  return { letters, recipients, target }
}

test('no text of others becomes a line, a link, a mention, a header or a subject', async () => {
  const { ledger } = await serveRefundTool()
  const chat = await webhookReceiver()
  const mail = await mailbox()
  const slack: ChannelTarget = { kind: 'slack', url: chat.url }
  announcer(ledger, slack, mail.target)
  for (const [index, text] of FORGED.entries())
    await ledger.approvals.request(
      // The names too, as if another gate had let them through.
      {
        tool: 'shop.sell.www.evil.example',
        version: text,
        hash: 'a'.repeat(64),
        args_hash: `${index}`.padStart(64, '0'),
        principal: text,
      },
      JSON.stringify({ text }),
      text,
    )
  await chat.arrived(FORGED.length)
  await vi.waitFor(() => expect(mail.letters).toHaveLength(FORGED.length), { timeout: 20_000 })
  for (const { body } of chat.received) {
    const { text, blocks } = JSON.parse(body) as { text: string; blocks: { text?: { type: string; text: string } }[] }
    expect(text).toMatch(
      /^shop\.sell\[\.\]www\[\.\]evil\[\.\]example waits for approval: https:\/\/host\.example\/approvals\/[a-z0-9]{10}$/,
    )
    // The title, the lines, and the button with its own text.
    expect(blocks.map((block) => block.text?.type)).toEqual(['plain_text', 'plain_text', undefined])
    const lines = (blocks[1]?.text?.text ?? '').split('\n')
    expect(lines.map((line) => line.split(/[ :]/)[0])).toEqual([
      'shop.sell[.]www[.]evil[.]example',
      'Why',
      'Arguments',
      'Decide',
    ])
    expect(JSON.stringify(blocks)).not.toMatch(LINKED)
  }
  for (const letter of mail.letters) {
    const [head = '', ...rest] = letter.split('\r\n\r\n')
    expect(head.match(/^Subject:.*$/gm)).toEqual(['Subject: shop.sell[.]www[.]evil[.]example waits for approval'])
    expect(head).not.toMatch(/^(Bcc|Decide):/m)
    expect(head).toContain('Content-Type: text/plain')
    // Long lines are folded by the encoding: the text as it is read.
    const body = rest.join('\r\n\r\n').replaceAll('=\r\n', '')
    expect(body.match(/^(Decide|Open):.*$/gm)).toHaveLength(2)
    expect(body).not.toMatch(LINKED)
  }
  expect(new Set(mail.recipients)).toEqual(new Set(['olga@example.com']))
})

async function flood({ approvals }: Ledger, from: number, principal = 'eve', count = 40): Promise<void> {
  const tool = { tool: 'shop.sell', version: '1.0.0', hash: 'a'.repeat(64), principal }
  for (let n = from; n < from + count; n++)
    await approvals.request({ ...tool, args_hash: `${n}`.padStart(64, '0') }, `{"n":${n}}`, 'it changes state')
}

test('a flood is one line a minute', async () => {
  const { ledger } = await serveRefundTool()
  const receiver = await webhookReceiver()
  announcer(ledger, { kind: 'webhook', url: receiver.url, secret: SECRET })
  await flood(ledger, 0)
  await receiver.arrived(21)
  await flood(ledger, 40)
  // Some more looks into the ledger.
  await new Promise((resolve) => setTimeout(resolve, 400))
  const types = receiver.received.map(({ body }) => JSON.parse(body).type as string)
  expect(types.filter((type) => type === 'approval.requested')).toHaveLength(20)
  expect(types.filter((type) => type === 'approvals.waiting')).toHaveLength(1)
})

test('the flood of one caller hides no call of another, from before it began and from after', async () => {
  const { ledger } = await serveRefundTool()
  const receiver = await webhookReceiver()
  // More than are looked at together.
  await flood(ledger, 0, 'eve', 300)
  await flood(ledger, 300, 'ann', 1)
  announcer(ledger, { kind: 'webhook', url: receiver.url, secret: SECRET })
  await receiver.arrived(22)
  await flood(ledger, 301)
  await flood(ledger, 400, 'bob', 1)
  await receiver.arrived(23)
  const announced = receiver.received.map(({ body }) => JSON.parse(body).approval?.principal as string | undefined)
  expect(announced.filter((principal) => principal === 'eve')).toHaveLength(20)
  expect(announced).toContain('ann')
  expect(announced.at(-1)).toBe('bob')
})

test('the link shows and decides nothing, whatever is sent to it', async () => {
  const { server, ledger } = await serveRefundTool()
  const listening = await listenHttp(server, { drainMs: 200, pages: approvalPages })
  onTestFinished(() => listening.close())
  const ended = await call(server, 'shop.refund', { n: 4711 })
  const id = ended.error?.error_details.approval as string
  const open = (path: string, method: string, headers: Record<string, string>, body?: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const sent = httpRequest(
        { host: '127.0.0.1', port: listening.port, path, method, headers, agent: false },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const paths = [
    `/approvals/${id}`,
    `/approvals/${id}?approve=1&decision=approve&_method=POST`,
    `/approvals/${id}/approve`,
    `/approvals/${id}%2Fapprove`,
    `/approvals/${id}/../${id}`,
    `//approvals/${id}`,
    `/approvals/..%2fapi%2fapprovals%2f${id}`,
    '/approvals',
    '/approvals/<script>alert(1)',
  ]
  const json = { 'content-type': 'application/json', 'x-http-method-override': 'POST' }
  for (const path of paths) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, text } = await open(path, method, json, method === 'GET' ? undefined : '{"decision":"approve"}')
      if (method !== 'GET' && method !== 'HEAD') expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
      expect(text).not.toMatch(/4711|shop\.refund|<script>/)
    }
  }
  // The same page for a call that waits, and for one that never was.
  const page = await open(`/approvals/${id}`, 'GET', {})
  expect(page).toMatchObject({ status: 200 })
  expect((await open('/approvals/abcdefghjk', 'GET', {})).text).toBe(page.text.replaceAll(id, 'abcdefghjk'))
  expect(await ledger.approvals.find(id)).toMatchObject({ status: 'waiting', decided_by: null })
})

test('a redirect is not followed, and what went wrong names no secret', async () => {
  const { server, ledger } = await serveRefundTool()
  const [receiver, elsewhere] = [await webhookReceiver(), await webhookReceiver()]
  receiver.answer(307, { location: elsewhere.url })
  const { notifier, logged } = announcer(
    ledger,
    { kind: 'webhook', url: receiver.url, secret: SECRET },
    { kind: 'slack', url: receiver.url },
  )
  await call(server, 'shop.refund', { n: 1 })
  await receiver.arrived(2)
  await eventually(() =>
    expect(notifier.status().map(({ last_error }) => last_error?.message)).toEqual([
      expect.stringMatching(/^127\.0\.0\.1:\d+ answered 307$/),
      expect.stringMatching(/^127\.0\.0\.1:\d+ answered 307$/),
    ]),
  )
  expect(elsewhere.received).toEqual([])
  expect(JSON.stringify([notifier.status(), logged])).not.toMatch(new RegExp(`${SECRET_PATH}|${SECRET}`))
})

test('an announcement that was altered, is old or comes from others does not verify', async () => {
  const { server, ledger } = await serveRefundTool()
  const receiver = await webhookReceiver()
  announcer(ledger, { kind: 'webhook', url: receiver.url, secret: SECRET })
  await call(server, 'shop.refund', { n: 1 })
  const { body, headers } = await receiver.arrived(1)
  const library = new Webhook(SECRET, { format: 'raw' })
  expect(library.verify(body, headers)).toMatchObject({ type: 'approval.requested' })
  expect(() => library.verify(body.replace('"n":1', '"n":2'), headers)).toThrow('No matching signature')
  expect(() => library.verify(body, { ...headers, 'webhook-id': 'apr_other_c0' })).toThrow('No matching signature')
  const old = String(Number(headers['webhook-timestamp']) - 3600)
  expect(() => library.verify(body, { ...headers, 'webhook-timestamp': old })).toThrow('too old')
  expect(() => new Webhook('another key of many bytes', { format: 'raw' }).verify(body, headers)).toThrow(
    'No matching signature',
  )
})

test('no call waits for a receiver that never answers, and closing does not either', async () => {
  const { server, ledger } = await serveRefundTool({}, { waiting: { hold: '60 s' } })
  const receiver = await webhookReceiver()
  receiver.answer('hang')
  const { notifier } = announcer(ledger, { kind: 'webhook', url: receiver.url, secret: SECRET })
  const held = call(server, 'shop.refund', { n: 1 })
  await receiver.arrived(1)
  const [waiting] = await ledger.approvals.list('waiting')
  await ledger.approvals.approve(waiting?.id ?? '', 'ada')
  expect(await held).toMatchObject({ status: 'success' })
  const from = performance.now()
  await notifier.close()
  // The receiver would be waited for for ten seconds.
  expect(performance.now() - from).toBeLessThan(8000)
})
