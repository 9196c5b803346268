/**
 * `fetch` that sends the credential of a server with each request. A 401 leads to one attempt to renew the credential, and the request,
 * which the server refused unread, is sent again with the new one. If that is refused too, the credential is dead. Nothing else is ever
 * repeated.
 */
import type { ToolError } from '../../protocol/errors.ts'
import { ACCOUNT_HEADER } from './account-header.ts'
import type { Credential } from './credential.ts'
import type { Challenge } from './discover-issuer.ts'
import { isScopeNeeded, isSignInNeeded } from './sign-in-needed.ts'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface AuthorisedFetchOptions {
  /** of all requests that name no caller */
  readonly credential: Credential
  /** where each caller has an account of its own: that of the caller whom a request names */
  readonly accounts?: ((principal: string) => Credential) | undefined
  /** called with each error of `credential`, before it is thrown: the official transports may wrap it */
  readonly onRefused: (why: ToolError) => void
}

/** More than one only if other processes or people renew the credential at the same time. */
const MAX_ROUNDS = 4

export function authorisedFetch(base: Fetch, { credential, accounts, onRefused }: AuthorisedFetchOptions): Fetch {
  const send = (url: string | URL, init: RequestInit | undefined, authorization: string | undefined) => {
    if (authorization === undefined) return base(url, init)
    const headers = new Headers(init?.headers)
    headers.set('authorization', authorization)
    return base(url, { ...init, headers })
  }
  const attempt = async (
    url: string | URL,
    init: RequestInit | undefined,
    credential: Credential,
  ): Promise<Response> => {
    credential.uses++
    try {
      const header = credential.header()
      let sent = header instanceof Promise ? await header : header
      let response = await send(url, init, sent)
      for (let round = 0; response.status === 401 && round < MAX_ROUNDS; round++) {
        const renewed = await credential.rejected(sent, await challengeOf(response))
        if (renewed === undefined) return response
        await response.body?.cancel()
        sent = renewed
        response = await send(url, init, sent)
      }
      if (response.status !== 401) credential.accepted(sent)
      return response.status === 403 ? await checkScope(response, credential) : response
    } finally {
      credential.uses--
    }
  }
  const forCaller: Fetch = (url, init) => {
    const headers = new Headers(init?.headers)
    const principal = headers.get(ACCOUNT_HEADER)
    if (principal === null || accounts === undefined) return attempt(url, init, credential)
    headers.delete(ACCOUNT_HEADER)
    return attempt(url, { ...init, headers }, accounts(decodeURIComponent(principal)))
  }
  const isShared = accounts === undefined
  const { principal } = credential.options
  return async (url, init) => {
    try {
      return await (isShared ? attempt(url, init, credential) : forCaller(url, init))
    } catch (thrown) {
      if (isSignInNeeded(thrown, principal) || isScopeNeeded(thrown, principal)) onRefused(thrown)
      throw thrown
    }
  }
}

/** Undefined: the server did not say how to sign in. */
async function challengeOf(response: Response): Promise<Challenge | undefined> {
  const header = response.headers.get('www-authenticate')
  if (header === null || !/^\s*(bearer|dpop)\b/i.test(header)) return undefined
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
  return { resourceMetadataUrl: resourceMetadataUrl?.href, scope }
}

async function checkScope(response: Response, credential: Credential): Promise<Response> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  if (error !== 'insufficient_scope') return response
  await response.body?.cancel()
  throw credential.scopeMissing({
    scope,
    ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
  })
}
