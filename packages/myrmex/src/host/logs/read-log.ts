/**
 * Reads the end of a log, or what came after a cursor, over the files that rotation made, also while it makes them. A cursor names a file
 * by its inode and first line, because inodes are used again, and a byte in it. So it stays right when the file is renamed, and is
 * never mistaken for one in a newer file.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'

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

interface OpenedFile {
  /** of the cursors into it */
  readonly id: string
  readonly text: Buffer
}

const MAX_FILES = 100
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\d+) (debug|info|warn|error) (.*)$/s
export const CURSOR: RegExp = /^(\d{1,20}-[0-9a-f]{8})\.(\d{1,15})$/

/** Without `after` the last lines, with it the first ones behind the cursor. */
export function readLog(path: string, { lines, after }: { lines: number; after?: string | undefined }): LogPage {
  const [, wanted, offset = '0'] = CURSOR.exec(after ?? '') ?? []
  let found: PlacedLine[] = []
  let end: string | undefined
  for (const file of filesOf(path)) {
    end ??= `${file.id}.${file.text.lastIndexOf(NEWLINE) + 1}`
    const isWanted = file.id === wanted
    found = [...placedLines(file, isWanted ? Number(offset) : 0), ...found]
    if (isWanted) return page(found.slice(0, lines), after)
    if (wanted === undefined && found.length >= lines) break
  }
  // The file of the cursor is gone: what is left comes after it.
  if (wanted !== undefined) return { ...page(found.slice(0, lines), end ?? after), isSkipped: end !== undefined }
  return page(found.slice(-lines), end)
}

const page = (found: readonly PlacedLine[], otherwise: string | undefined): LogPage => ({
  lines: found.map(({ line }) => parse(line)),
  next: found.at(-1)?.next ?? otherwise,
  isSkipped: false,
})

/**
 * The files, newest first. A rotation renames the oldest first, so a file that moves meanwhile is met twice or later, but never missed, and
 * at most one name has no file.
 */
function* filesOf(path: string): Generator<OpenedFile> {
  const seen = new Set<string>()
  for (let index = 0, gaps = 0; index < MAX_FILES && gaps < 2; index++) {
    const file = readWhole(index === 0 ? path : `${path}.${index}`)
    gaps = file === undefined ? gaps + 1 : 0
    // One that was just created has no line yet, and no id.
    if (file?.id === undefined || seen.has(file.id)) continue
    seen.add(file.id)
    yield { id: file.id, text: file.text }
  }
}

const NEWLINE = 0x0a

/** A line that is still being written is read the next time. */
function placedLines({ id, text }: OpenedFile, from: number): PlacedLine[] {
  const found: PlacedLine[] = []
  for (let start = from; ; ) {
    const end = text.indexOf(NEWLINE, start)
    if (end < 0) return found
    found.push({ line: text.toString('utf8', start, end), next: `${id}.${end + 1}` })
    start = end + 1
  }
}

function parse(line: string): LogLine {
  const [, time = '', pid = '0', level = 'info', text = line] = LINE.exec(line) ?? []
  return { time, pid: Number(pid), level, text }
}

/** The host makes neither links nor pipes: the folder may come from elsewhere. */
const noLogFile = (path: string): ToolError =>
  ToolError.of('PermissionError', `${path} is not a file of the host. It was not read. Remove it.`)

function readWhole(path: string): { id: string | undefined; text: Buffer } | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let descriptor: number
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw code === 'ELOOP' ? noLogFile(path) : error
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw noLogFile(path)
    const { ino, size } = stats
    const whole = Buffer.alloc(size)
    const text = whole.subarray(0, readSync(descriptor, whole, 0, size, 0))
    const end = text.indexOf(NEWLINE)
    const first = end < 0 ? undefined : crypto.hash('sha256', text.subarray(0, end), 'hex').slice(0, 8)
    return { id: first === undefined ? undefined : `${ino}-${first}`, text }
  } finally {
    closeSync(descriptor)
  }
}
