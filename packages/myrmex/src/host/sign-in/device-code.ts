/**
 * The device grant (RFC 8628): the operator types a code at an address of the issuer, on any device, while the host asks for the token
 * at the pace that the issuer sets.
 */
import * as z from 'zod'
import { ToolError } from '../../protocol/errors.ts'
import { isObject, parseJson } from '../../protocol/json.ts'
import { reasonIn } from './discover-issuer.ts'
import type { IssuerAddresses } from './issuer-address.ts'
import { isTemporary } from './issuer-fetch.ts'
import {
  grantTokens,
  postAsClient,
  type SavedTokens,
  TokenRefused,
  type TokenTarget,
  withoutSecrets,
} from './token-request.ts'

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SLOWER_MS = 5000
const MAX_LIFETIME_S = 1800

export interface DeviceCode {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string | undefined
  readonly lifetimeMs: number
  readonly intervalMs: number
}

const answerSchema = () =>
  z.object({
    device_code: z.string().min(1).max(4000),
    // It is shown in a terminal.
    user_code: z.string().regex(/^[\x20-\x7e]{1,64}$/),
    verification_uri: z.string().max(2000),
    verification_uri_complete: z.string().max(4000).optional(),
    expires_in: z.number().positive(),
    interval: z.number().min(0).max(60).default(5),
  })

/** Throws TokenRefused if the issuer says no. */
export async function requestDeviceCode(target: TokenTarget, addresses: IssuerAddresses): Promise<DeviceCode> {
  const { issuer } = target
  const endpoint = (issuer.metadata as { device_authorization_endpoint?: unknown }).device_authorization_endpoint
  if (typeof endpoint !== 'string')
    throw refusal(`${issuer.issuer} does not offer the device grant. Sign in with a browser, or with --paste`)
  const response = await postAsClient(target, endpoint, {
    ...(issuer.scope !== undefined && { scope: issuer.scope }),
    ...(issuer.resource !== undefined && { resource: issuer.resource }),
  })
  const body = parseJson(await response.text())
  if (!response.ok && isObject(body) && typeof body.error === 'string') {
    const { error, error_description } = body
    throw new TokenRefused(error, withoutSecrets(reasonIn(error, error_description), target))
  }
  const parsed = answerSchema().safeParse(body)
  if (!response.ok || !parsed.success) throw refusal(`${issuer.issuer} gave no device code (HTTP ${response.status})`)
  const { data } = parsed
  return {
    deviceCode: data.device_code,
    userCode: data.user_code,
    verificationUri: addresses.assertScheme('the verification_uri', data.verification_uri).href,
    verificationUriComplete:
      data.verification_uri_complete === undefined
        ? undefined
        : addresses.assertScheme('the verification_uri_complete', data.verification_uri_complete).href,
    lifetimeMs: Math.min(data.expires_in, MAX_LIFETIME_S) * 1000,
    intervalMs: data.interval * 1000,
  }
}

/** Resolves when the operator has agreed. Rejects if the issuer refuses, the code expires or the signal aborts. */
export async function followDeviceCode(
  target: TokenTarget,
  { deviceCode, lifetimeMs, intervalMs }: DeviceCode,
  signal: AbortSignal,
): Promise<SavedTokens> {
  const end = Date.now() + lifetimeMs
  let wait = intervalMs
  while (Date.now() + wait < end) {
    await pause(wait, signal)
    try {
      return await grantTokens(target, {
        grant_type: DEVICE_GRANT,
        device_code: deviceCode,
        client_id: target.client.client_id,
      })
    } catch (thrown) {
      const code = thrown instanceof TokenRefused ? thrown.code : ''
      if (code === 'slow_down' || isTemporary(thrown)) wait += SLOWER_MS
      else if (code !== 'authorization_pending') throw thrown
    }
  }
  throw refusal('nobody entered the code in time')
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: wait } = await import('node:timers/promises')
  await wait(ms, undefined, { signal, ref: false }).catch(() => {
    throw refusal('the login was cancelled')
  })
}

const refusal = (why: string): ToolError => ToolError.of('PermissionError', `The sign-in failed: ${why}.`)
