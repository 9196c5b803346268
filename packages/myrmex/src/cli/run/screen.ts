/** How a run is shown while it is executed here: redrawn on a terminal, as plain lines elsewhere, or as JSON with --json. */

import type { ActiveRun } from '../../agent/run/active-run.ts'
import type { LiveEvent } from '../../agent/run/journal/events.ts'
import { oneLine, say } from '../../serve/terminal.ts'
import { describeEvent } from './event-text.ts'

export interface Screen {
  onEvent(event: LiveEvent): void
  onActive(run: ActiveRun): void
  /** a message on stderr */
  note(line: string): void
  /** a block of text on stdout; not with --json */
  show(text: string): void
  /** one object, only with --json */
  json(value: object): void
  /** removes the drawing, for a question or at the end; the next event draws it again */
  pause(): void
  /** nothing more is drawn */
  end(): void
}

/** The real stdout, whatever tools in this process print. */
export interface Output {
  readonly stream: NodeJS.WriteStream
  write(text: string): void
}

/** Redirects stdout to stderr from now on: tools run in this process, and stdout is only for our results. */
export function claimOutput(): Output {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout) as (text: string) => boolean
  const stream = Object.create(stdout, { write: { value: write } }) as NodeJS.WriteStream
  stdout.write = ((...given: Parameters<typeof stderr.write>) => stderr.write(...given)) as typeof stdout.write
  return { stream, write: (text) => void write(text) }
}

const NOTHING_DRAWN = { note: say, onActive: () => {}, pause: () => {}, end: () => {} }

/** One line per event: time, kind, step, text. The text may change between versions, the columns do not. */
export function lineScreen(output: Output, run: string, isOneOfMany = false): Screen {
  return {
    onEvent: (event) => {
      for (const line of eventLines(event, run, isOneOfMany)) output.write(`${line}\n`)
    },
    ...NOTHING_DRAWN,
    show: (text) => output.write(`\n${text}\n`),
    json: () => {},
  }
}

const KIND_WIDTH = 10
const STEP_WIDTH = 5

function eventLines(event: LiveEvent, run: string, isOneOfMany: boolean): string[] {
  const { time, kind, step } = event
  const line = (id: string | null, words: string): string =>
    [
      new Date(time).toISOString(),
      ...(isOneOfMany ? [run] : []),
      kind.padEnd(KIND_WIDTH),
      (id ?? '-').padEnd(STEP_WIDTH),
      words,
    ]
      .join('  ')
      .trimEnd()
  const first = line(step, kind === 'created' ? `${run}: ${describeEvent(event)}` : describeEvent(event))
  if (event.kind !== 'planned') return [first]
  // The plan, one line per step.
  const steps = event.body.plan.steps.map(({ id, tool, needs, why }) =>
    line(id, `${tool}${needs.length === 0 ? '' : ` (after ${needs.join(', ')})`}: ${oneLine(why, 300)}`),
  )
  return [first, ...steps]
}

export function jsonScreen(output: Output, run: string): Screen {
  const object = (value: object): void => output.write(`${JSON.stringify({ run, ...value })}\n`)
  return { ...NOTHING_DRAWN, onEvent: object, show: () => {}, json: object }
}

export type ScreenChoice = ReturnType<typeof chooseScreen>

/** Call it before other code is loaded, whose output must not mix with ours. */
export function chooseScreen({ json = false }: { json?: boolean }) {
  const output = claimOutput()
  const isTerminal = process.stdout.isTTY === true && process.env.TERM !== 'dumb'
  const isLive = isTerminal && !json
  return {
    output,
    isLive,
    /** questions can be asked at the terminal */
    canAsk: isLive && process.stdin.isTTY === true,
    /** once the id of the run is known */
    open: async (run: string): Promise<Screen> => {
      if (json) return jsonScreen(output, run)
      return isLive ? new (await import('./live-screen.ts')).LiveScreen(output) : lineScreen(output, run)
    },
  }
}
