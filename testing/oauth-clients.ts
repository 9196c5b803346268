/** The official clients (SDK 1.x, and 2.x in both eras) with a person who signs in for them in a browser. */
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'

/** Nobody listens there: the browser stops before it. */
export const CALLBACK = 'http://127.0.0.1:9/callback'

/** Signs in, and returns the parameters of the redirect to the client. */
export type SignInPerson = (url: URL) => Promise<URLSearchParams>

export interface StoredTokens {
  access_token: string
  refresh_token?: string
  scope?: string
}

/** What a client keeps between starts. */
export class OAuthMemory {
  client: { client_id: string } | undefined
  stored: StoredTokens | undefined
  /** the authorization URLs that were opened */
  readonly opened: URL[] = []
  readonly answers: URLSearchParams[] = []
  readonly redirectUrl: string = CALLBACK
  /** URL of a document about the client */
  clientMetadataUrl?: string
  readonly clientMetadata = {
    client_name: 'Desk',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  readonly #person: SignInPerson
  #verifier = ''
  #discovery: object | undefined

  constructor(person: SignInPerson) {
    this.#person = person
  }

  clientInformation = () => this.client as never
  saveClientInformation = (client: { client_id: string }): void => {
    this.client = client
  }
  tokens = () => this.stored as never
  saveTokens = (tokens: StoredTokens): void => {
    this.stored = { ...tokens }
  }
  redirectToAuthorization = async (url: URL): Promise<void> => {
    this.opened.push(url)
    this.answers.push(await this.#person(url))
  }
  saveCodeVerifier = (text: string): void => {
    this.#verifier = text
  }
  codeVerifier = (): string => this.#verifier
  saveDiscoveryState = (state: object): void => {
    this.#discovery = state
  }
  discoveryState = () => this.#discovery as never
  invalidateCredentials = (what: string): void => {
    if (what === 'all' || what === 'tokens') this.stored = undefined
    if (what === 'all' || what === 'client') this.client = undefined
  }
}

export interface SignedInClient {
  connect(): Promise<void>
  tools(): Promise<string[]>
  call(name: string, args: object): Promise<unknown>
}

/** Repeats what was refused after the user has agreed. */
async function agreeing<T>(
  memory: OAuthMemory,
  finish: (answer: URLSearchParams) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const before = memory.answers.length
  try {
    return await work()
  } catch (thrown) {
    const answer = memory.answers.at(-1)
    if (memory.answers.length !== before + 1 || answer === undefined) throw thrown
    await finish(answer)
    return work()
  }
}

export type ClientMaker = (url: URL, memory: OAuthMemory) => SignedInClient

export const OAUTH_CLIENTS: Readonly<Record<string, ClientMaker>> = {
  'SDK 1.x': (url, memory) => {
    let client = new Client1({ name: 'desk', version: '1.0.0' })
    let transport = new Transport1(url, { authProvider: memory as never })
    const finish = (answer: URLSearchParams) => transport.finishAuth(answer.get('code') ?? '')
    onTestFinished(() => client.close())
    return {
      connect: () =>
        agreeing(memory, finish, async () => {
          await client.close()
          client = new Client1({ name: 'desk', version: '1.0.0' })
          transport = new Transport1(url, { authProvider: memory as never })
          return client.connect(transport as never)
        }),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) =>
        (await agreeing(memory, finish, () => client.callTool({ name, arguments: { ...args } }))).structuredContent,
    }
  },
  'SDK 2.x, modern': sdk2('auto'),
  'SDK 2.x, legacy': sdk2('legacy'),
}

function sdk2(mode: 'auto' | 'legacy'): ClientMaker {
  return (url, memory) => {
    const make = () => new Client2({ name: 'desk', version: '1.0.0' }, { versionNegotiation: { mode } })
    let client = make()
    let transport = new Transport2(url, { authProvider: memory as never })
    const finish = (answer: URLSearchParams) => transport.finishAuth(answer)
    onTestFinished(() => client.close())
    return {
      connect: () =>
        agreeing(memory, finish, async () => {
          await client.close()
          client = make()
          transport = new Transport2(url, { authProvider: memory as never })
          return client.connect(transport)
        }),
      tools: async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name),
      call: async (name, args) =>
        (await agreeing(memory, finish, () => client.callTool({ name, arguments: { ...args } }))).structuredContent,
    }
  }
}
