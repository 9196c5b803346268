/** The process's own stdin and stdout as byte streams for messages. Pipes and sockets are fast paths; files and terminals work too. */
import { Console } from 'node:console'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'

/** What a socket holds by default on Linux, so that one read takes all of it. A pipe holds 64 KiB. */
const READ_BYTES = 256 * 1024

/**
 * Starts reading stdin. The bytes are valid only until `onBytes` returns: one buffer serves every read, because a new one for each
 * read, and a stream that passes it on, cost as much as several calls.
 */
export function readStdin(onBytes: (bytes: Buffer) => void): Readable {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  const callback = (length: number): boolean => {
    onBytes(buffer.subarray(0, length))
    return true
  }
  try {
    return new Socket({ fd: 0, readable: true, writable: false, onread: { buffer, callback } }).resume()
  } catch {
    // A file or a terminal.
    return process.stdin.on('data', onBytes)
  }
}

/**
 * Redirects everything printed to stdout to stderr, and returns the stream for messages. Call it before tool files are loaded, because
 * a module may print while it loads.
 */
export function claimStdout(): Writable {
  const { stdout, stderr } = process
  const messages = openMessages()
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  globalThis.console = new Console(stderr, stderr)
  return messages
}

/** Node writes to a stdout pipe synchronously, which would block every call while the reader is slow. */
function openMessages(): Writable {
  try {
    return new Socket({ fd: 1, readable: false, writable: true })
  } catch {
    // A file or a terminal: synchronous writes are right.
    const { stdout } = process
    const write = stdout.write.bind(stdout)
    return Object.create(stdout, { write: { value: write } }) as Writable
  }
}
