/**
 * A client for the operator's API: every route typed by hono's client, and live events. It uses nothing of Node, so it also runs in a
 * browser.
 */
import { hc } from 'hono/client'
import type { Api } from './app.ts'
import type { LiveEvent } from './events/live-event.ts'
import { isSessionProof, sealPassphrase } from './session-seal.ts'

export type { Api } from './app.ts'
export type { LiveEvent } from './events/live-event.ts'

/** `url` is the API's URL from api.json: http://127.0.0.1:7350/api */
export function apiClient(url: string, token: string): ReturnType<typeof hc<Api>>['api'] {
  return hc<Api>(new URL('/', url).href, { headers: { authorization: `Bearer ${token}` } }).api
}

/** The address and the token of a host, as in its api.json. */
export interface HostAddress {
  /** of the API: http://127.0.0.1:7350/api */
  readonly url: string
  readonly token: string
}

/**
 * Opens a session of a host whose ledger is locked, and returns its token for `apiClient` and `liveEvents`. The passphrase is encrypted
 * with the token of api.json: another program that took over the port of a host that has ended cannot read it, and is recognised.
 */
export async function openSession({ url, token }: HostAddress, passphrase: string): Promise<string> {
  const { nonce } = await post(new URL('/api/session/challenge', url), {})
  if (typeof nonce !== 'string') throw notTheHost(url)
  const context = { token, nonce }
  const sealed = await sealPassphrase(context, passphrase)
  const { token: session, proof } = await post(new URL('/api/session', url), { nonce, sealed })
  if (typeof session !== 'string' || typeof proof !== 'string') throw notTheHost(url)
  if (!(await isSessionProof(context, session, proof))) throw notTheHost(url)
  return session
}

const notTheHost = (url: string): Error =>
  new Error(
    `The server at ${url} is not the host whose token this is. Check whether the host still runs: myrmex host status`,
  )

async function post(url: URL, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  })
  const answer = (await response.json().catch(() => ({}))) as Record<string, unknown> | null
  if (!response.ok) throw new Error(`${response.status}: ${answer?.error_message}`)
  return answer ?? {}
}

export interface ReceivedEvent {
  /** pass it as `after` to continue after this event */
  readonly id: string
  readonly event: LiveEvent
}

/**
 * Live events of one connection, until it ends or the signal aborts. To resume, pass the id of the last event as `after`. `onOpen` is
 * called when the stream is open: all later events are delivered.
 */
export async function* liveEvents(
  url: string,
  token: string,
  options: { readonly after?: string; readonly signal?: AbortSignal; readonly onOpen?: (id: string) => void } = {},
): AsyncGenerator<ReceivedEvent> {
  const { after, signal, onOpen } = options
  const response = await fetch(new URL('/api/events', url), {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(after !== undefined && { 'last-event-id': after }),
    },
    ...(signal && { signal }),
  })
  if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = `${text}${chunk}`.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const { id = '', event, data } = fieldsOf(block)
      if (data !== undefined) yield { id, event: { type: event, data: JSON.parse(data) } as LiveEvent }
      else if (id !== '') onOpen?.(id)
    }
  }
}

/** The fields of one event. A comment has none. */
function fieldsOf(block: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) fields[name] = value
  }
  return fields
}
