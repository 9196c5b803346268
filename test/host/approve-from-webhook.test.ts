/**
 * The way of an approval to a person and back, with nothing in between replaced: a real host of a locked ledger, a server behind it, an official
 * client whose call is held, a receiver that checks the webhook's signature with the library that others use, and the operator's session.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { hostFolder, type StartedHost } from '@myrmex/testing/host/host-folder'
import { SECRET_PATH, type WebhookReceiver, webhookReceiver } from '@myrmex/testing/host/webhook-receiver'
import { fixturePath } from '@myrmex/testing/paths'
import { openLedger } from 'myrmex'
import { openSession } from 'myrmex/api'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lockLedger } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'

vi.setConfig({ testTimeout: 60_000 })

const PASSPHRASE = 'correct horse battery'
const SECRET = `whsec_${Buffer.from('a key of more than 24 bytes').toString('base64')}`
const SENT = { amount: 500, to: 'ann' }
const CHANGED = { amount: 50, to: 'ann' }

const bank = { command: process.execPath, args: [fixturePath('host/bank-upstream.mjs')], trust: 'verified' }
const channel = (receiver: WebhookReceiver) => ({ webhook: receiver.url, secret: { from_env: 'HOOK_SECRET' } })

async function started(approvals: object) {
  const files = hostFolder()
  files.write('project/myrmex.json', { mcpServers: { bank }, approvals: { hold: '120 s', ...approvals } })
  mkdirSync(join(files.project, '.myrmex'), { mode: 0o700 })
  const ledger = await openLedger(join(files.project, '.myrmex', 'ledger.db'))
  await lockLedger(ledger, PASSPHRASE, 'olga', 2 ** 14)
  await ledger.close()
  const host = files.start(['--http', '0'], { HOOK_SECRET: SECRET })
  await host.says(/(every call is recorded)/)
  const session = await openSession(host.api(), PASSPHRASE)
  const api = async (path: string, body?: object) => {
    const answer = await host.request(path, body, session)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body as Record<string, unknown>
  }
  const { tools } = (await api('/api/trust')) as { tools: { tool: string; hash: string }[] }
  const { hash } = tools.find(({ tool }) => tool === 'bank.pay') ?? expect.fail('bank.pay is not listed')
  await api('/api/trust/bank.pay/trust', { hash, ask: true })
  return { ...files, host, api, session }
}

async function connect(host: StartedHost) {
  const client = new Client({ name: 'desk', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', host.api().url)) as never)
  onTestFinished(() => client.close())
  const heard: string[] = []
  const pay = (args: object) =>
    client.callTool({ name: 'bank_pay', arguments: { ...args } }, undefined, {
      onprogress: ({ message = '' }) => heard.push(message),
      resetTimeoutOnProgress: true,
    })
  return { pay, heard }
}

/** The message as the receiver reads it after it checked the signature. */
function verified(post: { body: string; headers: Record<string, string> }) {
  const body = new Webhook(SECRET).verify(post.body, post.headers)
  return body as { type: string; link: string; approval: Record<string, unknown> & { id: string } }
}

test('a held call is announced, its link decides nothing, and a session edits and approves it', async () => {
  const receiver = await webhookReceiver()
  const { host, api, project, env } = await started({ channels: { ops: channel(receiver) } })
  const { pay, heard } = await connect(host)
  const held = pay(SENT)

  const { type, link, approval } = verified(await receiver.arrived(1))
  const { id } = approval
  expect(type).toBe('approval.requested')
  expect(approval).toMatchObject({ tool: 'bank.pay', args: SENT, status: 'waiting', client: { name: 'desk' } })
  // The tool has no version of its own.
  expect(approval).toMatchObject({ server_version: '1.0.0' })
  const shown = await runToEnd(['approvals', 'show', id], { cwd: project, env })
  expect(shown.stdout).toContain('bank.pay 1.0.0')
  expect(shown.stdout).toMatch(/^client +says it is "desk" \S+, session [\w-]{12}$/m)
  expect(link).toBe(new URL(`/approvals/${id}`, host.api().url).href)
  const page = await fetch(link)
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain(`npx myrmex approvals show ${id}`)
  expect(text).not.toMatch(/bank|500|ann/)

  // Neither the link nor the token that another program of this user can read decides.
  await fetch(link, { method: 'POST', body: 'decision=approve' })
  const decision = { arguments: CHANGED, note: 'ten percent' }
  expect(await host.request(`/api/approvals/${id}/approve`, decision)).toMatchObject({ status: 403 })
  expect(await api(`/api/approvals/${id}`)).toMatchObject({ status: 'waiting' })
  expect(heard[0]).toBe(`Waiting for a human: approval ${id} (it changes state).`)

  expect(await api(`/api/approvals/${id}/approve`, decision)).toMatchObject({ status: 'approved' })
  const said = `The operator changed the arguments before approving this call (approval ${id}). It was called with {"amount":50,"to":"ann"}, not with the arguments that you sent. Their note: “ten percent”`
  expect(await held).toMatchObject({
    content: [
      { type: 'text', text: 'payment 1: 50 to ann' },
      { type: 'text', text: said },
    ],
    _meta: { 'myrmex/result': { status: 'success', edited: { approval: id, arguments: CHANGED } } },
  })
  expect(await api(`/api/approvals/${id}`)).toMatchObject({
    status: 'used',
    args: SENT,
    edited_args: CHANGED,
    signed_by: expect.any(String),
  })
  const { calls } = (await api('/api/calls?tool=bank.pay')) as { calls: { call_id: string }[] }
  const callId = calls[0]?.call_id
  expect(await api(`/api/calls/${callId}`)).toMatchObject({ approval: id, args: CHANGED, sent: { args: SENT } })

  // Denied: the caller reads the note, and repeating the call asks nobody again.
  const refused = pay(SENT)
  const second = verified(await receiver.arrived(2)).approval
  await api(`/api/approvals/${second.id}/deny`, { note: 'ask Bob' })
  expect(await refused).toMatchObject({
    isError: true,
    structuredContent: { error_message: expect.stringContaining('ask Bob') },
  })
  expect(await pay(SENT)).toMatchObject({ isError: true, structuredContent: { error_details: { status: 'denied' } } })
  expect(await api('/api/approvals')).toEqual({ approvals: [] })
  expect(receiver.received).toHaveLength(2)
})

