/**
 * stdio: one JSON-RPC message a line. Answers are gathered per tick and written in one go; a slow reader slows the
 * reading down instead of filling memory; nothing but messages reaches stdout; EOF and SIGTERM end it after everything
 * in flight is answered.
 */

import { Console } from 'node:console'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { isPromise } from '../pipeline/outcome.ts'
import { type Message, parseError } from '../protocol/jsonrpc.ts'
import { encode } from '../server/results/encode.ts'
import type { Server } from '../server/server.ts'
import type { Reply } from '../server/session.ts'
import { LineFrames } from './frames.ts'
import type { TransportName } from './transport-name.ts'

export interface StdioOptions {
  input?: Readable
  output?: Writable
  /** how long calls in flight may take once the input has ended */
  drainMs?: number
}

const DRAIN_MS = 10_000
/** Up to here Node encodes a text on the stack; a longer one is sooner made bytes by ourselves. */
const SHORT = 16_384

/**
 * From here on whatever prints to stdout prints to stderr instead. Call it before tool files are loaded: a module may
 * print while it loads. Returns the stream that messages alone go to.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process
  const messages = openMessages()
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  globalThis.console = new Console(stderr, stderr)
  return messages
}

/** Node writes to a stdout pipe synchronously, which would stop every call while the reader is slow: open our own. */
function openMessages(): Writable {
  try {
    return new Socket({ fd: 1, readable: false, writable: true })
  } catch {
    // A file or a terminal: there synchronous is right.
    const { stdout } = process
    const write = stdout.write.bind(stdout)
    return Object.create(stdout, { write: { value: write } }) as Writable
  }
}

/** Serves until the input ends or `stop` is called; resolves when everything is answered and written. */
export function serveStdio(server: Server, options: StdioOptions = {}): { done: Promise<void>; stop(): void } {
  const input = options.input ?? process.stdin
  const output = options.output ?? claimStdout()
  let gathered: (Message | Message[])[] = []
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
    if (gathered.length === 0) return
    // Writing the first answer makes its whole group durable: the calls of one chunk are one group.
    let text = ''
    for (const message of gathered) text += `${encode(message)}\n`
    gathered = []
    // The reader is behind: take no more requests until it has caught up.
    if (output.write(text.length < SHORT ? text : Buffer.from(text)) || isBehind) return
    isBehind = true
    input.pause()
    output.once('drain', () => {
      isBehind = false
      if (!ended) input.resume()
    })
  }
  const send = (message: Message | Message[]): void => {
    gathered.push(message)
    // While a chunk is being read, its end writes everything at once.
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
    // An empty write calls back after everything before it is out.
    output.write('', () => finish())
  }
  const settled = (reply: Reply): void => {
    answer(reply)
    if (--waiting > 0) return
    if (ended) close()
    // Nobody else is on the way whom it could be written with.
    else if (!reading) flush()
  }
  const frames = new LineFrames((line) => {
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
    // Subscriptions never end by themselves: this ends them with a word.
    server.close()
    if (waiting === 0) setImmediate(close)
    else setTimeout(close, options.drainMs ?? DRAIN_MS).unref()
  }
  input.on('data', (chunk: Buffer) => {
    reading = true
    frames.push(chunk)
    reading = false
    flush()
  })
  input.on('end', () => {
    frames.end()
    stop()
  })
  // Reader gone: nobody is left to answer.
  output.on('error', () => {
    ended = true
    session.close()
    finish()
  })
  return { done, stop }
}
