/** What happens in a run, in a sentence each. Goals, texts of tools and of models are strangers': they fake no line of ours. */
import type { Bodies, Happening, Kind, RunEvent } from '../../agent/run/events.ts'
import type { CallBegun, CallEnded } from '../../agent/run/timeline.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { oneLine } from '../line.ts'

const LONG = 400

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

export const money = (amount: number): string => String(Math.round(amount * 100) / 100)

export function took(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return minutes < 60
    ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const errorIn = ({ error_type, error_message }: ErrorDetail): string =>
  oneLine(`${error_type}: ${error_message}`, LONG)

const list = (items: readonly string[]): string => items.map((item) => oneLine(item, LONG)).join(', ')
const noted = (notes: readonly string[]): string => (notes.length === 0 ? '' : `; ${list(notes)}`)

const WORDS: { [K in Kind]: (body: Bodies[K]) => string } = {
  created: ({ goal, by, approve }) => `${oneLine(goal, LONG)} (by ${oneLine(by, 60)}, approve ${approve})`,
  taken_over: ({ leader }) => `process ${leader.slice(0, 8)} leads it now`,
  phase: ({ phase }) => phase,
  observed: ({ agents, tools, problems }) =>
    `${plural(agents.length, 'agent')} with ${plural(tools, 'tool')}: ${list(agents)}${noted(problems)}`,
  planned: ({ plan, by, notes, warnings, cost }) =>
    `${plural(plan.steps.length, 'step')} by ${oneLine(by, 100)}, cost known beforehand ${money(cost)}${noted([...notes, ...warnings])}`,
  unfit: ({ problems, by }) =>
    `the plan of ${oneLine(by, 100)} has ${plural(problems.length, 'problem')}: ${list(problems.map(({ path, message }) => `${path} ${message}`))}`,
  questions: ({ questions }) => list(questions.map(({ input, question }) => `${question} (${input})`)),
  answered: ({ known, by }) => `${list(Object.keys(known))}, by ${oneLine(by, 60)}`,
  asked: ({ approval, about, reason }) => `approval ${approval} of ${aboutWhat(about)}: ${oneLine(reason, LONG)}`,
  decided: ({ approval, about, status, by, note }) =>
    `approval ${approval} of ${aboutWhat(about)} ${status}${by === '' ? '' : ` by ${oneLine(by, 60)}`}${note === '' ? '' : `: ${oneLine(note, LONG)}`}`,
  retry: ({ attempt, after_ms, error }) => `attempt ${attempt} in ${took(after_ms)}, after ${errorIn(error)}`,
  verdict: ({ verdict, final, by, notes }) =>
    `${verdict.verdict} (${Math.round(verdict.score * 100)} %) by ${oneLine(by || 'the same', 60)}: ${oneLine(verdict.summary, LONG)}${final ? '' : '; one more try'}${noted(notes)}`,
  revised: ({ by, arguments: args }) => `other arguments by ${oneLine(by, 60)}: ${list(Object.keys(args))}`,
  failed: ({ error }) => errorIn(error),
  waiting: ({ for: what }) => `for ${list(what)}`,
  resumed: ({ by }) => `for ${oneLine(by, 60)}`,
  stopping: ({ by, reason, in_flight }) =>
    `${oneLine(by, 60)}: ${oneLine(reason, LONG)}${in_flight.length === 0 ? '' : `; cut off: ${list(in_flight)}`}`,
  undo: ({ steps, stands }) =>
    [steps.length === 0 ? 'nothing to take back' : list(steps), stands.length === 0 ? '' : `stands: ${list(stands)}`]
      .filter((part) => part !== '')
      .join('; '),
  learned: ({ lessons }) => plural(lessons.length, 'tool'),
  ended: ({ status }) => status,
}

const aboutWhat = (about: 'plan' | 'step'): string => (about === 'plan' ? 'the plan' : 'this step')

export const wordsOf = <K extends Kind>(event: RunEvent<K>): string =>
  (WORDS[event.kind as K] as (body: unknown) => string)(event.body)

/** Kind and sentence of anything that can happen. */
export function sentenceOf(happening: Happening | CallBegun | CallEnded): string {
  switch (happening.kind) {
    case 'started':
      return oneLine(happening.tool, 130)
    case 'progress': {
      const { progress, total, message } = happening
      const far = total === undefined ? String(progress) : `${progress} of ${total}`
      return message === undefined ? far : `${far}: ${oneLine(message, LONG)}`
    }
    case 'finished':
      return 'result' in happening
        ? ending(happening.tool, happening.result.status, happening.ms, happening.result.error)
        : ending(happening.tool, happening.outcome, happening.ms, happening.error ?? null, happening.repeat_of)
    default:
      return wordsOf(happening)
  }
}

function ending(
  tool: string,
  status: string,
  ms: number,
  error: ErrorDetail | null | undefined,
  repeats?: string,
): string {
  const how = `${oneLine(tool, 130)} ${status} after ${took(ms)}`
  if (repeats !== undefined) return `${oneLine(tool, 130)} ${status}: what call ${repeats} gave, not run again`
  return error == null ? how : `${how}: ${errorIn(error)}`
}
