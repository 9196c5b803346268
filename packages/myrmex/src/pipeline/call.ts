/** One call on its way through the gates, and the context that its tool gets. */
import type { PendingWrite } from '../ledger/journal/group.ts'
import type { UndoableCall } from '../ledger/undoable-calls.ts'
import { asCanonical, canonical, whyUnwritable } from '../protocol/canonical.ts'
import type { InputRequest, InputRequests, InputResponse, InputResponses, LogLevel } from '../protocol/content.ts'
import type { ToolResult } from '../protocol/envelope.ts'
import { describeThrown, type RpcError, ToolError } from '../protocol/errors.ts'
import { constraintTexts } from '../protocol/issue.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { SecretFilter, SecretNames } from '../protocol/secret.ts'
import { toJson } from '../protocol/serialise.ts'
import { META } from '../protocol/versions.ts'
import type { AskOptions, Context, WorkContext } from '../tool/context.ts'
import { sha256 } from '../tool/hash.ts'
import type { HeaderMismatch } from '../tool/headers.ts'
import type { Tool, ToolArguments, ToolData } from '../tool/tool.ts'
import { answerSecrets, isContained, NO_ROUNDS, secretAnswerNames, shownAnswers } from './answers.ts'
import { mayHaveSecrets, secretFilter, TOO_MANY, unlessTooMany, withoutSecretTexts } from './audit/call-secrets.ts'
import { nextCallId } from './call-id.ts'
import type { Caller } from './caller.ts'
import { type GateNotes, NO_NOTES } from './gate-notes.ts'
import { unrecordedFailure } from './gates/record.ts'
import { keyOf } from './idempotency-key.ts'
import { type CallEnd, fromThrown, isHidden } from './outcome.ts'
import type { Pipeline } from './pipeline.ts'
import { RequestScope } from './request-scope.ts'
import type { TaskHooks } from './task-hooks.ts'

export const NO_ANSWERS: InputResponses = Object.freeze({})
const NO_SECRETS: ReadonlySet<string> = new Set()

/** The questions of a call to its client, and the answers. */
interface Dialogue {
  rounds: readonly InputResponses[]
  readonly secrets: Set<string>
  guard?: (answers: InputResponses) => Promise<void>
  waiting?: ToolError
  lastAsk?: Promise<unknown>
}

export class Call extends RequestScope implements Context {
  readonly id: string = nextCallId()
  readonly pipeline: Pipeline
  readonly tool: Tool
  /** as the caller sent them; for an undo, once it is loaded, those of the call that it undoes */
  args: unknown
  /** the id of the call that this one undoes, as the caller sent it; undefined: it undoes nothing */
  readonly undoOf: unknown
  /** the tool's dry run is to run in its place; what the caller sent may still be malformed */
  readonly isDryRun: boolean
  /** 0 for a call from outside, one more for each `ctx.call` it came through */
  readonly depth: number
  /** why there is no tool to run; `tool` then has only the name */
  readonly notFound: RpcError | undefined
  /** milliseconds since the epoch; set as the call enters the pipeline */
  time = 0
  notes: GateNotes = NO_NOTES
  taskHooks: TaskHooks | undefined = undefined
  /** for a request whose headers repeat its arguments; see `HeaderMismatch` */
  headerMismatch: HeaderMismatch | undefined = undefined
  /** what must be durable before the result leaves; see `commit` */
  pendingWrite: PendingWrite | undefined = undefined
  /** the arguments as parsed by `validate` */
  input: unknown = undefined
  /** the recorded call that this one undoes, as loaded by `validate` */
  undone: UndoableCall | undefined = undefined
  /** its data as parsed */
  undoInput: unknown = undefined
  answers: InputResponses = NO_ANSWERS
  /** the tool was started: however the call ends, it may have had an effect */
  started = false
  #argsHash: string | undefined = undefined
  #dialogue: Dialogue | undefined = undefined
  /** for what the tool sends while it runs, which may be much; made again when there are more answers */
  #filter: SecretFilter | undefined = undefined

