/** A connection to a server over HTTP: both eras on `/mcp`, and the routes beside it. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import {
  type CrashConnection,
  type Era,
  INITIALIZE,
  isModern,
  messageOf,
  type Question,
  type Response,
} from './connection.ts'

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: object
}

export class HttpConnection implements CrashConnection {
  readonly #origin: string
  readonly #era: Era
  readonly #heard: () => void
  readonly #agent = new Agent({ keepAlive: true })
  #session: Record<string, string> = {}
  #count = 0
  open = true

  constructor(origin: string, era: Era, heard: () => void) {
    this.#origin = origin
    this.#era = era
    this.#heard = heard
  }

  /** Resolves when the server has answered for the first time; true unless it died before. */
  async greet(): Promise<boolean> {
    if (this.#era === 'modern') return (await this.ask({ method: 'server/discover', params: {} })) !== undefined
    const got = await this.#send('/mcp', messageOf(0, 'legacy', INITIALIZE), {})
    this.#session = { 'mcp-session-id': String(got?.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' }
    return got !== undefined
  }

  async ask(question: Question): Promise<Response | undefined> {
    const message = messageOf(++this.#count, this.#era, question)
    const headers = isModern(this.#era, question) ? modernHeaders(question) : this.#session
    const got = await this.#send('/mcp', message, headers)
    return got?.body as Response | undefined
  }

  readonly post = async (path: string, body: object, key: string): Promise<object | undefined> =>
    (await this.#send(path, body, { 'idempotency-key': key }))?.body

  #send(path: string, body: object, headers: Record<string, string>): Promise<Got | undefined> {
    if (!this.open) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const lost = (error?: Error): void => {
        if (this.open) reject(new Error(`A server that nobody killed let go of a request to ${path}`, { cause: error }))
        else resolve(undefined)
      }
      const outgoing = request(
        this.#origin + path,
        { method: 'POST', agent: this.#agent, headers: { ...JSON_TYPE, ...headers } },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
          // An answer that was cut off told nobody anything.
          response.on('error', lost).on('close', () => lost())
          response.on('end', () => {
            resolve({ headers: response.headers, body: bodyOf(text, response.headers) })
            this.#heard()
          })
        },
      )
      outgoing.on('error', lost)
      outgoing.end(JSON.stringify(body))
    })
  }

  close(): void {
    this.open = false
  }
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

function modernHeaders({ method, params }: Question): Record<string, string> {
  const name = params.name ?? params.taskId
  const named = name === undefined ? undefined : { 'mcp-name': String(name) }
  return { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named }
}

/** The last event of a stream is the answer. */
function bodyOf(text: string, headers: IncomingHttpHeaders): object {
  if (headers['content-type'] !== 'text/event-stream') return JSON.parse(text) as object
  const data = text.lastIndexOf('\ndata:') + 1
  return JSON.parse(text.slice(text.indexOf(':', data) + 1, text.indexOf('\n', data))) as object
}
