/**
 * `myrmex approvals approve|deny ID…`: one decision per approval. One that fails does not stop the others. An approval is shown before it
 * is decided, in both modes:
 *
 * 1. open mode, at a terminal: each call is shown and asked for.
 * 2. open mode, without a terminal: each call is printed and approved. Scripts do that.
 * 3. locked ledger: each call is shown, and the passphrase approves them. Several calls, and a call that is longer than the screen, are asked
 *    for one by one before.
 */
import type { Approval } from '../../ledger/decisions/approvals.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type AskLine, askOnStdin, confirmShown, exceedsScreen, isAtTerminal } from '../../serve/confirm.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal, type SecretTerminal } from '../../serve/secret-terminal.ts'
import { fail, paint, print, say, wrap } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { approvalScreen, approvalSubject, shortArguments } from './approval-screen.ts'
import { planOf } from './plan-approval.ts'
import { findApproval } from './show.ts'

/** How a person is asked. Tests replace it. */
interface ApprovalPrompts {
  /** the terminal for the passphrase, and for questions in a locked ledger */
  readonly open: () => Promise<SecretTerminal>
  /** questions in open mode; undefined: there is no terminal, and nothing is asked */
  readonly ask: AskLine | undefined
}

export async function decideApprovals(
  what: 'approve' | 'deny',
  ids: readonly string[],
  options: LedgerFlags & { note?: string },
  { open = openSecretTerminal, ask = isAtTerminal() ? askOnStdin : undefined }: Partial<ApprovalPrompts> = {},
): Promise<void> {
  await withLedger(options, 'decide', async (ledger) => {
    const { approvals } = ledger
    const { note } = options
    if (what === 'deny')
      return decideEach(ids, async (id) => {
        const denied = await approvals.deny(id, cliOperator(), note)
        const plan = await planOf(ledger, denied)
        print([decisionText(denied, approvalSubject(denied, plan)), ...(plan ? [] : shortArguments(denied))].join('\n'))
      })
    const chosen = ledger.lock.isLocked
      ? await atSecretTerminal(open, (terminal) => choose(ledger, ids, terminal))
      : await choose(ledger, ids, ask)
    if (chosen.length === 0) return
    const by = await cliDecider(ledger, 'to sign this decision', open)
    await decideEach(chosen, async (one) => {
      const approved = await approvals.approve(one.id, by, note, one)
      print(decisionText(approved, approvalSubject(approved, await planOf(ledger, approved))))
    })
  })
}

/** Shows each approval, asks where that is needed, and returns those that are to be approved. */
async function choose(
  ledger: Ledger,
  ids: readonly string[],
  terminal: SecretTerminal | AskLine | undefined,
): Promise<Approval[]> {
  const chosen: Approval[] = []
  const wanted = new Set(ids)
  await decideEach(wanted, async (id) => {
    const approval = await findApproval(ledger, id)
    if (approval.status !== 'waiting')
      throw ToolError.of('ValidationError', `Approval ${id} is ${approval.status} and can no longer be decided.`)
    const plan = await planOf(ledger, approval)
    const screen = approvalScreen(approval, plan)
    print(screen.join('\n'))
    const shown = { lines: screen.length, name: plan === undefined ? 'This call' : 'This plan', word: id }
    const ask = questioner(screen, terminal, wanted.size > 1)
    const question = `Approve ${shown.name.toLowerCase()}?`
    if (ask === undefined || (await confirmShown(question, shown, ask))) chosen.push(approval)
    else {
      say(`${id} was not approved; it still waits`)
      process.exitCode = 1
    }
  })
  return chosen
}

/** Undefined: nothing is asked, because the passphrase is the answer or there is no terminal. */
function questioner(
  screen: readonly string[],
  terminal: SecretTerminal | AskLine | undefined,
  isOneOfMany: boolean,
): AskLine | undefined {
  if (typeof terminal !== 'object') return terminal
  // What is signed must be seen, also if stdout goes to a file.
  if (!process.stdout.isTTY) for (const line of screen) terminal.tell(line)
  return isOneOfMany || exceedsScreen(screen.length) ? (question) => terminal.ask(question, true) : undefined
}

async function atSecretTerminal<T>(
  open: () => Promise<SecretTerminal>,
  work: (terminal: SecretTerminal) => Promise<T>,
): Promise<T> {
  const terminal = await open()
  try {
    return await work(terminal)
  } finally {
    terminal.close()
  }
}

async function decideEach<T>(all: Iterable<T>, decide: (one: T) => Promise<void>): Promise<void> {
  for (const one of new Set(all)) {
    try {
      await decide(one)
    } catch (error) {
      // Other approvals can still be decided, but a ledger that fails will fail again.
      if (!(error instanceof ToolError) || error.error_type !== 'ValidationError') throw error
      process.exitCode = fail(error).exitCode
    }
  }
}

function decisionText({ id, status, expires_at }: Approval, subject: string): string {
  const isApproved = status === 'approved'
  const terms = isApproved ? `; valid once, until ${localTime(expires_at)}` : ''
  const text = wrap(`${id}: ${subject}${terms}`, status.length + 2).trimStart()
  return `${paint(isApproved ? 'green' : 'red', status)}  ${text}`
}