  constructor(
    pipeline: Pipeline,
    tool: Tool,
    caller: Caller,
    args: unknown,
    meta: Params | undefined,
    depth: number,
    notFound?: RpcError,
  ) {
    super(caller, meta)
    this.pipeline = pipeline
    this.tool = tool
    this.notFound = notFound
    this.args = args
    this.depth = depth
    this.undoOf = meta?.[META.undo]
    const dryRun = meta?.[META.dryRun]
    this.isDryRun = dryRun !== undefined && dryRun !== false
  }

  get context(): WorkContext {
    const given = this.meta[META.context]
    return isObject(given) ? (given as WorkContext) : {}
  }

  get idempotencyKey(): string | undefined {
    return keyOf(this)
  }

  /** An undo always does. A dry run does not; that of an upstream is only its word. */
  get changesState(): boolean {
    if (this.isDryRun && this.tool.origin === 'own') return false
    return this.tool.destructive || this.undoOf !== undefined
  }

  /** The arguments as people see them; for an undo together with the call and the data that are undone. */
  get shownArguments(): unknown {
    const rounds = this.answerRounds
    if (this.undoOf === undefined && rounds.length === 0) return this.args
    return this.shownWith(rounds)
  }

  /** The same together with these answers of the client, without their secrets. */
  shownWith(rounds: readonly InputResponses[]): Record<string, unknown> {
    const call_id = this.undone?.call_id ?? null
    return {
      arguments: this.args ?? {},
      ...(this.undoOf !== undefined && { call_id, undo: this.undone?.data ?? null }),
      ...(rounds.length > 0 && { answers: shownAnswers(rounds, this.answerSecrets) }),
    }
  }

