/**
 * Where the lines of `myrmex host` go: to stderr, and to the log files in the host's folder. Lines of a child are in the file of its server,
 * and not on a terminal. Those of the host, with all warnings and errors, are in the host's own.
 */
import { HOST_LOG, HostLogs, serverOf } from '../../host/logs/host-logs.ts'
import type { LogLimits } from '../../host/logs/log-file.ts'
import type { LogLevel } from '../../host/upstream/upstream-deps.ts'
import { messageOf } from '../../protocol/errors.ts'
import { clean, recordSaid, sayUnrecorded } from '../../serve/terminal.ts'
import { recordLog, unrecordedLog } from '../../server/log.ts'

export interface HostLog {
  /** undefined: no log files */
  readonly files: HostLogs | undefined
  isServer: (name: string) => boolean
  /** for lines of the host about its servers, and what they write */
  readonly record: (level: LogLevel, line: string) => void
  close(): void
}

/** `folder`: the host's. */
export function openHostLog(folder: string, limits: LogLimits | undefined): HostLog {
  const onFailure = (error: unknown): void =>
    sayUnrecorded(`the log files in ${folder} cannot be written: ${messageOf(error)}`)
  const files = limits && new HostLogs(folder, limits, onFailure)
  if (files !== undefined) {
    recordSaid((line) => files.write(HOST_LOG, 'info', clean(line)))
    recordLog((level, line) => files.write(HOST_LOG, level, clean(line)))
    // `process.exit` runs no immediates.
    process.once('exit', () => files.close())
  }
  const log: HostLog = {
    files,
    isServer: () => false,
    record(level, line) {
      if (level !== 'debug') files?.record(level, clean(line), log.isServer)
      // A person reads these in the log of the server: two dozen that start would fill several screens.
      const isForFile = files !== undefined && level === 'info' && process.stderr.isTTY
      if (!isForFile || serverOf(line, log.isServer) === undefined) toStderr(level, line)
    },
    close() {
      files?.close()
    },
  }
  return log
}

/** A child's stderr can contain anything: `clean` removes control characters. */
function toStderr(level: LogLevel, line: string): void {
  if (!process.stderr.isTTY || level === 'debug') unrecordedLog[level]({}, line)
  else sayUnrecorded(clean(line))
}
