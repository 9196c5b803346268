/**
 * stdio: one JSON-RPC message per line.
 *
 * - The answers of one chunk, or of one tick, are written together.
 * - If the reader is slow, no more requests are read until it has caught up, and only the latest of each kind of notification is kept.
 * - A reader that leaves too much unread is dropped, with a reason in the log.
 * - An answer is not written in one piece with the last progress report of its request.
 * - Only messages reach stdout.
 * - EOF and SIGTERM end the server after everything in flight is answered.
 */

import type { Readable, Writable } from 'node:stream'
import { isPromise } from '../pipeline/outcome.ts'
import { inProfile } from '../pipeline/rules/profiles.ts'
import { parseMessage } from '../protocol/bounded-json.ts'
import { takeHandOverKey } from '../protocol/hand-over.ts'
import { type Message, parseError } from '../protocol/jsonrpc.ts'
import type { Server } from '../server/server.ts'
import type { Reply } from '../server/session.ts'
import { checkOptions, isDuration, isFilledText, isWith, type OptionChecks } from '../tool/check-options.ts'
import { LOCAL } from '../tool/context.ts'
import { LineFrames } from './frames.ts'
import { MessageWriter } from './message-writer.ts'
import { claimStdout, readStdin } from './process-streams.ts'
import type { TransportName } from './transport-name.ts'

export interface StdioOptions {
  input?: Readable
  output?: Writable
  /** time limit for calls in flight after the input has ended */
  drainMs?: number
  /** the profile of the client; default: none */
  profile?: string
}

// Before a program that imports this loads code of others or starts processes.
takeHandOverKey()

const CHECKS: OptionChecks<StdioOptions> = {
  input: isWith(['on', 'pause', 'resume'], 'a readable stream'),
  output: isWith(['on', 'write'], 'a writable stream'),
  drainMs: isDuration(0),
  profile: isFilledText,
}

const DRAIN_MS = 10_000
/** Answers to this much input are written together. With more, the reader would wait longer and caches would overflow. */
const GATHERED_LENGTH = 65_536

/** On an idle machine a reader has taken what was written long before. */
const ANSWER_GAP_MS = 2

/** Serves until the input ends or `stop` is called. `done` resolves when everything is answered and written. */
export function serveStdio(server: Server, options: StdioOptions = {}): { done: Promise<void>; stop(): void } {
  checkOptions('serveStdio()', options, CHECKS)
  const output = options.output ?? claimStdout()
  let gathered = 0
  let reading = false
  let waiting = 0
  let ended = false
  let inputEnded = false
  let finish: () => void = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  const out = new MessageWriter(output, {
    onBehind: () => input.pause(),
    onCaughtUp: () => resume(),
    onUnread: () => {
      if (ended) return
      ended = true
      session.close('the client does not read')
      server.close()
      finish()
    },
  })
  const channel = { send: (message: Message) => out.send(message, reading), answerGapMs: ANSWER_GAP_MS }
  const principal = options.profile === undefined ? LOCAL : inProfile(LOCAL, options.profile)
  const session = server.session('stdio' satisfies TransportName, channel, principal)
  session.handOverKey = takeHandOverKey()

  const answer = (reply: Reply): void => {
    if (reply !== undefined) out.send(reply, reading)
  }
  const close = (): void => {
    out.flush()
    session.close()
    // Called back after all earlier writes.
    output.write('', () => finish())
  }
  const settled = (reply: Reply): void => {
    answer(reply)
    if (--waiting > 0) return
    if (ended) close()
    // No other answer is pending that it could be written with.
    else if (!reading) out.flush()
  }
  /** lines that were read before the reader of the answers was found to be behind */
  let backlog: string[] = []
  const onLine = (line: string): void => {
    if (backlog.length > 0 || out.isFarBehind) backlog.push(line)
    else serve(line)
  }
  const serve = (line: string): void => {
    gathered += line.length
    if (gathered > GATHERED_LENGTH) {
      gathered = 0
      out.flush()
    }
    let message: unknown
    try {
      message = parseMessage(line)
    } catch (thrown) {
      return answer(parseError(thrown))
    }
    const reply = session.receive(message)
    if (!isPromise(reply)) return answer(reply)
    waiting++
    reply.then(settled)
  }
  const frames = new LineFrames(onLine)

  const stop = (): void => {
    if (ended) return
    ended = true
    input.pause()
    // Ends subscriptions, which never end by themselves.
    server.close()
    if (waiting === 0) setImmediate(close)
    else setTimeout(close, options.drainMs ?? DRAIN_MS).unref()
  }
  /** Answers together what is read together. */
  const inOneGo = (work: () => void): void => {
    reading = true
    work()
    reading = false
    gathered = 0
    out.flush()
  }
  const onBytes = (bytes: Buffer): void => inOneGo(() => frames.push(bytes))
  const resume = (): void => {
    if (ended) return
    const lines = backlog
    backlog = []
    if (lines.length > 0) inOneGo(() => lines.forEach(onLine))
    if (backlog.length > 0) return
    if (inputEnded) stop()
    // Those answers may have put the reader behind again, which has paused the input.
    else if (!out.isBehind) input.resume()
  }
  const input = options.input?.on('data', onBytes) ?? readStdin(onBytes)
  input.on('end', () => {
    frames.end()
    inputEnded = true
    if (backlog.length === 0) stop()
  })
  // The reader is gone.
  output.on('error', () => {
    ended = true
    session.close()
    finish()
  })
  return { done, stop }
}
