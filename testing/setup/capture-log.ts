/**
 * Keeps the log of servers in the test's own process off the terminal. A test that provokes an error reads `loggedLines`; the lines of
 * a test that fails are printed with it.
 */
import { beforeEach, onTestFailed } from 'vitest'
import { type Log, log } from '../../packages/myrmex/src/server/log.ts'

const lines: string[] = []

const writable = log as { -readonly [Level in keyof Log]: Log[Level] }
for (const level of ['error', 'warn', 'info', 'debug'] as const) {
  writable[level] = (fields, message) => {
    lines.push(
      `${level} ${message} ${JSON.stringify(fields, (_key, value) => (value instanceof Error ? String(value) : value))}`,
    )
  }
}

beforeEach(() => {
  lines.length = 0
  onTestFailed(() => {
    if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
  })
})
