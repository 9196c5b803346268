/** `auth.per_caller`: a call uses the account of its caller, and never that of another caller or of the operator. */
import { freshStore, type Store } from '@myrmex/testing/ledger/ledger-store'
import { Browser } from '@myrmex/testing/sign-in/browser'
import { authSettings, OPERATOR, type SignInHost, signInHost } from '@myrmex/testing/sign-in/host-with-issuer'
import { protectedServer, type Sdk } from '@myrmex/testing/sign-in/protected-server'
import { signInIssuer } from '@myrmex/testing/sign-in/sign-in-issuer'
import { connectDirect, type Ledger } from 'myrmex'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

let store: Store
let ledger: Ledger
beforeAll(async () => {
  store = await freshStore('sqlite')
  ledger = await store.open()
})
afterAll(() => store.remove())

async function prepare(sdk: Sdk = 'sdk2') {
  const issuer = await signInIssuer()
  const server = await protectedServer(sdk, issuer)
  const signed = await signInHost(server.url, ledger, { auth: authSettings({ perCaller: true }), transport: 'auto' })
  const login = async (account: string, principal?: string): Promise<void> => {
    issuer.account = account
    const started = await signed.host.signIns.login('notes', { by: OPERATOR, principal })
    const page = await new Browser().open(started?.authorization_url ?? '')
    expect(page.status).toBe(200)
  }
  await login('operator')
  await vi.waitFor(() => expect(signed.host.servers()[0]?.state).toBe('ready'))
  return { issuer, server, signed, login }
}

/** A client of this principal. */
async function callerOf({ host }: SignInHost, principal: string) {
  const connection = connectDirect(host.server, () => {}, { id: principal, kind: 'bearer', scopes: ['*'] })
  onTestFinished(() => connection.close())
  const send = async (id: number, method: string, params: object) =>
    (await connection.send({ jsonrpc: '2.0', id, method, params: params as never })) as {
      result?: { content: { text: string }[]; isError?: boolean; structuredContent?: unknown; completion?: unknown }
    }
  const client = { name: principal, version: '1.0.0' }
  await send(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: client })
  await connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  let id = 1
  const call = async (name: string) => (await send(++id, 'tools/call', { name, arguments: {} })).result
  const complete = async (prompt: string) => {
    const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'with', value: '' } }
    return (await send(++id, 'completion/complete', params)).result?.completion
  }
  return Object.assign(call, { complete })
}

test('each caller gets the account that was signed in for it; one without learns who must sign in', async () => {
  const { server, signed, login } = await prepare()
  const [ada, bob] = [await callerOf(signed, 'ada@desk'), await callerOf(signed, 'bob')]
  const before = server.requests.length
  expect(await ada('whoami')).toMatchObject({
    isError: true,
    structuredContent: {
      error_type: 'PermissionError',
      error_message: expect.stringContaining('notes needs a sign-in for ada@desk'),
      error_details: { principal: 'ada@desk', command: 'npx myrmex host login notes --for "ada@desk"' },
    },
  })
  // One 401 for a caller without an account, and nothing from then on.
  await ada('whoami')
  expect(server.requests.length).toBe(before + 1)
  expect(signed.host.servers()[0]?.state).toBe('ready')

  await login('ada', 'ada@desk')
  await login('robert', 'bob')
  const answers = await Promise.all([ada('whoami'), bob('whoami'), ada('whoami')])
  expect(answers.map((result) => result?.content[0]?.text)).toEqual(['ada', 'robert', 'ada'])
  expect(await ada.complete('share')).toMatchObject({ values: ['ada'] })
  // Neither token reaches a caller, whosever it is.
  expect((await bob('leak'))?.content[0]?.text).toBe('token [secret]')
  expect(signed.host.servers()[0]?.sign_in?.callers).toEqual([
    { principal: 'ada@desk', state: 'signed_in', reason: null },
    { principal: 'bob', state: 'signed_in', reason: null },
  ])

  // The end of one sign-in is nothing to the others.
  await signed.host.signIns.logout('notes', 'bob', OPERATOR)
  expect(await bob('whoami')).toMatchObject({ isError: true })
  expect((await ada('whoami'))?.content[0]?.text).toBe('ada')
  expect([...server.headers].filter((name) => name.includes('myrmex'))).toEqual([])
})

