/** Steps in columns: a mark, the id, the tool, its duration and a note. */
import { oneLine, paint } from '../../serve/terminal.ts'
import { formatDuration } from './event-text.ts'
import type { StepStatus, StepView } from './step-views.ts'

type Style = Parameters<typeof paint>[0]

const MARKS: Readonly<Record<StepStatus, readonly [mark: string, style: Style]>> = {
  todo: ['·', 'dim'],
  running: ['▸', 'cyan'],
  waiting: ['?', 'yellow'],
  retrying: ['↻', 'yellow'],
  done: ['✔', 'green'],
  failed: ['✘', 'red'],
  undoing: ['↶', 'yellow'],
  undone: ['↶', 'yellow'],
  unknown: ['!', 'yellow'],
}
/** Also written as a word, for screen readers and grep. */
const SHOWN_STATUSES: ReadonlySet<StepStatus> = new Set([
  'waiting',
  'retrying',
  'failed',
  'undoing',
  'undone',
  'unknown',
])

export function stepLines(steps: readonly StepView[], spin?: string): string[] {
  const ids = Math.max(0, ...steps.map(({ id }) => id.length))
  const tools = Math.min(40, Math.max(0, ...steps.map(({ tool }) => tool.length)))
  const width = (process.stdout.columns || 100) - 1
  return steps.map((step) => {
    const [mark, style] = MARKS[step.status]
    const shown = step.status === 'running' && spin !== undefined ? spin : mark
    const time = step.ms === undefined ? '' : formatDuration(step.ms)
    const head = `  ${paint(style, shown)} ${step.id.padEnd(ids)}  ${oneLine(step.tool, 40).padEnd(tools)}  ${time.padStart(8)}`
    // The mark is one column wide, without its colour codes.
    const room = width - (2 + 1 + 1 + ids + 2 + tools + 2 + 8) - 2
    const note = room < 8 ? '' : oneLine(noteOf(step), room)
    const noteStyle: Style = step.status === 'failed' ? 'red' : step.status === 'waiting' ? 'yellow' : 'dim'
    return note === '' ? head.trimEnd() : `${head}  ${paint(noteStyle, note)}`
  })
}

function noteOf({ status, attempts, note }: StepView): string {
  const said = SHOWN_STATUSES.has(status) ? status : ''
  const how = said !== '' && note !== '' ? `${said}: ${note}` : said || note
  const again = attempts > 1 && status !== 'retrying' ? `attempt ${attempts}` : ''
  return [again, how].filter((word) => word !== '').join(', ')
}
