/** What the host tells of its servers: to a person at a terminal in plain lines, to anything else as the log has them. */
import type { LogLevel } from '../../host/upstream/upstream-deps.ts'
import { clean, say } from '../../serve/terminal.ts'
import { log } from '../../server/log.ts'

/** What children write to stderr is theirs, and may hold anything: `clean` keeps it to one line of text. */
export function logLine(level: LogLevel, line: string): void {
  if (process.stderr.isTTY && level !== 'debug') say(clean(line))
  else log[level]({}, line)
}
