/**
 * Reads the end of a log, or what came after a cursor, over the files that rotation made, also while it makes them. A cursor names a file
 * by its inode and first line, because inodes are used again, and a byte in it. So it stays right when the file is renamed, and is
 * never mistaken for one in a newer file. A page costs what it has, not what the file has: followers ask several times a second.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
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

interface LogRange {
  /** at most */
  readonly lines: number
  /** the cursor; without it the last lines */
  readonly after?: string | undefined
}

/** A line, and the cursor behind it. */
interface PlacedLine {
  readonly line: string
  readonly next: string
}

/** A file that stays the same one, whatever is renamed meanwhile. */
interface OpenedFile {
  readonly descriptor: number
  readonly inode: number
  readonly size: number
}

const MAX_FILES = 100
/** How often the files are opened again because they were rotated meanwhile. */
const MAX_TRIES = 20
const LINE = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (\d+) (debug|info|warn|error) (.*)$/s
export const CURSOR: RegExp = /^(\d{1,20}-[0-9a-f]{8})\.(\d{1,15})$/

/** Without `after` the last lines, with it the first ones behind the cursor. */
export function readLog(path: string, options: LogRange): LogPage {
  const files = openFiles(path)
  try {
    return readPage(files, options)
  } finally {
    closeAll(files)
  }
}

function readPage(files: readonly OpenedFile[], { lines, after }: LogRange): LogPage {
  const [, wanted, offset = '0'] = CURSOR.exec(after ?? '') ?? []
  return wanted === undefined
    ? lastPage(files, lines)
    : nextPage(files, lines, { wanted, offset: Number(offset), after })
}

/** Also without lines there is a cursor, which is behind the last one. */
function lastPage(files: readonly OpenedFile[], lines: number): LogPage {
  let found: PlacedLine[] = []
  const wanted = Math.max(1, lines)
  for (const file of files) {
    const id = idOf(file)
    if (id !== undefined) found = [...lastLines(file, id, wanted - found.length), ...found]
    if (found.length >= wanted) break
  }
  const all = page(found, undefined)
  return lines === 0 ? { ...all, lines: [] } : all
}

interface Cursor {
  /** the id of its file */
  readonly wanted: string
  readonly offset: number
  readonly after: string | undefined
}

function nextPage(files: readonly OpenedFile[], lines: number, { wanted, offset, after }: Cursor): LogPage {
  const newer: { readonly file: OpenedFile; readonly id: string; readonly from: number }[] = []
  let isFound = false
  for (const file of files) {
    const id = idOf(file)
    if (id === undefined) continue
    isFound = id === wanted
    newer.unshift({ file, id, from: isFound ? offset : 0 })
    if (isFound) break
  }
  const found: PlacedLine[] = []
  for (const { file, id, from } of newer)
    if (found.length < lines) found.push(...firstLines(file, id, from, lines - found.length))
  // The file of the cursor is gone: what is left comes after it.
  return { ...page(found, after), isSkipped: !isFound && newer.length > 0 }
}

const page = (found: readonly PlacedLine[], otherwise: string | undefined): LogPage => ({
  lines: found.map(({ line }) => parse(line)),
  next: found.at(-1)?.next ?? otherwise,
  isSkipped: false,
})

/**
 * The files, newest first, as they were at one moment. A rotation renames the oldest first and the newest last, so none was missed, and none
 * came in between, if the newest one still has its name after all were opened.
 */
function openFiles(path: string): OpenedFile[] {
  for (let count = 0; count < MAX_TRIES; count++) {
    const files = openEach(path)
    if (files[0]?.inode === newestInode(path)) return files
    closeAll(files)
  }
  throw ToolError.of('UnavailableError', `${path} is rotated faster than it can be read. Try again later.`)
}

/** While a rotation moves a file, it is met twice, and at most one name has no file. */
function openEach(path: string): OpenedFile[] {
  const files = new Map<number, OpenedFile>()
  try {
    for (let index = 0, gaps = 0; index < MAX_FILES && gaps < 2; index++) {
      const file = openFile(index === 0 ? path : `${path}.${index}`)
      gaps = file === undefined ? gaps + 1 : 0
      if (file === undefined) continue
      if (files.has(file.inode)) closeSync(file.descriptor)
      else files.set(file.inode, file)
    }
  } catch (error) {
    closeAll(files.values())
    throw error
  }
  return [...files.values()]
}

/** Right after a rotation there is no file of the first name yet. */
const newestInode = (path: string): number | undefined =>
  [path, `${path}.1`].map((name) => statSync(name, { throwIfNoEntry: false })?.ino).find((inode) => inode !== undefined)

function closeAll(files: Iterable<OpenedFile>): void {
  for (const { descriptor } of files) closeSync(descriptor)
}

const NEWLINE = 0x0a

/** The lines in a part of a file that begins at the byte `from`. A line that is still being written is read the next time. */
function placedLines(id: string, text: Buffer, from: number): PlacedLine[] {
  const found: PlacedLine[] = []
  for (let start = 0; ; ) {
    const end = text.indexOf(NEWLINE, start)
    if (end < 0) return found
    found.push({ line: text.toString('utf8', start, end), next: `${id}.${from + end + 1}` })
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

function openFile(path: string): OpenedFile | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let descriptor: number
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw code === 'ELOOP' ? noLogFile(path) : error
  }
  const stats = fstatSync(descriptor)
  if (stats.isFile()) return { descriptor, inode: stats.ino, size: stats.size }
  closeSync(descriptor)
  throw noLogFile(path)
}

/** Bytes that are read at once. Most pages need no more. */
const CHUNK = 32 * 1024

function readRange({ descriptor }: OpenedFile, from: number, to: number): Buffer {
  const whole = Buffer.alloc(Math.max(0, to - from))
  return whole.subarray(0, readSync(descriptor, whole, 0, whole.length, from))
}

/** Of the cursors into the file; undefined: it was just created, and has no line yet. */
function idOf(file: OpenedFile): string | undefined {
  for (let length = CHUNK; ; length *= 2) {
    const text = readRange(file, 0, Math.min(length, file.size))
    const end = text.indexOf(NEWLINE)
    if (end >= 0) return `${file.inode}-${crypto.hash('sha256', text.subarray(0, end), 'hex').slice(0, 8)}`
    if (length >= file.size) return undefined
  }
}

/** At most `count` lines from this byte on, which begins a line. */
function firstLines(file: OpenedFile, id: string, from: number, count: number): PlacedLine[] {
  for (let length = CHUNK; ; length *= 2) {
    const found = placedLines(id, readRange(file, from, Math.min(from + length, file.size)), from)
    if (found.length >= count || from + length >= file.size) return found.slice(0, count)
  }
}

function lastLines(file: OpenedFile, id: string, count: number): PlacedLine[] {
  for (let length = CHUNK; ; length *= 2) {
    const from = Math.max(0, file.size - length)
    const text = readRange(file, from, file.size)
    // The first of these bytes may be in the middle of a line.
    const start = from === 0 ? 0 : text.indexOf(NEWLINE) + 1
    const found = placedLines(id, text.subarray(start), from + start)
    if (found.length >= count || from === 0) return found.slice(-count)
  }
}
