/** Writes much text to a stream: no faster than it is read, and without an error when the pipe is closed (`| head`). */
import { once } from 'node:events'
import type { Writable } from 'node:stream'

export async function writeLines(stream: Writable, texts: AsyncIterable<string>): Promise<number> {
  let failure: Error | undefined
  const onError = (error: Error): void => {
    failure ??= error
  }
  stream.on('error', onError)
  let count = 0
  try {
    for await (const text of texts) {
      if (failure !== undefined) break
      count++
      if (!stream.write(`${text}\n`)) await Promise.race([once(stream, 'drain'), once(stream, 'close')])
    }
  } catch (error) {
    // `once` rejects with the error of the stream.
    if (error !== failure) throw error
  } finally {
    stream.off('error', onError)
  }
  if (failure !== undefined && !isClosedPipe(failure)) throw failure
  return count
}

const isClosedPipe = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE'

/** For commands that print line by line: the reader of a pipe may close it at any time. */
export function exitOnClosedPipe(): void {
  process.stdout.on('error', (error) => {
    if (!isClosedPipe(error)) throw error
    process.exit()
  })
}
