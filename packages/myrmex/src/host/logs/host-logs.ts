/**
 * The logs of a host: a file for each server, with what it writes to stderr and what happens to its connection, and one for the host
 * itself. A line is `TIME PID LEVEL TEXT`. Texts of servers arrive without secrets and control characters (child/log-sanitiser.ts).
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { LogLevel } from '../upstream/upstream-deps.ts'
import { LogFile, type LogLimits } from './log-file.ts'
import { type LogPage, readLog } from './read-log.ts'

/** The name of the host's own log. No server can have it. */
export const HOST_LOG = 'myrmex'
const LOGS_FOLDER = 'logs'
const MAX_TEXT = 4000

export const logsFolder = (hostFolder: string): string => join(hostFolder, LOGS_FOLDER)

export const logPath = (hostFolder: string, name: string): string => join(logsFolder(hostFolder), `${name}.log`)

/** Names of the logs in a host's folder, the host's own first. */
export function logNames(hostFolder: string): string[] {
  let files: string[]
  try {
    files = readdirSync(logsFolder(hostFolder))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const names = files.flatMap((file) => /^([a-z0-9_]+)\.log$/.exec(file)?.[1] ?? []).sort()
  return [...names.filter((name) => name === HOST_LOG), ...names.filter((name) => name !== HOST_LOG)]
}

/** The server that a line is about: its name is in front. */
export function serverOf(line: string, servers: (name: string) => boolean): string | undefined {
  const [, name] = /^([a-z0-9_]+): /.exec(line) ?? []
  return name !== undefined && servers(name) ? name : undefined
}

export class HostLogs {
  readonly #folder: string
  readonly #limits: LogLimits
  readonly #onFailure: (error: unknown) => void
  readonly #files = new Map<string, LogFile>()

  /** `folder`: the host's. */
  constructor(folder: string, limits: LogLimits, onFailure: (error: unknown) => void) {
    this.#folder = folder
    this.#limits = limits
    this.#onFailure = onFailure
  }

  /** `servers` decides which names in front of a line are servers. */
  record(level: LogLevel, line: string, servers: (name: string) => boolean): void {
    const name = serverOf(line, servers)
    if (name === undefined) return this.write(HOST_LOG, level, line)
    const text = line.slice(name.length + 2)
    this.write(name, level, text)
    // The log of the host also has everything that an operator must know.
    if (level === 'warn' || level === 'error') this.write(HOST_LOG, level, line)
  }

  write(name: string, level: LogLevel, text: string): void {
    const time = new Date().toISOString()
    for (const part of text.split('\n')) {
      this.#file(name).write(`${time} ${process.pid} ${level} ${part.slice(0, MAX_TEXT)}`)
    }
  }

  read(name: string, options: { lines: number; after?: string | undefined }): LogPage {
    this.#files.get(name)?.flush()
    return readLog(logPath(this.#folder, name), options)
  }

  /** Every log that there is, the host's own first. */
  names(): readonly string[] {
    return logNames(this.#folder)
  }

  close(): void {
    for (const file of this.#files.values()) file.close()
    this.#files.clear()
  }

  #file(name: string): LogFile {
    let file = this.#files.get(name)
    if (file === undefined) {
      file = new LogFile(logPath(this.#folder, name), this.#limits, this.#onFailure)
      this.#files.set(name, file)
    }
    return file
  }
}