test('a late 401 for the token before does not end a sign-in that came after it: the call goes on with the new one', async () => {
  const { issuer, server, signed, login } = await prepare()
  const ada = await callerOf(signed, 'ada@desk')
  await login('ada', 'ada@desk')
  expect((await ada('whoami'))?.content[0]?.text).toBe('ada')
  // The server refuses the token and the one after it, but the second answer comes late.
  server.rejectAll = true
  const held = Promise.withResolvers<void>()
  const first = server.tokens.at(-1)
  server.beforeAnswer = (token) => (token === first ? Promise.resolve() : held.promise)
  const before = server.tokens.length
  const late = ada('whoami')
  await vi.waitFor(() => expect(server.tokens.length).toBe(before + 2))
  expect(issuer.requests.filter((line) => line === 'POST /token')).toHaveLength(3)
  server.rejectAll = false
  server.beforeAnswer = undefined
  await login('ada', 'ada@desk')
  held.resolve()
  expect((await late)?.content[0]?.text).toBe('ada')
  expect((await ada('whoami'))?.content[0]?.text).toBe('ada')
})

describe.each([['sdk1'], ['sse']] as const)('a server of the legacy era (%s)', (sdk) => {
  test('has a session for each caller, with the account of that caller and no other', async () => {
    const { server, signed, login } = await prepare(sdk)
    expect(signed.host.servers()[0]).toMatchObject({ era: 'legacy', sessions: [] })
    const [ada, bob] = [await callerOf(signed, 'ada@desk'), await callerOf(signed, 'bob')]
    const before = server.requests.length
    const command = 'npx myrmex host login notes --for "ada@desk"'
    for (let count = 0; count < 3; count++)
      expect(await ada('whoami')).toMatchObject({
        isError: true,
        structuredContent: { error_type: 'PermissionError', error_details: { principal: 'ada@desk', command } },
      })
    // One 401 for a caller without an account, and nothing from then on.
    expect(server.requests.length).toBe(before + 1)
    expect(signed.host.servers()[0]?.state).toBe('ready')

    await login('ada', 'ada@desk')
    await login('robert', 'bob')
    const answers = await Promise.all([ada('whoami'), bob('whoami'), ada('whoami'), bob('leak')])
    expect(answers.map((result) => result?.content[0]?.text)).toEqual(['ada', 'robert', 'ada', 'token [secret]'])
    expect(signed.host.servers()[0]?.sessions?.map(({ principal, state }) => [principal, state])).toEqual([
      ['ada@desk', 'ready'],
      ['bob', 'ready'],
    ])

    // Another account for the same caller is another session.
    await login('bobby', 'bob')
    expect((await bob('whoami'))?.content[0]?.text).toBe('bobby')
    await signed.host.signIns.logout('notes', 'bob', OPERATOR)
    await vi.waitFor(() => expect(signed.host.servers()[0]?.sessions).toHaveLength(1))
    expect(await bob('whoami')).toMatchObject({ isError: true })
    expect((await ada('whoami'))?.content[0]?.text).toBe('ada')
  })
})

test('a dead credential of one caller is nothing to the session of another', async () => {
  const { issuer, server, signed, login } = await prepare('sdk1')
  const [ada, bob] = [await callerOf(signed, 'ada@desk'), await callerOf(signed, 'bob')]
  await login('ada', 'ada@desk')
  await login('robert', 'bob')
  await ada('whoami')
  const token = server.tokens.at(-1) ?? ''
  await bob('whoami')
  await issuer.revokeAccess(token)
  issuer.intercept = (line, answer) => {
    if (line === 'POST /token') answer(400, { error: 'invalid_grant' })
    return line === 'POST /token'
  }
  const before = [server.requests.length, issuer.requests.length] as const
  for (let count = 0; count < 3; count++)
    expect(await ada('whoami')).toMatchObject({ structuredContent: { error_details: { sign_in: 'needed' } } })
  expect(server.requests.slice(before[0]).filter((line) => line.startsWith('POST'))).toEqual(['POST /mcp'])
  expect(issuer.requests.slice(before[1])).toEqual(['POST /token'])
  expect((await bob('whoami'))?.content[0]?.text).toBe('robert')
})

test('without per_caller nobody signs in for a caller', async () => {
  const issuer = await signInIssuer()
  const server = await protectedServer('sdk2', issuer)
  const signed = await signInHost(server.url, ledger)
  await expect(signed.host.signIns.login('notes', { by: OPERATOR, principal: 'ada' })).rejects.toThrow(
    'set auth.per_caller of notes',
  )
})
