/**
 * `myrmex host logs`: the end of a server's log, or of the host's own, and with --follow what is added. It reads the files, so it also
 * works when no host runs.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { HOST_LOG, logNames, logPath, logsFolder } from '../../host/logs/host-logs.ts'
import { type LogLine, readLog } from '../../host/logs/read-log.ts'
import { ToolError } from '../../protocol/errors.ts'
import { didYouMean } from '../../protocol/text.ts'
import { hostFolder } from '../../serve/listen-host.ts'
import { oneLine, paint, print } from '../../serve/terminal.ts'
import { nearest } from '../../tool/nearest.ts'
import type { RunningHostOptions } from './running-host.ts'

const DEFAULT_LINES = 100
const MAX_PAGE = 1000
const POLL_MS = 200

export interface LogsOptions extends RunningHostOptions {
  follow?: boolean
  lines?: number
  json?: boolean
}

export async function showLogs(server: string | undefined, options: LogsOptions): Promise<void> {
  const folder = hostFolder(options.config ?? HOST_FILE, options.state)
  const name = server ?? HOST_LOG
  const known = logNames(folder)
  if (!known.includes(name)) throw noLog(name, known, folder)
  const path = logPath(folder, name)
  const show = (lines: readonly LogLine[]): void => {
    for (const line of lines) print(options.json ? JSON.stringify(line) : lineText(line))
  }
  let { lines, next } = readLog(path, { lines: options.lines ?? DEFAULT_LINES })
  show(lines)
  while (options.follow) {
    if (lines.length < MAX_PAGE) await pause(POLL_MS)
    const page = readLog(path, { lines: MAX_PAGE, after: next })
    if (page.isSkipped && !options.json) print(paint('dim', '… lines were rotated away'))
    ;({ lines, next } = page)
    show(lines)
  }
}

/** Programs write it: nothing in it may control the terminal. */
function lineText({ time, level, text }: LogLine): string {
  const shown = oneLine(text)
  return `${paint('dim', oneLine(time))} ${level === 'error' ? paint('red', shown) : level === 'warn' ? paint('yellow', shown) : shown}`
}

function noLog(name: string, known: readonly string[], folder: string): ToolError {
  const servers = known.filter((one) => one !== HOST_LOG)
  const hint =
    known.length === 0
      ? ` There are no log files in ${logsFolder(folder)}: start the host first.`
      : didYouMean(nearest(name, servers)) ||
        ` A server has one as soon as it writes to stderr or its connection fails. Now: ${servers.join(', ') || 'none'}.`
  return ToolError.of('ValidationError', `There is no log of ${JSON.stringify(name)}.${hint}`)
}
