/** An OAuth client by hand, for requests that no official client sends. */
import { createHash, randomBytes } from 'node:crypto'
import type { SignInBrowser } from './sign-in-browser.ts'
import { PASSPHRASE } from './signed-in-host.ts'

export const RAW_CALLBACK = 'http://127.0.0.1:9/callback'

export interface RawTokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope?: string
}

export interface RawAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any
}

export class RawOAuth {
  readonly origin: string
  readonly verifier: string = randomBytes(32).toString('base64url')
  id = ''

  constructor(origin: string) {
    this.origin = origin
  }

  async register(metadata: object = {}): Promise<RawAnswer> {
    const body = { client_name: 'Desk', redirect_uris: [RAW_CALLBACK], ...metadata }
    const headers = { 'content-type': 'application/json' }
    const got = await answered(
      await fetch(`${this.origin}/sign-in/register`, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    this.id = got.json?.client_id ?? ''
    return got
  }

  /** Where the user is sent. A field that is undefined is left out. */
  authorizeUrl(fields: Record<string, string | undefined> = {}): URL {
    const url = new URL(`${this.origin}/sign-in/authorize`)
    const all = {
      client_id: this.id,
      redirect_uri: RAW_CALLBACK,
      response_type: 'code',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'math.*',
      state: 'state',
      resource: `${this.origin}/mcp`,
      ...fields,
    }
    for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value)
    return url
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<RawAnswer> {
    const body = new URLSearchParams({ client_id: this.id, ...fields })
    return answered(await fetch(`${this.origin}/sign-in/${path}`, { method: 'POST', headers, body }))
  }

  redeem(code: string, fields: Record<string, string> = {}): Promise<RawAnswer> {
    return this.post('token', {
      ...{ grant_type: 'authorization_code', code, redirect_uri: RAW_CALLBACK, code_verifier: this.verifier },
      ...fields,
    })
  }

  refresh(token: string, fields: Record<string, string> = {}): Promise<RawAnswer> {
    return this.post('token', { grant_type: 'refresh_token', refresh_token: token, ...fields })
  }

  /** Registers if it has not, signs in and returns the code. */
  async code(browser: SignInBrowser, user = 'ada', fields: Record<string, string | undefined> = {}): Promise<string> {
    if (this.id === '') await this.register()
    const answer = await browser.signIn(this.authorizeUrl(fields), user, PASSPHRASE)
    const code = answer.get('code')
    if (code === null) throw new Error(`the client gets ${answer}`)
    return code
  }

  async tokens(
    browser: SignInBrowser,
    user = 'ada',
    fields: Record<string, string | undefined> = {},
  ): Promise<RawTokens> {
    const { status, json } = await this.redeem(await this.code(browser, user, fields))
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`)
    return json
  }
}

async function answered(response: Response): Promise<RawAnswer> {
  const text = await response.text()
  let json: unknown = text
  try {
    json = JSON.parse(text)
  } catch {}
  return { status: response.status, json }
}

/** A call of a tool with a token. */
export async function callWith(
  origin: string,
  token: string,
  tool = 'math.add',
): Promise<RawAnswer & { challenge: string | null }> {
  const args = tool === 'math.add' ? { a: 1, b: 2 } : { text: 'x' }
  const response = await fetch(`${origin}/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tool_name: tool, arguments: args }),
  })
  return { ...(await answered(response)), challenge: response.headers.get('www-authenticate') }
}
