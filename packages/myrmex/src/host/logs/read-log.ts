/**
 * Reads the end of a log, or what came after a cursor, over the files that rotation made. A cursor names a file by its inode and a byte in
 * it, so it stays right when the file is renamed.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

export interface LogLine {
  /** ISO 8601 */
  readonly time: string
  /** of the host that wrote it */
  readonly pid: number
  readonly level: string
  readonly text: string
}

export interface LogPage {
  readonly lines: readonly LogLine[]
  /** continue with this; undefined if there is no log yet */
  readonly next: string | undefined
  /** lines between the cursor and the first line were rotated away */
  readonly isSkipped: boolean
}

/** A line, and the cursor behind it. */
interface PlacedLine {
  readonly line: string
  readonly next: string
}

const MAX_FILES = 100
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\d+) (debug|info|warn|error) (.*)$/s

/** Without `after` the last lines, with it the first ones behind the cursor. */
export function readLog(path: string, { lines, after }: { lines: number; after?: string | undefined }): LogPage {
  const [wanted, offset] = cursorOf(after)
  let found: PlacedLine[] = []
  let end: string | undefined
  for (let index = 0; index < MAX_FILES; index++) {
    const file = readWhole(index === 0 ? path : `${path}.${index}`)
    if (file === undefined) break
    end ??= `${file.ino}.${file.text.lastIndexOf(0x0a) + 1}`
    const isWanted = file.ino === wanted
    found = [...placedLines(file, isWanted ? offset : 0), ...found]
    if (isWanted) return page(found.slice(0, lines), after)
    if (wanted === undefined && found.length >= lines) break
  }
  // The file of the cursor is gone: what is left comes after it.
  if (wanted !== undefined) return { ...page(found.slice(0, lines), end), isSkipped: end !== undefined }
  return page(found.slice(-lines), end)
}

const page = (found: readonly PlacedLine[], otherwise: string | undefined): LogPage => ({
  lines: found.map(({ line }) => parse(line)),
  next: found.at(-1)?.next ?? otherwise,
  isSkipped: false,
})

/** A line that is still being written is read the next time. */
function placedLines({ ino, text }: OpenedFile, from: number): PlacedLine[] {
  const found: PlacedLine[] = []
  for (let start = from; ; ) {
    const end = text.indexOf(0x0a, start)
    if (end < 0) return found
    found.push({ line: text.toString('utf8', start, end), next: `${ino}.${end + 1}` })
    start = end + 1
  }
}

interface OpenedFile {
  readonly ino: number
  readonly text: Buffer
}

function cursorOf(after: string | undefined): [ino: number | undefined, offset: number] {
  const [, ino, offset] = /^(\d{1,20})\.(\d{1,15})$/.exec(after ?? '') ?? []
  return [ino === undefined ? undefined : Number(ino), Number(offset)]
}

function parse(line: string): LogLine {
  const [, time = '', pid = '0', level = 'info', text = line] = LINE.exec(line) ?? []
  return { time, pid: Number(pid), level, text }
}

function readWhole(path: string): OpenedFile | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { ino, size } = fstatSync(descriptor)
    const text = Buffer.alloc(size)
    return { ino, text: text.subarray(0, readSync(descriptor, text, 0, size, 0)) }
  } finally {
    closeSync(descriptor)
  }
}
