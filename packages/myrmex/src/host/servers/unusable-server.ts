/**
 * A server that cannot be started, because something that its configuration names is missing. It is listed with the reason, keeps its
 * name, and is tried again when the configuration is read again. Starting or restarting it does that.
 */
import type { ServerStatus } from '../api/routes/servers.ts'
import type { ServerSettings } from '../settings.ts'
import type { HostProblem } from './host-problem.ts'
import { type HostedServer, inProcessStatus } from './hosted-server.ts'

export class UnusableServer implements HostedServer {
  readonly name: string
  readonly settingsDigest: string
  readonly upstream = undefined
  readonly instructions = undefined
  readonly #where: ServerStatus['where']
  readonly #problem: string
  readonly #reload: () => Promise<void>
  readonly #since = new Date().toISOString()

  /** `reload` reads the configuration again. */
  constructor({ name, digest, endpoint }: ServerSettings, problem: string, reload: () => Promise<void>) {
    this.name = name
    this.settingsDigest = digest
    this.#where = endpoint.where
    this.#problem = problem
    this.#reload = reload
  }

  get problems(): readonly HostProblem[] {
    return [{ server: this.name, error_type: 'ValidationError', message: this.#problem }]
  }

  status(): ServerStatus {
    return inProcessStatus({
      name: this.name,
      where: this.#where,
      state: 'failed',
      since: this.#since,
      pid: null,
      tools: 0,
      last_error: { at: this.#since, error_type: 'ValidationError', message: this.#problem },
    })
  }

  async start(): Promise<void> {}

  refresh(): Promise<void> {
    return this.#reload()
  }

  async stop(): Promise<void> {}

  restart(): Promise<void> {
    return this.#reload()
  }

  async close(): Promise<void> {}
}
