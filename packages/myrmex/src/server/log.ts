/**
 * The log: JSON lines on stderr, written before the call returns, never on stdout. It takes values of any shape, leaves out
 * what looks like a secret, and is made at the first line, since loading pino would double the start of a small server.
 */

import { inspect } from 'node:util'
import type { Logger } from 'pino'
import { clip } from '../protocol/text.ts'

export type Level = 'error' | 'warn' | 'info' | 'debug'
export type Log = Readonly<Record<Level, (fields: object, message: string) => void>>

const RANKS: Readonly<Record<string, number>> = { debug: 20, info: 30, warn: 40, error: 50, silent: Infinity }

let least: number | undefined
let logger: Logger | undefined

const at =
  (level: Level) =>
  (fields: object, message: string): void => {
    least ??= threshold()
    if ((RANKS[level] as number) < least) return
    logger ??= open()
    logger[level](shown(fields), message)
  }

export const log: Log = { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') }

function threshold(): number {
  const wanted = (process.env.MYRMEX_LOG_LEVEL || 'info').toLowerCase()
  const rank = Object.hasOwn(RANKS, wanted) ? RANKS[wanted] : undefined
  if (rank !== undefined) return rank
  least = RANKS.info as number
  log.warn({ given: wanted, known: Object.keys(RANKS) }, 'MYRMEX_LOG_LEVEL is not known; info is used')
  return least
}

/** What is kept for a stderr that takes nothing: it must not fill the memory. */
const KEPT_BYTES = 1024 * 1024

function open(): Logger {
  const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)
  const pino = require('pino') as typeof import('pino')
  const stderr = pino.destination({ fd: 2, sync: true, maxLength: KEPT_BYTES })
  // Nobody is left to be told of it, and a full disk or a closed terminal must not end the server.
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
const DEEPEST = 6
const MOST_ITEMS = 100
const LONGEST_TEXT = 10_000

/** The fields as they may be written: plain, finite, and without secrets. */
function shown(fields: object): object {
  return readable(fields, 0, new Set()) as object
}

function readable(value: unknown, depth: number, within: ReadonlySet<unknown>): unknown {
  try {
    if (typeof value === 'string') return clipped(value)
    if (typeof value !== 'object' || value === null) return isPlain(value) ? value : inspect(value)
    if (within.has(value)) return '[circular]'
    if (depth >= DEEPEST) return '[deeper]'
    const around = new Set(within).add(value)
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => readable(item, depth + 1, around))
    return members(value, depth, around)
  } catch {
    // A proxy or a getter that throws. Of such a value there is nothing to say.
    return '[cannot be shown]'
  }
}

function members(value: object, depth: number, around: ReadonlySet<unknown>): object {
  const plain: Record<string, unknown> = {}
  if (value instanceof Error) {
    // What makes an error does not show in its own keys.
    plain.type = readable(value.name, depth, around)
    plain.message = readable(value.message, depth, around)
    plain.stack = readable(value.stack, depth, around)
    if (value.cause !== undefined) plain.cause = readable(value.cause, depth + 1, around)
  }
  for (const key of Object.keys(value).slice(0, MOST_ITEMS)) {
    plain[key] = SECRET.test(key) ? '[secret]' : readable((value as Record<string, unknown>)[key], depth + 1, around)
  }
  return plain
}

const isPlain = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  value === undefined

const clipped = (text: string): string =>
  text.length > LONGEST_TEXT ? `${clip(text, LONGEST_TEXT)} (${text.length} characters)` : text
