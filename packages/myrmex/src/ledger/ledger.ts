/**
 * The ledger: the whole durable store. One interface over two engines. SQL that suits both is in this folder; what each engine
 * does its own way is in files of the same names in sqlite/ and postgres/.
 */
import type { Tool } from '../tool/tool.ts'
import { ApprovalNotices } from './approval-notices.ts'
import type { Counters } from './counters.ts'
import type { Db } from './db.ts'
import { AcceptedChanges } from './decisions/accepted-changes.ts'
import { Approvals } from './decisions/approvals.ts'
import { ConfiguredLevels } from './decisions/configured-levels.ts'
import { FirstListings } from './decisions/first-listings.ts'
import { Grants } from './decisions/grants.ts'
import { ListedDefinitions } from './decisions/listed-definitions.ts'
import { SignIns } from './decisions/sign-ins.ts'
import { Switches } from './decisions/switches.ts'
import { Tokens } from './decisions/tokens.ts'
import { TrustStore } from './decisions/trust.ts'
import { LedgerFollower } from './follower.ts'
import { IdempotencyStore } from './idempotency.ts'
import { type AnchorPlace, Anchors } from './journal/anchors.ts'
import type { Decider } from './journal/decision.ts'
import type { Journal } from './journal/journal.ts'
import type { LedgerKey } from './journal/key.ts'
import { SELECT_MARK, type SignedMark } from './journal/mark.ts'
import type { RecordIndex } from './journal/record-index.ts'
import { OperatorLock } from './operator/operator-lock.ts'
import { PageStore } from './pages.ts'
import { Processes } from './processes.ts'
import { RunStore } from './runs.ts'
import { Credentials } from './sign-in/credentials.ts'
import { Invitations } from './sign-in/invitations.ts'
import { IssuerRecords } from './sign-in/issuer-records.ts'
import { Users } from './sign-in/users.ts'
import { TaskStore } from './tasks.ts'
import { UndoableCalls } from './undoable-calls.ts'
import { UpstreamTokens } from './upstream-tokens.ts'

/** What an engine provides. */
export interface Engine {
  readonly db: Db
  readonly journal: Journal
  readonly index: RecordIndex
  readonly counters: Counters
  /** default: open mode */
  readonly lock?: OperatorLock
}

const CLEANUP_MS = 60_000
/** Keys are kept for a day, so that it is enough to look for expired ones at the first cleanup and then every hour. */
const KEYS_EVERY = 60

export class Ledger {
  readonly db: Db
  readonly key: LedgerKey
  readonly journal: Journal
  readonly index: RecordIndex
  readonly counters: Counters
  readonly processes: Processes
  /** whether decisions need the operator's signature */
  readonly lock: OperatorLock
  readonly trust: TrustStore
  readonly acceptedChanges: AcceptedChanges
  readonly firstListings: FirstListings
  readonly listedDefinitions: ListedDefinitions
  readonly configuredLevels: ConfiguredLevels
  readonly grants: Grants
  readonly approvals: Approvals
  readonly approvalNotices: ApprovalNotices
  readonly tokens: Tokens
  readonly switches: Switches
  readonly idempotency: IdempotencyStore
  readonly undoableCalls: UndoableCalls
  readonly signIns: SignIns
  readonly upstreamTokens: UpstreamTokens
  readonly tasks: TaskStore
  /** of apps behind a host */
  readonly pages: PageStore
  readonly runs: RunStore
  readonly users: Users
  readonly invitations: Invitations
  readonly credentials: Credentials
  readonly issuerRecords: IssuerRecords
  /** it is closing or closed, and takes no more work */
  closed = false
  #cleanup: NodeJS.Timeout | undefined
  #anchors: Anchors | undefined
  #follower: LedgerFollower | undefined
  #closing: Promise<void> | undefined
  readonly #background = new Set<Promise<unknown>>()

