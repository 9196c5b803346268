/**
 * OAuth with the official clients (SDK 1.x and 2.x, both eras) and a real issuer: a client without a token asks for the scopes that the server
 * offers, and one whose token does not cover a call asks for the scope that does, keeps what it had, and makes the call.
 */
import { createServer as createTcp } from 'node:net'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CLIENT_ID, type OAuthIssuer, oauthIssuer, REDIRECT_URL } from '@myrmex/testing/oauth-issuer'
import { add, echo } from '@myrmex/testing/sample-tools'
import { createServer, listenHttp } from 'myrmex'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

let issuer: OAuthIssuer
beforeEach(async () => {
  issuer = await oauthIssuer(['math.*', 'text.*', 'text.echo'])
  open.push(issuer)
})

/** The audience of tokens is the URL of the server, so its port must be known before. */
async function freePort(): Promise<number> {
  const probe = createTcp()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function serve(jwt: object = {}): Promise<URL> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const policy = { jwt: { issuer: issuer.issuer, audience: url, jwks_url: issuer.jwksUrl, ...jwt } }
  const server = createServer({ name: 'oauth', version: '1.0.0', tools: [add, echo], policy: parsePolicy(policy) })
  open.push(await listenHttp(server, { port }))
  return new URL(url)
}

/** A client that was registered with the issuer, and a user who agrees to everything in a browser. */
function provider() {
  let verifier = ''
  let stored: Record<string, unknown> | undefined
  let discovery: object | undefined
  const answers: URLSearchParams[] = []
  return {
    answers,
    redirectUrl: REDIRECT_URL,
    clientMetadata: {
      redirect_uris: [REDIRECT_URL],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => ({ client_id: CLIENT_ID }),
    tokens: () => stored as never,
    saveTokens: (tokens: object) => {
      stored = { ...tokens }
    },
    redirectToAuthorization: async (url: URL) => {
      answers.push(await issuer.authorise(url))
    },
    saveCodeVerifier: (text: string) => {
      verifier = text
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state: object) => {
      discovery = state
    },
    discoveryState: () => discovery,
    get scope() {
      return stored?.scope
    },
  }
}

interface OAuthClient {
  connect(): Promise<void>
  tools(): Promise<string[]>
  call(name: string, args: object): Promise<unknown>
}

type Provider = ReturnType<typeof provider>

/** Repeats what was refused after the user has agreed. */
async function agreeing<T>(
  auth: Provider,
  finish: (answer: URLSearchParams) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const before = auth.answers.length
  try {
    return await work()
  } catch (thrown) {
    const answer = auth.answers.at(-1)
    if (auth.answers.length !== before + 1 || answer === undefined) throw thrown
    await finish(answer)
    return work()
  }
}

const CLIENTS: Record<string, (url: URL, auth: Provider) => OAuthClient> = {
  'SDK 1.x': (url, auth) => {
    const client = new Client1({ name: 'test', version: '1.0.0' })
    let transport = new Transport1(url, { authProvider: auth as never })
    const finish = (answer: URLSearchParams) => transport.finishAuth(answer.get('code') ?? '')
    open.push(client)
    return {
      connect: () =>
        agreeing(auth, finish, () => {
          transport = new Transport1(url, { authProvider: auth as never })
          return client.connect(transport as never)
        }),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) =>
        (await agreeing(auth, finish, () => client.callTool({ name, arguments: { ...args } }))).structuredContent,
    }
  },
  ...Object.fromEntries(
    (['auto', 'legacy'] as const).map((mode) => [
      `SDK 2.x, ${mode === 'auto' ? 'modern' : mode}`,
      (url: URL, auth: Provider): OAuthClient => {
        const client = new Client2({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
        let transport = new Transport2(url, { authProvider: auth as never })
        const finish = (answer: URLSearchParams) => transport.finishAuth(answer)
        open.push(client)
        return {
          connect: () =>
            agreeing(auth, finish, () => {
              transport = new Transport2(url, { authProvider: auth as never })
              return client.connect(transport)
            }),
          tools: async () =>
            (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name),
          call: async (name, args) =>
            (await agreeing(auth, finish, () => client.callTool({ name, arguments: { ...args } }))).structuredContent,
        }
      },
    ]),
  ),
}

describe.each(Object.entries(CLIENTS))('%s', (_name, clientFor) => {
  test('asks for the scopes that the server offers, and can use every tool', async () => {
    const auth = provider()
    const client = clientFor(await serve(), auth)
    await client.connect()
    expect(issuer.requested).toEqual(['math.* text.*'])
    expect(await client.tools()).toEqual(['math_add', 'text_echo'])
    expect(await client.call('math.add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await client.call('text.echo', { text: 'x' })).toEqual({ text: 'x' })
    expect(issuer.requested).toHaveLength(1)
  })

  test('steps up: asks for the scope of a call that its token does not cover, and keeps those it had', async () => {
    const auth = provider()
    const client = clientFor(await serve({ scopes_supported: ['math.*'] }), auth)
    await client.connect()
    expect([issuer.requested, auth.scope]).toEqual([['math.*'], 'math.*'])
    expect(await client.tools()).toEqual(['math_add'])
    expect(await client.call('text.echo', { text: 'x' })).toEqual({ text: 'x' })
    expect(issuer.requested.slice(1)).toEqual(['math.* text.echo'])
    expect(await client.call('math.add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(await client.tools()).toEqual(['math_add', 'text_echo'])
    expect(issuer.requested).toHaveLength(2)
  })

  test('asks for the offered scope that covers the call, not for the tool alone', async () => {
    const auth = provider()
    const url = await serve({ scopes_supported: ['math.*', 'text.*'] })
    const client = clientFor(url, auth)
    // The user had once agreed to less.
    auth.redirectToAuthorization = async (at: URL) => {
      if (issuer.requested.length === 0) at.searchParams.set('scope', 'math.*')
      auth.answers.push(await issuer.authorise(at))
    }
    await client.connect()
    expect(await client.call('text.echo', { text: 'x' })).toEqual({ text: 'x' })
    expect(issuer.requested.at(-1)?.split(' ').sort()).toEqual(['math.*', 'text.*'])
  })
})
