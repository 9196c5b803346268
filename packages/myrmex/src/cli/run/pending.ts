/** What a run waits for, and the commands that let it continue. */

import { relative } from 'node:path'
import { questionText } from '../../agent/render-plan.ts'
import { eventOf, openQuestions } from '../../agent/run/journal/events.ts'
import { openApprovals, stateOf } from '../../agent/run/journal/state.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { shellWord } from '../../protocol/text.ts'
import { bulletList, oneLine, paint, section, wrap, wrapNamed } from '../../serve/terminal.ts'
import { approvalTool, shortArguments } from '../approvals/approval-screen.ts'
import { planCalls } from './plan-text.ts'

export type PendingDecisions = Awaited<ReturnType<typeof pendingDecisions>>
export type WaitingApproval = PendingDecisions['approvals'][number]

export async function pendingDecisions(ledger: Ledger, run: string) {
  const events = (await ledger.runs.events(run)).map(eventOf)
  const approvals = await Promise.all(
    openApprovals(stateOf(events, [])).map(
      async ({ approval: id, about, steps, reason, elsewhere, agent, ledger: file }) => ({
        id,
        about,
        steps,
        reason,
        /** whose ledger has it, and its file if it is known; undefined: it is in ours */
        agent,
        ledger: file,
        /** undefined: a remote agent keeps it in its own ledger */
        asked: elsewhere === true ? undefined : await ledger.approvals.find(id),
      }),
    ),
  )
  const undecided = approvals.filter(({ asked }) => asked === undefined || asked.status === 'waiting')
  return { questions: openQuestions(events), approvals: undecided }
}

export function pendingText(run: string, { questions, approvals }: PendingDecisions): string {
  const parts: string[] = []
  if (questions.length > 0) {
    const answers = questions.map(({ input }) => `--with ${oneLine(input, 60)}=…`).join(' ')
    parts.push(
      bulletList('Waiting for answers:', questions.map(questionText)),
      resumeText(`npx myrmex runs resume ${run} ${answers}`),
    )
  }
  if (approvals.length > 0) {
    const ids = approvals.filter(({ asked }) => asked !== undefined).map(({ id }) => id)
    const budget = approvals.some(({ about }) => about === 'budget')
    const approve = budget
      ? [`npx myrmex runs budget ${run}`]
      : ids.length === 0
        ? []
        : [`npx myrmex approvals approve ${ids.join(' ')}`]
    const there = approvals.flatMap((one) => approveThere(one) ?? [])
    parts.push(
      section('Waiting for approval:', approvals.map(approvalText)),
      resumeText(...approve, ...there, `npx myrmex runs resume ${run}`),
    )
  }
  if (parts.length === 0) parts.push(resumeText(`npx myrmex runs resume ${run}`))
  return parts.join('\n\n')
}

const resumeText = (...commands: string[]): string =>
  section(
    'To continue:',
    commands.map((command) => `  ${command}`),
  )

/** The whole command, if the ledger is a file that this fleet knows. Without it, the id could be that of an approval in our own ledger. */
function approveThere({ id, asked, ledger }: WaitingApproval): string | undefined {
  if (asked !== undefined || ledger === undefined) return undefined
  const near = relative(process.cwd(), ledger)
  const file = near.startsWith('..') ? ledger : near
  return `npx myrmex approvals approve ${shellWord(oneLine(id, 60))} --ledger ${shellWord(file)}`
}

function placeText(agent: string | undefined, ledger: string | undefined): string {
  if (agent === undefined) return 'requested by the agent itself: decide where it keeps its approvals'
  const name = oneLine(agent, 60)
  return ledger === undefined
    ? `requested by agent ${name} in its own ledger: decide on the machine of agent ${name}`
    : `requested by agent ${name} in its own ledger`
}

function approvalText({ id, about, steps, reason, asked, agent, ledger }: WaitingApproval): string {
  const what = about === 'plan' ? 'the plan' : about === 'budget' ? 'more budget' : `step ${steps.join(', ')}`
  const head = `  ${paint('yellow', oneLine(id, 60))}  ${what}\n${wrap(oneLine(reason, 400), 4)}`
  if (asked === undefined) return `${head}\n${wrap(placeText(agent, ledger), 4)}`
  if (about === 'plan') return [head, ...planCalls(asked)].join('\n')
  return [head, wrapNamed('cyan', approvalTool(asked), '', 4), ...shortArguments(asked)].join('\n')
}
