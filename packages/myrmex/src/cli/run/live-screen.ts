/** A run on a terminal: its steps are redrawn in place. Other output appears above them. */

import { createLogUpdate } from 'log-update'
import type { ActiveRun } from '../../agent/run/active-run.ts'
import type { LiveEvent } from '../../agent/run/journal/events.ts'
import { plural } from '../../protocol/text.ts'
import { paint } from '../../serve/terminal.ts'
import { formatDuration, money } from './event-text.ts'
import type { Output, Screen } from './screen.ts'
import { LocalProgress, type StepView, stepLines, stepViews } from './step-views.ts'

const REDRAW_MS = 100
const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']

export class LiveScreen implements Screen {
  readonly #output: Output
  readonly #draw: ReturnType<typeof createLogUpdate>
  readonly #here = new LocalProgress()
  readonly #write: (text: string) => boolean
  #run: ActiveRun | undefined
  #timer: NodeJS.Timeout | undefined
  #turn = 0

  constructor(output: Output) {
    this.#output = output
    // Otherwise it hides the cursor through stderr, which is replaced below.
    this.#draw = createLogUpdate(output.stream, { showCursor: true })
    const { stderr } = process
    this.#write = stderr.write.bind(stderr) as (text: string) => boolean
    // Otherwise logs of tools would be written into the drawing.
    stderr.write = ((text: string | Uint8Array, ...rest: unknown[]) => {
      this.#above(() => this.#write(String(text)))
      const done = rest.findLast((one) => typeof one === 'function')
      if (done !== undefined) process.nextTick(done as () => void)
      return true
    }) as typeof stderr.write
  }

  onActive(run: ActiveRun): void {
    this.#run = run
    this.#timer ??= setInterval(() => this.#redraw(), REDRAW_MS)
  }

  onEvent(event: LiveEvent): void {
    this.#here.onEvent(event)
  }

  note(line: string): void {
    process.stderr.write(`${paint('yellow', 'myrmex:')} ${line}\n`)
  }

  show(text: string): void {
    this.#above(() => this.#output.write(`${text}\n\n`))
  }

  json(): void {}

  pause(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#draw.clear()
    this.#draw.done()
  }

  /** Prints the steps for the last time. */
  end(): void {
    this.pause()
    const lines = this.#run === undefined ? [] : stepLines(stepViews(this.#run.state, { here: this.#here }))
    if (lines.length > 0) this.#output.write(`${lines.join('\n')}\n\n`)
  }

  #above(write: () => void): void {
    if (this.#timer === undefined) return write()
    this.#draw.clear()
    write()
    this.#redraw()
  }

  #redraw(): void {
    if (this.#run === undefined || this.#timer === undefined) return
    this.#draw(this.#frame(this.#run))
  }

  #frame({ state, row, budget, isReleasing }: ActiveRun): string {
    const limit = budget.limitOf('money')
    const spin = SPINNER[this.#turn++ % SPINNER.length] as string
    const views = stepViews(state, { here: this.#here, isExecuted: true })
    const done = views.filter(({ status }) => status === 'done').length
    const facts = [
      isReleasing ? 'releasing' : (state.phase ?? 'starting'),
      ...(views.length === 0 ? [] : [`${done} of ${plural(views.length, 'step')}`]),
      `spent ${money(budget.spent)}${limit === undefined ? '' : ` of ${money(limit)}`}`,
      formatDuration(Math.max(0, Date.now() - row.created_at)),
    ]
    const rows = (process.stdout.rows || 24) - 4
    const shown = views.length <= rows ? views : views.filter(isActive).slice(0, rows - 1)
    const lines = stepLines(shown, spin)
    if (shown.length < views.length)
      lines.push(paint('dim', `    and ${views.length - shown.length} more, done or waiting`))
    return [...lines, `${paint('cyan', spin)} ${facts.join(paint('dim', ' · '))}  ${paint('dim', row.id)}`].join('\n')
  }
}

const isActive = ({ status }: StepView): boolean => status !== 'done' && status !== 'todo'
