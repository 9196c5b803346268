/** Shows on stderr that long work on the journal goes on, from its first second. */
import { formatNumber } from './format.ts'

const FIRST_MS = 700
const EVERY_MS = 500

/** Call the function with the number of records that are done. It prints nothing if the work is quick. */
export function showProgress(what: string): (records: number) => void {
  const { stderr } = process
  let shownAt = performance.now() + FIRST_MS - EVERY_MS
  return (records) => {
    const now = performance.now()
    if (now - shownAt < EVERY_MS) return
    shownAt = now
    const text = `${formatNumber(records)} records ${what}`
    // On a terminal each line replaces the one before it.
    stderr.write(stderr.isTTY ? `\r${text}\x1b[K` : `${text}\n`)
    if (stderr.isTTY) process.once('exit', clearLine)
  }
}

let isCleared = false

function clearLine(): void {
  if (!isCleared) process.stderr.write('\r\x1b[K')
  isCleared = true
}