test('channels are listed and tested, follow the file, and show their secrets nowhere', async () => {
  const [receiver, chat] = [await webhookReceiver(), await webhookReceiver()]
  const files = await started({ channels: { ops: channel(receiver), chat: { slack: { from_env: 'NOT_SET' } } } })
  const { host, api, write, project, env } = files
  const cli = (...args: string[]) => runToEnd(['approvals', 'channels', ...args], { cwd: project, env })
  const listed = await cli()
  expect(listed.code).toBe(1)
  expect(listed.stdout).toMatch(
    /^ops {3}webhook {2}all tools {2}0 sent\nchat {2}slack {4}all tools {2}0 sent\n {2}.*needs the environment/,
  )
  expect((await runToEnd(['host', 'status'], { cwd: project, env })).stdout).toContain(
    'waiting calls are not announced on chat; to see why: npx myrmex approvals channels',
  )
  expect(listed.stdout).toContain(`links lead to ${new URL(host.api().url).origin}`)

  expect(await api('/api/channels/ops/test', {})).toMatchObject({
    name: 'ops',
    kind: 'webhook',
    sent: 1,
    last_error: null,
  })
  expect(verified(await receiver.arrived(1)).type).toBe('approvals.test')
  receiver.answer(500)
  const session = files.session
  const failed = await host.request('/api/channels/ops/test', {}, session)
  expect(failed).toMatchObject({ status: 502, body: { error_message: expect.stringContaining('answered 500') } })
  expect(await host.request('/api/channels/opps/test', {}, session)).toMatchObject({
    status: 404,
    body: { error_message: expect.stringContaining('Did you mean ops?') },
  })
  // The token on disk may look, and send nothing.
  expect((await host.request('/api/channels')).status).toBe(200)
  expect((await host.request('/api/channels/ops/test', {})).status).toBe(403)

  const approvals = {
    channels: { chat: { slack: chat.url, tools: ['bank.*'] } },
    link: 'https://tools.example.com/host',
  }
  write('project/myrmex.json', { mcpServers: { bank }, approvals })
  await host.says(/(was reloaded)/)
  const { pay } = await connect(host)
  // Without a hold it fails at once, and waits all the same.
  expect(await pay(SENT)).toMatchObject({ isError: true })
  const { body } = await chat.arrived(1)
  expect(JSON.parse(body).text).toMatch(
    /^bank\.pay waits for approval: https:\/\/tools\.example\.com\/host\/approvals\/\w{10}$/,
  )
  expect(body).not.toContain('ann')
  const known = await vi.waitFor(async () => {
    const now = await api('/api/channels')
    expect(now).toMatchObject({ channels: [{ name: 'chat', tools: ['bank.*'], sent: 1, problem: null }] })
    return now
  })
  const shown = [await cli(), await cli('--json'), known, failed, host.said(), await api('/api/host')]
  const logs = files.read('project/.myrmex/host/logs/myrmex.log')
  for (const secret of [SECRET, SECRET_PATH, 'a key of more than'])
    expect(JSON.stringify(shown) + logs).not.toContain(secret)
  await host.end()
})
