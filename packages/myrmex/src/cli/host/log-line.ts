/** Log lines about the host's servers: plain lines at a terminal, structured log lines elsewhere. */
import type { LogLevel } from '../../host/upstream/upstream-deps.ts'
import { clean, say } from '../../serve/terminal.ts'
import { log } from '../../server/log.ts'

/** A child's stderr can contain anything: `clean` removes control characters. */
export function logLine(level: LogLevel, line: string): void {
  if (process.stderr.isTTY && level !== 'debug') say(clean(line))
  else log[level]({}, line)
}
