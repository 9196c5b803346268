/**
 * stdio: one JSON-RPC message per line.
 *
 * - The answers of one chunk, or of one tick, are written together.
 * - If the reader is slow, no more requests are read until it has caught up.
 * - Only messages reach stdout.
 * - EOF and SIGTERM end the server after everything in flight is answered.
 */

import type { Readable, Writable } from 'node:stream'
import { isPromise } from '../pipeline/outcome.ts'
import { type Message, parseError } from '../protocol/jsonrpc.ts'
import { encode } from '../server/results/encode.ts'
import type { Server } from '../server/server.ts'
import type { Reply } from '../server/session.ts'
import { LineFrames } from './frames.ts'
import { claimStdout, readStdin } from './process-streams.ts'
import type { TransportName } from './transport-name.ts'

export interface StdioOptions {
  input?: Readable
  output?: Writable
  /** time limit for calls in flight after the input has ended */
  drainMs?: number
}

const DRAIN_MS = 10_000
/** Node encodes shorter strings on the stack. Longer ones are faster as a buffer. */
const SHORT_STRING = 16_384
/** Answers to this much input are written together. With more, the reader would wait longer and caches would overflow. */
const GATHERED_LENGTH = 65_536

/** Serves until the input ends or `stop` is called. `done` resolves when everything is answered and written. */
export function serveStdio(server: Server, options: StdioOptions = {}): { done: Promise<void>; stop(): void } {
  const output = options.output ?? claimStdout()
  let pending: (Message | Message[])[] = []
  let gathered = 0
  let scheduled = false
  let reading = false
  let waiting = 0
  let ended = false
  let isBehind = false
  let finish: () => void = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })

  const flush = (): void => {
    scheduled = false
    gathered = 0
    if (pending.length === 0) return
    // Writing the first answer commits its whole group: the calls of one chunk are one group.
    let text = ''
    for (const message of pending) text += `${encode(message)}\n`
    pending = []
    // The reader is behind: take no more requests until it has caught up.
    if (output.write(text.length < SHORT_STRING ? text : Buffer.from(text)) || isBehind) return
    isBehind = true
    input.pause()
    output.once('drain', () => {
      isBehind = false
      if (!ended) input.resume()
    })
  }
  const send = (message: Message | Message[]): void => {
    pending.push(message)
    // The end of the chunk writes everything at once.
    if (!scheduled && !reading) {
      scheduled = true
      setImmediate(flush)
    }
  }
  const session = server.session('stdio' satisfies TransportName, { send })

  const answer = (reply: Reply): void => {
    if (reply !== undefined) send(reply)
  }
  const close = (): void => {
    flush()
    session.close()
    // Called back after all earlier writes.
    output.write('', () => finish())
  }
  const settled = (reply: Reply): void => {
    answer(reply)
    if (--waiting > 0) return
    if (ended) close()
    // No other answer is pending that it could be written with.
    else if (!reading) flush()
  }
  const frames = new LineFrames((line) => {
    gathered += line.length
    if (gathered > GATHERED_LENGTH) flush()
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      return answer(parseError())
    }
    const reply = session.receive(message)
    if (!isPromise(reply)) return answer(reply)
    waiting++
    reply.then(settled)
  })

  const stop = (): void => {
    if (ended) return
    ended = true
    input.pause()
    // Ends subscriptions, which never end by themselves.
    server.close()
    if (waiting === 0) setImmediate(close)
    else setTimeout(close, options.drainMs ?? DRAIN_MS).unref()
  }
  const onBytes = (bytes: Buffer): void => {
    reading = true
    frames.push(bytes)
    reading = false
    flush()
  }
  const input = options.input?.on('data', onBytes) ?? readStdin(onBytes)
  input.on('end', () => {
    frames.end()
    stop()
  })
  // The reader is gone.
  output.on('error', () => {
    ended = true
    session.close()
    finish()
  })
  return { done, stop }
}
