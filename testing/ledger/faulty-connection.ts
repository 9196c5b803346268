/** A wire to a server that can be made to fail: answers that get lost, requests that arrive late, cut connections. */
import { connect, createServer, type Server, type Socket } from 'node:net'

interface Pair {
  readonly near: Socket
  readonly far: Socket
  /** what was sent and has not been passed on */
  readonly held: (string | Buffer)[]
}

export class FaultyConnection {
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  /** false: what the server says is lost */
  answers = true
  /** false: what is sent waits */
  requests = true

  private constructor(port: number) {
    this.#server = createServer((near) => {
      const pair: Pair = { near, far: connect(port, '127.0.0.1'), held: [] }
      this.#pairs.add(pair)
      near.on('data', (bytes) => void (this.requests ? pair.far.write(bytes) : pair.held.push(bytes)))
      pair.far.on('data', (bytes) => void (this.answers && near.write(bytes)))
      for (const [end, other] of [
        [near, pair.far],
        [pair.far, near],
      ] as const) {
        // Either end of a wire can break. The other end is notified.
        end.on('error', () => {})
        end.on('close', () => {
          if (pair.held.length === 0) other.destroy()
        })
      }
    })
  }

  static async to(port: number): Promise<FaultyConnection> {
    const wire = new FaultyConnection(port)
    await new Promise<void>((resolve) => wire.#server.listen(0, '127.0.0.1', resolve))
    return wire
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  /** How many requests wait on the wire. */
  get waiting(): number {
    return [...this.#pairs].filter(({ held }) => held.length > 0).length
  }

  /** Cuts every connection at the near end. Requests that wait can still be delivered. */
  cut(): void {
    for (const { near } of this.#pairs) near.destroy()
    this.answers = true
    this.requests = true
  }

  /** Lets the server have what was sent before the cut, and waits until it has dealt with it. */
  async deliver(): Promise<void> {
    for (const pair of this.#pairs) {
      if (pair.held.length === 0) continue
      const dealtWith = new Promise((resolve) => pair.far.once('data', resolve))
      for (const bytes of pair.held.splice(0)) pair.far.write(bytes)
      await dealtWith
      pair.far.destroy()
    }
  }

  close(): void {
    for (const { near, far } of this.#pairs) {
      near.destroy()
      far.destroy()
    }
    this.#server.close()
  }
}