  constructor({ db, journal, index, counters, lock }: Engine, key: LedgerKey, onFailure: (error: unknown) => void) {
    this.db = db
    this.key = key
    this.journal = journal
    this.index = index
    this.counters = counters
    this.processes = new Processes(db, onFailure)
    this.lock = lock ?? new OperatorLock()
    this.trust = new TrustStore(db, journal, this.lock)
    this.acceptedChanges = new AcceptedChanges(db, journal, this.lock)
    this.firstListings = new FirstListings(db, journal, this.lock)
    this.listedDefinitions = new ListedDefinitions(db)
    this.configuredLevels = new ConfiguredLevels(db, journal, this.lock)
    this.grants = new Grants(db, journal, this.lock)
    this.approvals = new Approvals(db, journal, this.lock)
    this.approvalNotices = new ApprovalNotices(db)
    this.tokens = new Tokens(db, journal, this.lock)
    this.switches = new Switches(db, journal, this.lock)
    this.idempotency = new IdempotencyStore(db, this.processes)
    this.undoableCalls = new UndoableCalls(db, this.processes, key)
    this.signIns = new SignIns(db, journal, this.lock)
    this.upstreamTokens = new UpstreamTokens(db, key)
    this.tasks = new TaskStore(db, this.processes)
    this.pages = new PageStore(db)
    this.runs = new RunStore(db, this.processes)
    this.users = new Users(db, journal, this.lock)
    this.invitations = new Invitations(db, key, this.users)
    this.issuerRecords = new IssuerRecords(db, key)
    this.credentials = new Credentials(db, key, this.issuerRecords)
  }

  /**
   * Trusts a tool as it is now and gives its calls a standing grant, unless `ask` wants each call approved. For programs that
   * run the server: `myrmex trust` does the same on the command line.
   */
  async trustTool(
    tool: Tool,
    by: Decider,
    options: { ask?: boolean; principal?: string; until?: number } = {},
  ): Promise<void> {
    const definition = { tool: tool.name, version: tool.version, hash: tool.hash }
    await this.trust.recordDefinitions([tool])
    await this.trust.set(definition, 'trusted', by)
    if (options.ask !== true) await this.grants.give(definition, by, options)
  }

  /**
   * Does work that no caller waits for. It does not start once the ledger is closing, and `close` waits until it is done, so
   * it never meets a closed store.
   */
  async background(work: () => Promise<unknown>): Promise<void> {
    if (this.closed) return
    const done = work()
    this.#background.add(done)
    try {
      await done
    } finally {
      this.#background.delete(done)
    }
  }

  /** From now on removes what has expired: results of idempotency keys, tasks, calls that can be undone, logins and invitations. */
  startCleanup(onFailure: (error: unknown) => void): this {
    let cleanups = 0
    const clean = (): Promise<unknown> => {
      const sweepKeys = cleanups++ % KEYS_EVERY === 0
      return Promise.all([
        this.tasks.sweep(),
        this.issuerRecords.sweep(),
        this.invitations.sweep(),
        sweepKeys && this.idempotency.sweep(() => this.closed),
        sweepKeys && this.undoableCalls.sweep(),
        sweepKeys && this.approvalNotices.sweep(),
      ])
    }
    this.#cleanup = setInterval(() => void this.background(clean).catch(onFailure), CLEANUP_MS).unref()
    return this
  }

  /** From now on stores signed heads of the journal in these places, every so often and at the end. */
  startAnchors(places: readonly AnchorPlace[], everyMs: number, onFailure: (error: unknown) => void): void {
    const mark = async () => (await this.db.query<SignedMark>(SELECT_MARK))[0]
    this.#anchors = new Anchors(places, everyMs, mark, onFailure)
  }

  /**
   * From now on, tokens and switches that other processes change take effect here: within FOLLOW_MS, and what is there already when
   * this resolves.
   */
  async follow(onFailure: (error: unknown) => void): Promise<void> {
    this.#follower ??= new LedgerFollower(this, onFailure)
    await this.#follower.start()
  }

  /** Waits for background work, writes what is left to write, unregisters the process and closes the store. It happens once. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#cleanup)
    await this.#follower?.stop()
    this.closed = true
    await Promise.allSettled(this.#background)
    try {
      await this.journal.close()
    } finally {
      try {
        await this.#anchors?.close()
        this.counters.close?.()
        await this.processes.unregister()
      } finally {
        await this.index.close()
        await this.db.close()
      }
    }
  }
}
