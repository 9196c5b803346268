/** The events of a run as text. Goals and texts of tools and models are made safe: they cannot imitate our lines. */
import type { EventBodies, EventKind, LiveEvent } from '../../agent/run/journal/events.ts'
import type { CallFinished, CallStarted } from '../../agent/run/journal/timeline.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { plural } from '../../protocol/text.ts'
import { oneLine } from '../../serve/terminal.ts'

const MAX_TEXT = 400

export const money = (amount: number): string => String(Math.round(amount * 100) / 100)

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const errorText = ({ error_type, error_message }: ErrorDetail): string =>
  oneLine(`${error_type}: ${error_message}`, MAX_TEXT)

const list = (items: readonly string[]): string => items.map((item) => oneLine(item, MAX_TEXT)).join(', ')
const notesText = (notes: readonly string[]): string => (notes.length === 0 ? '' : `; ${list(notes)}`)

const EVENT_TEXTS: { [K in EventKind]: (body: EventBodies[K]) => string } = {
  created: ({ goal, by, approve }) => `${oneLine(goal, MAX_TEXT)} (by ${oneLine(by, 60)}, approve ${approve})`,
  taken_over: ({ leader }) => `process ${leader.slice(0, 8)} executes it now`,
  phase: ({ phase }) => phase,
  observed: ({ agents, tools, problems }) =>
    `${plural(agents.length, 'agent')} with ${plural(tools, 'tool')}: ${list(agents)}${notesText(problems)}`,
  planned: ({ plan, by, notes, warnings, cost }) =>
    `${plural(plan.steps.length, 'step')} by ${oneLine(by, 100)}, known cost ${money(cost)}${notesText([...notes, ...warnings])}`,
  unfit: ({ problems, by }) =>
    `the plan of ${oneLine(by, 100)} has ${plural(problems.length, 'problem')}: ${list(problems.map(({ path, message }) => `${path} ${message}`))}`,
  questions: ({ questions }) => list(questions.map(({ input, question }) => `${question} (${input})`)),
  answered: ({ names, by }) => `${list(names)}, by ${oneLine(by, 60)}`,
  asked: ({ approval, about, reason }) => `approval ${approval} of ${aboutWhat(about)}: ${oneLine(reason, MAX_TEXT)}`,
  decided: ({ approval, about, status, by, note }) =>
    `approval ${approval} of ${aboutWhat(about)} ${status}${by === '' ? '' : ` by ${oneLine(by, 60)}`}${note === '' ? '' : `: ${oneLine(note, MAX_TEXT)}`}`,
  retry: ({ attempt, after_ms, error }) =>
    `attempt ${attempt}${after_ms === 0 ? '' : ` in ${formatDuration(after_ms)}`}, after ${errorText(error)}`,
  verdict: ({ verdict, final, by, notes }) =>
    `${verdict.verdict} (${Math.round(verdict.score * 100)} %) by ${oneLine(by || 'the same', 60)}: ${oneLine(verdict.summary, MAX_TEXT)}${final ? '' : '; one more attempt'}${notesText(notes)}`,
  revised: ({ by, arguments: args }) => `new arguments by ${oneLine(by, 60)}: ${list(Object.keys(args))}`,
  failed: ({ error }) => errorText(error),
  waiting: ({ for: what }) => `for ${list(what)}`,
  resumed: ({ by }) => `for ${oneLine(by, 60)}`,
  stopping: ({ by, reason, in_flight }) =>
    `${oneLine(by, 60)}: ${oneLine(reason, MAX_TEXT)}${in_flight.length === 0 ? '' : `; interrupted: ${list(in_flight)}`}`,
  undo: ({ steps, stands }) =>
    [steps.length === 0 ? 'nothing to undo' : list(steps), stands.length === 0 ? '' : `not undone: ${list(stands)}`]
      .filter((part) => part !== '')
      .join('; '),
  learned: ({ lessons }) => plural(lessons.length, 'tool'),
  ended: ({ status }) => status,
}

const aboutWhat = (about: 'plan' | 'step' | 'budget'): string =>
  about === 'plan' ? 'the plan' : about === 'step' ? 'this step' : 'more budget'

/** The text of any event. */
export function describeEvent(event: LiveEvent | CallStarted | CallFinished): string {
  switch (event.kind) {
    case 'started':
      return oneLine(event.tool, 130)
    case 'progress': {
      const { progress, total, message } = event
      const far = total === undefined ? String(progress) : `${progress} of ${total}`
      return message === undefined ? far : `${far}: ${oneLine(message, MAX_TEXT)}`
    }
    case 'finished':
      return 'result' in event
        ? callEndText(event.tool, event.result.status, event.ms, event.result.error)
        : callEndText(event.tool, event.outcome, event.ms, event.error ?? null, event.repeat_of)
    default:
      return (EVENT_TEXTS[event.kind] as (body: unknown) => string)(event.body)
  }
}

function callEndText(
  tool: string,
  status: string,
  ms: number,
  error: ErrorDetail | null | undefined,
  repeats?: string,
): string {
  const how = `${oneLine(tool, 130)} ${status} after ${formatDuration(ms)}`
  if (repeats !== undefined)
    return `${oneLine(tool, 130)} ${status}: the recorded result of call ${repeats}, not executed again`
  return error == null ? how : `${how}: ${errorText(error)}`
}
