/** Calls to the host over HTTP, in the modern era, on connections that can be let go of. */
import { Agent, request } from 'node:http'
import { messageOf, type Response } from '../server/connection.ts'

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
}

export class Calls {
  readonly #url: string
  #agent = new Agent({ keepAlive: true })
  #count = 0

  constructor(url: string) {
    this.#url = url
  }

  /** Rejects where the host does not answer: it is never the host that goes wrong here. */
  call(name: string, args: object): Promise<Response> {
    const message = messageOf(++this.#count, 'modern', { method: 'tools/call', params: { name, arguments: args } })
    return new Promise((resolve, reject) => {
      const headers = { ...HEADERS, 'mcp-name': name }
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => (text += chunk))
        response.on('error', reject).on('end', () => resolve(lastIn(text)))
      })
      outgoing.on('error', reject)
      outgoing.end(JSON.stringify(message))
    })
  }

  letGo(): void {
    this.#agent.destroy()
    this.#agent = new Agent({ keepAlive: true })
  }
}

/** The answer, which is the last event where there is a stream. */
function lastIn(text: string): Response {
  const data = text.startsWith('{') ? text : text.slice(text.lastIndexOf('\ndata:') + '\ndata:'.length)
  return JSON.parse(data.trim()) as Response
}
