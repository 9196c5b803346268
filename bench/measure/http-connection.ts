// One kept-alive connection to an MCP endpoint over a raw socket: a ready-made request out, the message of the
// answer in, be it a JSON body or the last event of an event stream.
import { connect, type Socket } from 'node:net'
import { WrongAnswer } from './check-answer.ts'
import { HttpReader, type HttpResponse } from './http-reader.ts'
import { callText, modernVersion } from './messages.ts'

/** A modern `tools/call` as a whole HTTP request. */
export function httpCall(port: number, id: number): string {
  const body = callText('modern', 'add', id)
  return (
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: ${modernVersion}\r\n` +
    `Mcp-Method: tools/call\r\nMcp-Name: add\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

export class HttpConnection {
  /** Servers close connections that were idle for some seconds. */
  closed = false
  #socket: Socket
  #onMessage: (message: string) => void = () => {}
  #onFault: (error: Error) => void = () => {}

  private constructor(port: number, connected: () => void, failed: (error: Error) => void) {
    this.#onFault = failed
    const reader = new HttpReader((response) => this.#onMessage(messageIn(response)))
    const buffer = Buffer.allocUnsafe(65_536)
    const callback = (length: number): boolean => {
      try {
        reader.take(buffer.toString('latin1', 0, length))
      } catch (error) {
        this.#onFault(error as Error)
      }
      return true
    }
    // Reading into one buffer of our own spares the driver the stream machinery, about a third of its time.
    const onread = { buffer, callback }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, connected)
    this.#socket.on('error', (error) => this.#onFault(error))
    this.#socket.on('close', () => {
      this.closed = true
      this.#onFault(new Error('the server closed a connection'))
    })
  }

  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const connection: HttpConnection = new HttpConnection(port, () => resolve(connection), reject)
    })
  }

  /** Sends the first of the requests `next` gives and, on every answer, another, until it gives none. */
  drive(next: () => string | undefined, onMessage: (message: string) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const send = () => {
        const request = next()
        if (request === undefined) resolve()
        else this.#socket.write(request, 'latin1')
      }
      if (this.closed) reject(new Error('the server has closed the connection'))
      this.#onFault = reject
      this.#onMessage = (message) => {
        onMessage(message)
        send()
      }
      send()
    })
  }

  close(): void {
    this.#onFault = () => {}
    this.#socket.destroy()
  }
}

function messageIn({ status, type, body }: HttpResponse): string {
  if (status !== 200) throw new WrongAnswer(`HTTP ${status}: ${body.slice(0, 300)}`)
  if (type.startsWith('application/json')) return body
  const data = body.lastIndexOf('data:')
  if (!type.startsWith('text/event-stream') || data < 0) throw new WrongAnswer(`neither JSON nor events: ${type}`)
  return body.slice(data + 5, body.indexOf('\n', data)).trim()
}