  /** Few calls have one: it is made when a gate or the tool asks. */
  get #asked(): Dialogue {
    this.#dialogue ??= { rounds: NO_ROUNDS, secrets: new Set() }
    return this.#dialogue
  }

  /** All answers that the tool has got, or will get if the call is approved, in the order in which they came. */
  get answerRounds(): readonly InputResponses[] {
    return this.#dialogue === undefined ? NO_ROUNDS : this.#dialogue.rounds
  }

  /** Set by `approve` if an approval let the call through: throws unless the call is approved with these answers too. */
  set answerGuard(guard: (answers: InputResponses) => Promise<void>) {
    this.#asked.guard = guard
  }

  /** Why the tool did not get the answers that it asked for: they wait for approval. */
  get answersWaiting(): ToolError | undefined {
    return this.#dialogue?.waiting
  }

  set answersWaiting(why: ToolError) {
    this.#asked.waiting = why
  }

  /** Fields of answers that count as secret. */
  get answerSecrets(): SecretNames {
    const { input, output } = this.tool
    const own = { has: (name: string) => input.secrets.has(name) || output.secrets.has(name), size: 0 }
    return answerSecrets(this.#dialogue?.secrets ?? NO_SECRETS, own)
  }

  /** The client is asked this: which fields of the answers are secret? */
  noteQuestions(requests: InputRequests): void {
    this.#noteSecrets(secretAnswerNames(requests))
  }

  #noteSecrets(names: readonly string[]): void {
    if (names.length === 0) return
    this.#filter = undefined
    for (const name of names) this.#asked.secrets.add(name)
  }

  /** The tool gets these answers: from now on they are part of the call. */
  hear(answers: InputResponses): void {
    if (isContained(answers, this.answerRounds)) return
    this.#asked.rounds = [...this.answerRounds, answers]
    this.#filter = undefined
  }

  /** For the rehearsal of another call: it gets the same answers, and their secrets are not shown either. */
  protected shareAnswersOf(call: Call): void {
    this.#dialogue = call.#dialogue && { rounds: call.#dialogue.rounds, secrets: call.#dialogue.secrets }
    this.answers = call.answers
  }

  /** The tool of a modern client can get no other answers in this round than those in the request: they are part of the call from the start. */
  hearGiven(): void {
    const given = this.caller.givenAnswers
    if (given === undefined) return
    this.#noteSecrets(given.secrets)
    this.#asked.rounds = given.rounds
  }

  /** Answers reach a tool that runs under an approval only if the call is approved with them. */
  override async ask<Keys extends string>(
    requests: Record<Keys, InputRequest>,
    options: AskOptions = {},
  ): Promise<Record<Keys, InputResponse>> {
    this.noteQuestions(requests)
    const dialogue = this.#asked
    const { guard, lastAsk } = dialogue
    // The answers that a person would approve, by their canonical text.
    const asked = super.ask(requests, options).then(asCanonical)
    if (guard === undefined) {
      const answers = await asked
      this.hear(answers)
      return answers
    }
    // In the order of the questions: the same answers are then the same call again.
    const guarded = this.#guarded(asked, lastAsk, guard)
    dialogue.lastAsk = guarded.catch(() => undefined)
    return guarded
  }

  async #guarded<Answers extends InputResponses>(
    asked: Promise<Answers>,
    before: unknown,
    guard: (answers: Answers) => Promise<void>,
  ): Promise<Answers> {
    const answers = await asked
    await before
    if (isContained(answers, this.answerRounds)) return answers
    this.deadline?.pause()
    try {
      await guard(answers)
    } finally {
      this.deadline?.resume()
    }
    this.hear(answers)
    return answers
  }

  /**
   * The hash of everything that was sent, at any depth, independent of the order of keys and the form of numbers. Undoing a call has
   * another hash than the call itself. Throws if the hash would not identify the arguments.
   */
  get argsHash(): string {
    if (this.#argsHash === undefined) {
      const text = this.#argsText()
      // Only then can a value be missing from the text.
      if (text === undefined || text.includes('null')) this.checkArgs()
      if (text === undefined) throw this.#unwritable('something that JSON cannot hold')
      this.#argsHash = this.#hashOf(text)
    }
    return this.#argsHash
  }

  /** The same for the audit, which also records calls that were refused because of their arguments. Undefined if there is none. */
  get recordedHash(): string | undefined {
    if (this.answerRounds.length === 0 && this.#argsHash !== undefined) return this.#argsHash
    const text = this.#argsText()
    if (text === undefined) return undefined
    return this.answerRounds.length === 0 ? this.#hashOf(text) : this.#hashWith(this.answerRounds, text)
  }

  /** The hash of the exact call: of its arguments and of these answers of the client. Throws like `argsHash`. */
  exactHash(rounds: readonly InputResponses[]): string {
    const { argsHash } = this
    return rounds.length === 0 ? argsHash : this.#hashWith(rounds, this.#argsText() as string)
  }

  /** Keyed: which of the answers are secret is not certain. */
  #hashWith(rounds: readonly InputResponses[], text: string): string {
    return this.pipeline.ledger.key.mac(`answers ${canonical(rounds)}\n${text}`)
  }

  #argsText(): string | undefined {
    try {
      // Arguments begin with a brace, so they cannot look like an undo.
      const undoing = this.undoOf === undefined ? '' : `undo ${canonical([this.undoOf, this.undone?.data ?? null])}\n`
      return undoing + canonical(this.args ?? {})
    } catch {
      // Only a caller in this process can send something that is not JSON.
      return undefined
    }
  }

  #hashOf(text: string): string {
    const { input, output } = this.tool
    // A plain hash of a guessable secret would reveal it; a keyed one does not.
    const isSecret = input.secrets.size > 0 || (this.undoOf !== undefined && output.secrets.size > 0)
    return isSecret ? this.pipeline.ledger.key.mac(text) : sha256(text)
  }

  /** Throws if the arguments hold something that JSON cannot: their hash and their record would be those of other arguments. */
  checkArgs(): void {
    const why = whyUnwritable(this.args)
    if (why !== undefined) throw this.#unwritable(why)
  }

  /**
   * From now on the arguments are what their canonical text says, which is what a person approves. Returns whether they changed; the
   * caller then reads them again. Throws like `checkArgs`, and if the schema does not accept the changed ones.
   */
  useCanonicalArguments(): boolean {
    this.checkArgs()
    // The arguments of an undo come from the ledger.
    if (this.undoOf !== undefined || this.args === undefined) return false
    const args = asCanonical(this.args)
    if (args === this.args) return false
    const { input, name } = this.tool
    const parsed = input.parse(args ?? {})
    if (!parsed.success)
      throw ToolError.of('SchemaError', `The arguments do not fit ${name} as JSON: ${constraintTexts(parsed.issues)}`)
    this.args = args
    this.input = parsed.data
    this.#argsHash = undefined
    return true
  }

  /** The arguments of a person who changed them before approving, in place of those that were sent. */
  useArguments(args: unknown, input: unknown): void {
    this.args = args
    this.input = input
    this.#argsHash = undefined
    this.#filter = undefined
  }

  #unwritable(what: string): ToolError {
    return ToolError.of('ValidationError', `The arguments of ${this.tool.name} contain ${what}.`)
  }

  note(notes: Partial<GateNotes>): void {
    this.notes = { ...this.notes, ...notes }
  }

  /** Without secrets, before it is cut: half a secret would not be found. */
  noteCause(thrown: unknown): void {
    this.note({ cause: describeThrown(withoutSecretTexts(this, thrown)) })
  }

  /** The end of the call that something thrown makes. `declared` are the error types that its tool may use as its own. */
  endWith(thrown: unknown, declared?: ReadonlySet<string>): CallEnd {
    if (isHidden(thrown)) {
      this.noteCause(thrown)
      // A tool that throws because it was interrupted has done the right thing.
      if (this.interrupted === undefined) this.pipeline.observe(this, thrown)
    }
    return fromThrown(thrown, this.id, declared)
  }

  later(): void {
    this.taskHooks?.onLater?.()
  }

  /** The call has ended, and its audit record is not written yet. */
  get isPending(): boolean {
    return this.pendingWrite !== undefined && !this.pendingWrite.isCommitted
  }

  /**
   * The end of the call as it may leave: its audit record is durable when this returns. Call it before sending a result. The
   * first result of a group writes the whole group.
   */
  commit(ended: CallEnd): CallEnd {
    if (this.pendingWrite === undefined) return ended
    try {
      this.pendingWrite.commit()
      return ended
    } catch {
      // The ledger has logged why.
      return unrecordedFailure(this.started)
    }
  }

  // Messages of a call besides its result have no secrets: they end up in logs, transcripts and on screens.

  override log(level: LogLevel, data: unknown, logger: string = this.tool.name): void {
    const clean = this.#clean(data, TOO_MANY)
    this.pipeline.log(this, level, clean, logger)
    super.log(level, clean, logger)
  }

  override emit(part: JsonObject): void {
    super.emit(this.#clean(toJson(part) as JsonObject, { hidden: TOO_MANY }))
  }

  override progress(progress: number, total?: number, message?: string): void {
    super.progress(progress, total, this.#clean(message, TOO_MANY))
  }

  #clean<T>(value: T, hidden: T): T {
    if (value === undefined || !mayHaveSecrets(this)) return value
    return unlessTooMany(
      () => {
        this.#filter ??= secretFilter(this)
        return this.#filter.value(value)
      },
      () => hidden,
    )
  }

  call<In, Out>(tool: Tool<In, Out>, args: ToolArguments<In>): Promise<ToolResult<ToolData<Out>>>
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>
  call(target: string | Tool, args: Record<string, unknown>): Promise<ToolResult> {
    return this.pipeline.subCall(this, target, args)
  }
}
