/** A server reached over a link: connects the upstream, the registration of its items, and the forwarding of requests and messages. */
import type { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { LogMessageSchema } from '../../protocol/messages.ts'
import type { Principal } from '../../tool/context.ts'
import type { ServerStatus } from '../api/routes/servers.ts'
import { Registration, type RegistrationOptions } from '../catalogue/registration.ts'
import { LogSanitiser } from '../child/log-sanitiser.ts'
import type { Reaper } from '../child/reaper.ts'
import type { Sandboxes } from '../child/sandbox/sandboxes.ts'
import { attributedLogger } from '../forward/attribution.ts'
import { Forwarder } from '../forward/forwarder.ts'
import { RecentSecrets } from '../forward/recent-secrets.ts'
import type { HostOptions } from '../host.ts'
import { accountKey, callerKey } from '../sessions/caller-key.ts'
import { CallerSessions, DEFAULT_MAX_SESSIONS } from '../sessions/caller-sessions.ts'
import type { UpstreamSignIns } from '../sign-in/upstream-sign-ins.ts'
import type { CloseReason } from '../upstream/status-tracker.ts'
import { Upstream } from '../upstream/upstream.ts'
import type { UpstreamSettings } from '../upstream/upstream-deps.ts'
import type { HostProblem } from './host-problem.ts'
import type { HostedServer } from './hosted-server.ts'

export interface HostedUpstreamOptions
  extends Pick<HostOptions, 'cacheFolder' | 'backoff'>,
    Pick<RegistrationOptions, 'server' | 'catalogue' | 'log' | 'emit'> {
  readonly reaper: Reaper
  readonly sandboxes: Sandboxes
  readonly signIns: UpstreamSignIns
}

const NOT_RUNNING: ReadonlySet<string> = new Set(['idle', 'starting', 'stopped', 'closed'])

export class HostedUpstream implements HostedServer {
  readonly name: string
  readonly settingsDigest: string
  readonly upstream: Upstream
  readonly #options: HostedUpstreamOptions
  readonly #forwarder: Forwarder
  readonly #callerSecrets = new RecentSecrets()
  readonly #log: LogSanitiser
  readonly #registration: Registration
  /** each caller has an account of its own */
  readonly #hasAccounts: boolean
  /** undefined: all callers share one connection */
  readonly #sessions: CallerSessions | undefined

  constructor(settings: UpstreamSettings, options: HostedUpstreamOptions) {
    const { reaper, sandboxes, signIns, cacheFolder, backoff, log, emit } = options
    const { name, digest } = settings
    this.name = name
    this.settingsDigest = digest
    this.#options = options
    const callerSecrets = this.#callerSecrets
    this.#log = new LogSanitiser((line) => log('info', `${name}: ${line}`), callerSecrets)
    const credential = signIns.register(settings)
    const accounts = signIns.accountsOf(settings)
    const { hostId } = options.server.view
    const deps = { log, hostId, callerSecrets, reaper, sandboxes, backoff, cacheFolder, credential, accounts }
    this.upstream = new Upstream(settings, {
      ...deps,
      onRequest: (method, params, signal) => this.#forwarder.answerQuestion(method, params, signal),
    })
    if (settings.sessions === 'caller' || accounts !== undefined) {
      this.#sessions = new CallerSessions({
        base: () => this.upstream,
        deps,
        keyOf: settings.sessions === 'caller' ? callerKey : accountKey,
        secrets: callerSecrets,
        maxSessions: settings.maxSessions ?? DEFAULT_MAX_SESSIONS,
        onNotification: (method, params, forwarder) => this.#onNotification(method, params, forwarder),
        onChange: () => emit({ kind: 'state', server: name, state: this.upstream.state }),
      })
    }
    this.#hasAccounts = accounts !== undefined
    this.#forwarder = new Forwarder(this.upstream, callerSecrets, {
      sessions: this.#sessions,
      hasAccounts: this.#hasAccounts,
    })
    this.#registration = new Registration({
      ...options,
      settings,
      forwarder: this.#forwarder,
    })
    // Registration finishes before the upstream is ready, so no call runs against an old definition.
    this.upstream.on('listing', async (listing) => {
      await this.#registration.replace(listing)
      emit({ kind: 'listing', server: name })
    })
    this.upstream.on('state', (state) => {
      if (state !== 'ready') this.#forwarder.requests.forgetAbandoned()
      emit({ kind: 'state', server: name, state })
    })
    this.upstream.on('notification', (method, params) => this.#onNotification(method, params, this.#forwarder))
  }

  get problems(): readonly HostProblem[] {
    const { last_error, state } = this.upstream.status()
    const problem = (error_type: string, message: string): HostProblem => ({ server: this.name, error_type, message })
    const skipped = this.upstream.skippedItems.map((line) => problem('RegistrationError', line))
    // The same error that calls of its tools return.
    const kind = state === 'needs_sign_in' ? 'PermissionError' : 'UnavailableError'
    const down = last_error === null || state === 'ready' ? [] : [problem(kind, last_error.message)]
    const exposed = this.#options.sandboxes.stateOf(this.name)?.problem
    const unprotected = exposed === undefined ? [] : [problem('PermissionError', exposed)]
    return [...down, ...unprotected, ...skipped, ...this.#registration.problems]
  }

  get instructions(): string | undefined {
    return this.#registration.instructions
  }

  /** Resolves when its tools can be called. */
  async start(): Promise<void> {
    await this.upstream.start()
    const { listing } = this.upstream
    if (listing !== undefined) await this.#registration.replace(listing)
  }

  async refresh(): Promise<void> {
    const [listing] = await Promise.all([this.upstream.refresh(), this.#sessions?.refresh()])
    await this.#registration.replace(listing)
  }

  async stop(): Promise<void> {
    await Promise.all([this.upstream.stop(), this.#sessions?.endAll()])
  }

  async restart(): Promise<void> {
    await Promise.all([this.upstream.restart(), this.#sessions?.endAll()])
  }

  async signInChanged(principal: string, needed: ToolError | undefined): Promise<void> {
    if (principal !== '') return await this.#sessions?.endOf(principal)
    // Sessions with an account of their own go on.
    if (!this.#hasAccounts) await this.#sessions?.endAll()
    if (needed !== undefined) this.upstream.signedOut(needed)
    // One that is not running connects with the new account when it is started.
    else if (!NOT_RUNNING.has(this.upstream.state)) await this.upstream.restart()
  }

  endCallers(isOver: (caller: Principal) => boolean): void {
    this.#sessions?.endWhere(isOver)
  }

  async close(why: CloseReason): Promise<void> {
    this.#forwarder.close()
    this.#log.end()
    await Promise.all([this.upstream.close(why), this.#sessions?.endAll(), this.#registration.close()])
  }

  status(): ServerStatus {
    const { reasons, ...held } = this.#registration.heldBack()
    const own = {
      ...this.upstream.status(),
      sandbox: this.#options.sandboxes.stateOf(this.name)?.kind ?? null,
      held_back: { ...held, reasons: [...reasons] },
      sign_in: this.#options.signIns.status(this.name),
    }
    const sessions = this.#sessions
    if (sessions === undefined || this.#forwarder.sessions === undefined) return own
    const more = sessions.counters()
    return {
      ...own,
      calls: own.calls + more.calls,
      failures: own.failures + more.failures,
      in_flight: own.in_flight + more.in_flight,
      subscriptions: own.subscriptions + more.subscriptions,
      sessions: sessions.statuses(),
    }
  }

  #onNotification(method: string, params: JsonObject, forwarder: Forwarder): void {
    if (method === 'notifications/message') this.#onLogMessage(params, forwarder)
    else this.#options.log('debug', `${this.name} sent a notification that the host does not handle.`)
  }

  /**
   * A message logged during a call goes to that caller, if no call of anybody else can have caused it. All others go to the operator's
   * log and to no client: the server may have written arguments of any caller into them.
   */
  #onLogMessage(params: JsonObject, forwarder: Forwarder): void {
    const parsed = LogMessageSchema.shape.params.safeParse(params)
    if (!parsed.success) return this.#options.log('debug', `${this.name} sent a malformed log message.`)
    const { level, data, logger } = parsed.data
    const name = attributedLogger(logger, this.name)
    const request = forwarder.requests.logOwner()
    if (request !== undefined) request.scope.log(level, this.#callerSecrets.loggedData(data, request), name)
    else this.#log.write(typeof data === 'string' ? data : JSON.stringify(data))
  }
}
