/**
 * `myrmex approvals watch`: what waits for approval, as it comes. On a terminal the list is live, with a bell for each new one, and keys decide:
 * each decision is that of `approvals approve` or `deny`, with its questions and its passphrase. Elsewhere there is one line for each.
 */
import { emitKeypressEvents } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { approvalJson } from '../../ledger/decisions/approval-view.ts'
import type { Approval } from '../../ledger/decisions/approvals.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { plural } from '../../protocol/text.ts'
import { askOnStdin, isAtTerminal } from '../../serve/confirm.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { fail, jsonLine, oneLine, paint, print } from '../../serve/terminal.ts'
import { formatSpan } from '../time-span.ts'
import { approvalSubject } from './approval-screen.ts'
import { decideApprovals } from './decide.ts'

export interface WatchOptions extends LedgerFlags {
  json?: boolean
}

const POLL_MS = 500
const MAX_LISTED = 1000

export async function watchApprovals(options: WatchOptions): Promise<void> {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    if (isAtTerminal() && options.json !== true) await new LiveList(options, stopped).run()
    else await withLedger(options, 'read-only', (ledger) => printLines(ledger, options, stopped.signal))
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

const waitingNow = async ({ approvals }: Ledger): Promise<Approval[]> =>
  (await approvals.list('waiting', MAX_LISTED)).reverse()

async function printLines(ledger: Ledger, { json }: WatchOptions, signal: AbortSignal): Promise<void> {
  let known = new Set<string>()
  while (!signal.aborted) {
    const waiting = await waitingNow(ledger)
    for (const one of waiting) if (!known.has(one.id)) print(json ? JSON.stringify(approvalJson(one)) : lineOf(one))
    known = new Set(waiting.map(({ id }) => id))
    await pause(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

const lineOf = (approval: Approval): string =>
  `${approval.id}  ${approvalSubject(approval, undefined)}  ${jsonLine(approval.args, 200)}`

type Verb = 'approve' | 'edit' | 'deny'
const KEYS: Readonly<Record<string, Verb>> = { a: 'approve', e: 'edit', d: 'deny' }

class LiveList {
  readonly #options: WatchOptions
  readonly #stopped: AbortController
  #waiting: Approval[] = []
  #known: Set<string> | undefined
  /** the id of the selected one: others may go meanwhile */
  #selected: string | undefined
  #chosen: { verb: Verb; id: string } | undefined
  #wake: () => void = () => {}

  constructor(options: WatchOptions, stopped: AbortController) {
    this.#options = options
    this.#stopped = stopped
  }

  /** Decisions open the ledger themselves, with the rights and the key that they need. */
  async run(): Promise<void> {
    const { signal } = this.#stopped
    signal.addEventListener('abort', () => this.#wake())
    while (!signal.aborted) {
      await withLedger(this.#options, 'read-only', (ledger) => this.#showUntilChosen(ledger))
      const chosen = this.#chosen
      this.#chosen = undefined
      if (chosen === undefined || signal.aborted) continue
      await this.#decide(chosen).catch((error: unknown) => void fail(error))
      await askOnStdin('Press Enter to go back to the list. ')
    }
    process.exitCode = 0
  }

  async #showUntilChosen(ledger: Ledger): Promise<void> {
    const { stdin } = process
    emitKeypressEvents(stdin)
    stdin.setRawMode(true)
    stdin.resume()
    stdin.on('keypress', this.#onKey)
    try {
      while (!this.#stopped.signal.aborted && this.#chosen === undefined) {
        this.#take(await waitingNow(ledger))
        this.#draw()
        await this.#untilKeyOrPoll()
      }
    } finally {
      stdin.off('keypress', this.#onKey)
      stdin.setRawMode(false)
      stdin.pause()
      print('')
    }
  }

  #untilKeyOrPoll(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #take(waiting: Approval[]): void {
    const before = this.#known
    if (before !== undefined && waiting.some(({ id }) => !before.has(id))) process.stdout.write('\u0007')
    this.#known = new Set(waiting.map(({ id }) => id))
    this.#waiting = waiting
    if (!waiting.some(({ id }) => id === this.#selected)) this.#selected = waiting[0]?.id
  }

  #draw(): void {
    // A terminal that does not know its size says 0.
    const columns = process.stdout.columns || 80
    const rows = process.stdout.rows || 24
    const at = Math.max(
      0,
      this.#waiting.findIndex(({ id }) => id === this.#selected),
    )
    const room = Math.max(1, Math.floor((rows - 4) / 2))
    const first = Math.max(0, Math.min(at - Math.floor(room / 2), this.#waiting.length - room))
    const lines = this.#waiting.slice(first, first + room).flatMap((one) => this.#rowsOf(one, columns))
    const head =
      this.#waiting.length === 0
        ? 'nothing waits for approval'
        : `${plural(this.#waiting.length, 'call')} waiting for approval`
    const keys = 'j k select   a approve   e edit, then approve   d deny   q quit'
    process.stdout.write(
      `\u001b[2J\u001b[H${[paint('bold', head), ...lines, '', paint('dim', oneLine(keys, columns))].join('\n')}`,
    )
  }

  #rowsOf(one: Approval, columns: number): string[] {
    const { id, args, requested_at, reason } = one
    const isSelected = id === this.#selected
    const age = formatSpan(Math.max(0, Date.now() - requested_at))
    const title = oneLine(`${id}  ${approvalSubject(one, undefined)}, ${age} ago: ${reason}`, columns - 2)
    return [
      `${isSelected ? '>' : ' '} ${isSelected ? paint('cyan', title) : title}`,
      `    ${paint('dim', jsonLine(args, columns - 4))}`,
    ]
  }

  readonly #onKey = (_text: string | undefined, key: { name?: string; ctrl?: boolean } = {}): void => {
    const { name = '', ctrl } = key
    const at = this.#waiting.findIndex(({ id }) => id === this.#selected)
    if (name === 'q' || (ctrl === true && (name === 'c' || name === 'd'))) this.#stopped.abort()
    else if (name === 'j' || name === 'down')
      this.#selected = this.#waiting[Math.min(at + 1, this.#waiting.length - 1)]?.id
    else if (name === 'k' || name === 'up') this.#selected = this.#waiting[Math.max(at - 1, 0)]?.id
    else if (ctrl !== true && KEYS[name] !== undefined && this.#selected !== undefined)
      this.#chosen = { verb: KEYS[name], id: this.#selected }
    this.#wake()
  }

  async #decide({ verb, id }: { verb: Verb; id: string }): Promise<void> {
    const { json: _, ...flags } = this.#options
    if (verb !== 'deny') return decideApprovals('approve', [id], { ...flags, ...(verb === 'edit' && { edit: true }) })
    const note = await askOnStdin('Why not? The caller reads it (Enter: no note, Ctrl-C: back): ')
    if (note === undefined) return
    await decideApprovals('deny', [id], { ...flags, ...(note.trim() !== '' && { note: note.trim() }) })
  }
}
