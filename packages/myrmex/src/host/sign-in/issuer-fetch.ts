/**
 * `fetch` for issuers and metadata: every address is checked, and the connection goes to the address that was checked, so a name that
 * resolves differently the second time gains nothing. Answers are bounded in size and time. Redirects are not followed here; the
 * official client follows those within an origin.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { messageOf, ToolError } from '../../protocol/errors.ts'
import type { IssuerAddresses } from './issuer-address.ts'

const MAX_BYTES = 256 * 1024
const TIMEOUT_MS = 15_000
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

export type IssuerFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export function issuerFetch(addresses: IssuerAddresses): IssuerFetch {
  return async (address, init = {}) => {
    const url = addresses.assertScheme('an address of the sign-in', address)
    const resolved = await addresses.resolve(url).catch((thrown: unknown) => {
      throw thrown instanceof ToolError ? thrown : failed(url, thrown)
    })
    const body = init.body === null || init.body === undefined ? undefined : String(init.body)
    const headers: Record<string, string> = {}
    for (const [name, value] of new Headers(init.headers)) headers[name] = value
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    return await exchange(url, resolved, { method: init.method ?? 'GET', headers, body })
  }
}

interface Outgoing {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

async function exchange(
  url: URL,
  addresses: readonly string[],
  { method, headers, body }: Outgoing,
): Promise<Response> {
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const [first] = entries
  if (first === undefined) throw failed(url, new Error('its name has no address'))
  const sent: ClientRequest = request(url, {
    method,
    headers,
    agent: false,
    lookup: (_host, options, done) => {
      if (options.all === true) done(null, entries)
      else done(null, first.address, first.family)
    },
  })
  const late = setTimeout(
    () => sent.destroy(new Error(`it did not answer within ${TIMEOUT_MS / 1000} seconds`)),
    TIMEOUT_MS,
  )
  sent.on('error', (error) => reject(failed(url, error)))
  sent.on('response', (answer) =>
    readAnswer(answer).then(resolve, (error: unknown) => {
      sent.destroy()
      reject(failed(url, error))
    }),
  )
  sent.end(body)
  try {
    return await promise
  } finally {
    clearTimeout(late)
  }
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new Error(`it answered with more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  const status = answer.statusCode ?? 502
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), { status, headers })
}

/** Whether asking again later may help: nobody answered, or the answer was that of a broken server. */
export const isTemporary = (thrown: unknown): boolean =>
  thrown instanceof ToolError && thrown.error_type === 'TransportError'

function failed(url: URL, thrown: unknown): ToolError {
  const why = messageOf(thrown)
  return ToolError.of('TransportError', `${url.origin} could not be asked: ${why.slice(0, 200)}`, {
    peer: url.origin,
    codes: [],
  })
}
