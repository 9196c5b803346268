/**
 * The log: JSON lines on stderr, written synchronously, never on stdout. It accepts values of any shape and hides secrets. pino is
 * loaded by the first line, because loading it would double the start time of a small server.
 */

import { inspect } from 'node:util'
import type { Logger } from 'pino'
import { clip } from '../protocol/text.ts'

export type Level = 'error' | 'warn' | 'info' | 'debug'
export type Log = Readonly<Record<Level, (fields: object, message: string) => void>>

const RANKS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50, silent: Infinity }

let minRank: number | undefined
let logger: Logger | undefined

type Recorder = (level: Level, line: string) => void
let recorder: Recorder | undefined

/** Lines of `log` are also passed to this, as text and without secrets. */
export const recordLog = (record: Recorder): void => {
  recorder = record
}

const at =
  (level: Level, isRecorded: boolean) =>
  (fields: object, message: string): void => {
    minRank ??= threshold()
    if ((RANKS[level] as number) < minRank) return
    logger ??= open()
    const plain = toPlain(fields, 0, new Set()) as object
    const text = toPlain(message, 0, new Set()) as string
    logger[level](plain, text)
    if (isRecorded) recorder?.(level, Object.keys(plain).length === 0 ? text : `${text} ${JSON.stringify(plain)}`)
  }

const logOf = (isRecorded: boolean): Log => ({
  error: at('error', isRecorded),
  warn: at('warn', isRecorded),
  info: at('info', isRecorded),
  debug: at('debug', isRecorded),
})

export const log: Log = logOf(true)
/** For lines that the caller records itself. */
export const unrecordedLog: Log = logOf(false)

function threshold(): number {
  const wanted = (process.env.MYRMEX_LOG_LEVEL || 'info').toLowerCase()
  const rank = Object.hasOwn(RANKS, wanted) ? RANKS[wanted] : undefined
  if (rank !== undefined) return rank
  minRank = RANKS.info as number
  log.warn({ given: wanted, known: Object.keys(RANKS) }, 'unknown MYRMEX_LOG_LEVEL; using info')
  return minRank
}

/** Loads what the first line would load. */
export function openLog(): void {
  minRank ??= threshold()
  if (minRank < Infinity) logger ??= open()
}

/** Buffer limit for a blocked stderr. */
const KEPT_BYTES = 1024 * 1024

function open(): Logger {
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
  const pino = require('pino') as typeof import('pino')
  const stderr = pino.destination({ fd: 2, sync: true, maxLength: KEPT_BYTES })
  // There is nowhere to report it, and a full disk or a closed terminal must not end the server.
  stderr.on('error', () => {})
  return pino(
    {
      level: 'debug',
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    stderr,
  )
}

const SECRET = /authorization|token|passw(or)?d|passphrase|secret|api[_-]?key|credential|cookie/i
const MAX_DEPTH = 6
const MAX_ITEMS = 100
const MAX_TEXT = 10_000

/** Converts a value to plain, finite values without secrets. `within` are the objects around it. */
function toPlain(value: unknown, depth: number, within: ReadonlySet<unknown>): unknown {
  try {
    if (typeof value === 'string')
      return value.length > MAX_TEXT ? `${clip(value, MAX_TEXT)} (${value.length} characters)` : value
    if (typeof value === 'boolean' || Number.isFinite(value) || value === null || value === undefined) return value
    if (typeof value !== 'object') return inspect(value)
    if (within.has(value)) return '[circular]'
    if (depth >= MAX_DEPTH) return '[deeper]'
    const path = new Set(within).add(value)
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => toPlain(item, depth + 1, path))
    return members(value, depth, path)
  } catch {
    // A proxy or a getter that throws.
    return '[cannot be shown]'
  }
}

function members(value: object, depth: number, within: ReadonlySet<unknown>): object {
  // Without a prototype, `__proto__` is a name like any other.
  const plain: Record<string, unknown> = Object.create(null)
  if (value instanceof Error) {
    // An error's fields are not enumerable.
    plain.type = toPlain(value.name, depth, within)
    plain.message = toPlain(value.message, depth, within)
    plain.stack = toPlain(value.stack, depth, within)
    if (value.cause !== undefined) plain.cause = toPlain(value.cause, depth + 1, within)
  }
  for (const key of Object.keys(value).slice(0, MAX_ITEMS)) {
    plain[key] = SECRET.test(key) ? '[secret]' : toPlain((value as Record<string, unknown>)[key], depth + 1, within)
  }
  return plain
}
