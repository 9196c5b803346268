/** Asks at the terminal for values that the planner needs, and for approvals. Anything but yes means no. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Question } from '../../agent/plan/plan.ts'
import type { ShownPlan } from '../../agent/run/plan-cover.ts'
import type { Runs } from '../../agent/run/runs.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { cliDecider, type NamedDecider } from '../../serve/cli-decider.ts'
import { exceedsScreen, longQuestion, type ShownText } from '../../serve/confirm.ts'
import { foreignJson } from '../../serve/foreign-text.ts'
import { oneLine, paint, wrap, wrapNamed } from '../../serve/terminal.ts'
import { approvalTool, summaryLines } from '../approvals/approval-screen.ts'
import { parseAnswer } from './known-values.ts'
import { pendingDecisions, type WaitingApproval } from './pending.ts'
import { costText, planCalls, toolsByName } from './plan-text.ts'
import type { Output, Screen } from './screen.ts'

type Prompts = typeof import('@clack/prompts')

const POLL_MS = 500

export class TerminalPrompts {
  readonly #runs: Runs
  readonly #screen: Screen
  readonly #output: Output
  #decider: NamedDecider | undefined

  constructor(runs: Runs, screen: Screen, output: Output) {
    this.#runs = runs
    this.#screen = screen
    this.#output = output
  }

  /** True: something was decided, and the run can continue. False: the questions were cancelled. */
  async decide(run: string, asks: boolean): Promise<boolean> {
    this.#screen.pause()
    const prompts = await import('@clack/prompts')
    const { questions, approvals } = await pendingDecisions(this.#runs.environment.ledger, run)
    if (questions.length > 0) return this.#answer(prompts, run, questions)
    const here = approvals.filter(({ asked }) => asked !== undefined)
    if (!asks || here.length === 0) return false
    for (const approval of here) if (!(await this.#approve(prompts, approval))) return false
    return true
  }

  async #answer(prompts: Prompts, run: string, questions: readonly Question[]): Promise<boolean> {
    const known: JsonObject = {}
    for (const { question, input, tool } of questions) {
      const about = `${oneLine(input, 60)}${tool === undefined ? '' : `, for ${oneLine(tool, 130)}`}`
      const answer = await prompts.text({
        message: `${oneLine(question, 400)} ${paint('dim', `(${about})`)}`,
        validate: (text) =>
          text === undefined || text.trim() === '' ? 'Enter an answer, or press Ctrl-C to answer later.' : undefined,
        output: this.#output.stream,
      })
      if (prompts.isCancel(answer)) return false
      known[input] = parseAnswer(answer)
    }
    try {
      await this.#runs.answer(run, known)
    } catch (error) {
      if (!(error instanceof ToolError) || error.error_type !== 'ValidationError') throw error
      this.#screen.note(error.message)
      return this.#answer(prompts, run, questions)
    }
    return true
  }

  async #approve(prompts: Prompts, waiting: WaitingApproval): Promise<boolean> {
    const { id, about } = waiting
    const text = about === 'step' ? this.#callText(waiting) : this.#planText(waiting)
    this.#screen.show(text)
    const question = about === 'plan' ? 'Execute this plan?' : 'Make this call?'
    const decided = new AbortController()
    const elsewhere = this.#decidedElsewhere(id, decided)
    const shared = { signal: decided.signal, output: this.#output.stream }
    const lines = text.split('\n').length
    const answer = exceedsScreen(lines)
      ? await this.#typedId(
          prompts,
          question,
          { lines, name: about === 'plan' ? 'This plan' : 'This call', word: id },
          shared,
        )
      : await prompts.confirm({
          message: `${question} ${paint('dim', `(approval ${id})`)}`,
          initialValue: false,
          ...shared,
        })
    if (decided.signal.aborted) return true
    decided.abort()
    await elsewhere
    if (typeof answer === 'symbol') return false
    const note = answer ? undefined : await this.#reason(prompts)
    return this.#write(waiting, answer, note)
  }

  /** For a text that is longer than the screen. */
  async #typedId(
    prompts: Prompts,
    question: string,
    shown: ShownText,
    shared: { readonly signal: AbortSignal; readonly output: NodeJS.WriteStream },
  ): Promise<boolean | symbol> {
    const typed = await prompts.text({ message: longQuestion(question, shown), ...shared })
    return typeof typed === 'symbol' ? typed : typed?.trim() === shown.word
  }

  async #reason(prompts: Prompts): Promise<string | undefined> {
    const note = await prompts.text({
      message: 'Why not? The reason is recorded with the run.',
      placeholder: 'optional',
      output: this.#output.stream,
    })
    return prompts.isCancel(note) || note === undefined || note.trim() === '' ? undefined : note
  }

  async #write({ id, asked }: WaitingApproval, yes: boolean, note: string | undefined): Promise<boolean> {
    const { approvals } = this.#runs.environment.ledger
    try {
      if (yes) await approvals.approve(id, await this.#approver(), undefined, asked)
      else await approvals.deny(id, cliOperator(), note)
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      // Without the passphrase nothing is decided: the run waits, and the end of the command says how to continue.
      if (error.error_type === 'PermissionError') {
        this.#screen.note(error.message)
        return false
      }
      // It was decided elsewhere or has expired: the run finds out which.
      if (error.error_type !== 'ValidationError') throw error
      this.#screen.note(error.message)
    }
    return true
  }

  /** In a locked ledger the passphrase is asked for once, and then holds until the command ends. */
  async #approver(): Promise<NamedDecider> {
    this.#decider ??= await cliDecider(this.#runs.environment.ledger)
    return this.#decider
  }

  /** Stops asking when the approval is decided elsewhere. */
  async #decidedElsewhere(id: string, decided: AbortController): Promise<void> {
    const { approvals } = this.#runs.environment.ledger
    while (!decided.signal.aborted) {
      const found = await approvals.find(id)
      if (found?.status !== 'waiting') {
        decided.abort()
        this.#screen.note(
          `approval ${id} was ${found?.status ?? 'removed'}${found?.decided_by ? ` by ${oneLine(found.decided_by, 60)}` : ''} in the meantime`,
        )
        return
      }
      await pause(POLL_MS, undefined, { signal: decided.signal }).catch((error) => {
        if (!decided.signal.aborted) throw error
      })
    }
  }

  /** The calls that the approval covers, exactly as the ledger has them. */
  #planText({ asked }: WaitingApproval): string {
    if (asked === undefined) return ''
    const plan = JSON.parse(asked.args) as ShownPlan
    return [paint('bold', 'This is what you approve:'), ...planCalls(asked), ...summaryLines(asked, plan)].join('\n')
  }

  #callText({ steps, reason, asked }: WaitingApproval): string {
    if (asked === undefined) return ''
    const args = JSON.parse(asked.args) as unknown
    const view = toolsByName(this.#runs.environment.fleet.views()).get(asked.tool)
    const cost = view === undefined ? '' : costText(view, [args])
    return [
      `${paint('bold', `Step ${steps.join(', ')} needs its own approval`)}: ${wrap(oneLine(reason, 400), 2).trimStart()}`,
      wrapNamed('cyan', approvalTool(asked), cost === '' ? '' : `  ${cost}`, 2),
      ...foreignJson(args),
      ...summaryLines(asked, undefined),
    ].join('\n')
  }
}
