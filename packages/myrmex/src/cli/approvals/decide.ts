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
import { approveCall, type GrantWithApproval, refuseGrant } from '../../ledger/decisions/approve-call.ts'
import type { ArgumentEdit } from '../../ledger/decisions/edited-arguments.ts'
import { cliOperator } from '../../ledger/decisions/operator-name.ts'
import { tooLate } from '../../ledger/decisions/too-late.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { ToolError } from '../../protocol/errors.ts'
import { cliDecider } from '../../serve/cli-decider.ts'
import { type AskLine, askOnStdin, confirmShown, exceedsScreen, isAtTerminal } from '../../serve/confirm.ts'
import { type LedgerFlags, withLedger } from '../../serve/ledger.ts'
import { openSecretTerminal, type SecretTerminal } from '../../serve/secret-terminal.ts'
import { fail, oneLine, paint, print, say, wrap } from '../../serve/terminal.ts'
import { localTime } from '../audit/format.ts'
import { parseExpiry } from '../time-span.ts'
import { approvalScreen, approvalSubject, approvalTool, shortArguments } from './approval-screen.ts'
import { type ChangeFlags, changedArguments, changeLines, wantsChange } from './changed-arguments.ts'
import { planOf } from './plan-approval.ts'
import { findApproval } from './show.ts'

/** How a person is asked. Tests replace it. */
interface ApprovalPrompts {
  /** the terminal for the passphrase, and for questions in a locked ledger */
  readonly open: () => Promise<SecretTerminal>
  /** questions in open mode; undefined: there is no terminal, and nothing is asked */
  readonly ask: AskLine | undefined
}

export interface DecideOptions extends LedgerFlags, ChangeFlags {
  note?: string
  grant?: boolean
  until?: string
  for?: string
  open?: boolean
}

/** An approval that a person is asked about, with what is to be decided besides. */
interface ChosenApproval {
  readonly approval: Approval
  readonly edit: ArgumentEdit | undefined
  readonly grant: GrantWithApproval | undefined
}

export async function decideApprovals(
  what: 'approve' | 'deny',
  ids: readonly string[],
  options: DecideOptions,
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
    const wanted = await prepare(ledger, ids, options)
    const chosen = ledger.lock.isLocked
      ? await atSecretTerminal(open, (terminal) => choose(ledger, wanted, terminal))
      : await choose(ledger, wanted, ask)
    if (chosen.length === 0) return
    const by = await cliDecider(ledger, 'to sign this decision', open)
    await decideEach(chosen, async ({ approval, edit, grant }) => {
      const approved = await approveCall(ledger, approval, by, { note, shown: approval, edit, grant })
      print(decisionText(approved, approvalSubject(approved, await planOf(ledger, approved))))
      if (edit !== undefined)
        print(`  ${wrap(`runs with the changed arguments: ${oneLine(edit.args, 300)}`, 2).trimStart()}`)
      if (grant !== undefined) print(`  ${wrap(grantText(approved, grant), 2).trimStart()}`)
    })
  })
}

/** Finds what is to be decided, and lets the person change arguments. Before a terminal is opened for the passphrase: the editor needs it. */
async function prepare(
  ledger: Ledger,
  ids: readonly string[],
  options: DecideOptions,
): Promise<readonly ChosenApproval[]> {
  const all = new Set(ids)
  if (wantsChange(options) && all.size > 1)
    throw ToolError.of('ValidationError', 'Arguments can be changed of one call at a time. Name one approval.')
  if (!options.grant && (options.until ?? options.for ?? options.open) !== undefined)
    throw ToolError.of('ValidationError', '--until, --for and --open are about a grant. Add --grant.')
  const found: ChosenApproval[] = []
  await decideEach(all, async (id) => {
    const approval = await findApproval(ledger, id)
    if (approval.status !== 'waiting') throw tooLate(id, approval)
    const grant = options.grant ? grantOf(approval, options) : undefined
    if (grant !== undefined) await refuseGrant(ledger, approval, grant)
    const edit = wantsChange(options) ? await changedArguments(ledger, approval, options) : undefined
    found.push({ approval, edit, grant })
  })
  return found
}

const grantOf = ({ principal }: Approval, { until, for: whose = principal, open = false }: DecideOptions) => ({
  until: until === undefined ? undefined : parseExpiry(until),
  principal: whose === '*' ? undefined : whose,
  open,
  how: 'add --open',
})

const grantText = (approval: Approval, { until, principal }: GrantWithApproval): string =>
  `grant: ${principal === undefined ? 'everybody' : oneLine(principal, 60)} may call ${approvalTool(approval)} without approval${until === undefined ? '' : ` until ${localTime(until)}`}`

/** Shows each approval, asks where that is needed, and returns those that are to be approved. */
async function choose(
  ledger: Ledger,
  wanted: readonly ChosenApproval[],
  terminal: SecretTerminal | AskLine | undefined,
): Promise<ChosenApproval[]> {
  const chosen: ChosenApproval[] = []
  for (const one of wanted) {
    const { approval, edit, grant } = one
    const { id } = approval
    const plan = await planOf(ledger, approval)
    const screen = [
      ...approvalScreen(approval, plan),
      ...(edit === undefined ? [] : ['', ...changeLines(approval, edit)]),
      ...(grant === undefined ? [] : ['', wrap(grantText(approval, grant), 2).trimStart()]),
    ]
    print(screen.join('\n'))
    const name = plan === undefined ? 'This call' : 'This plan'
    const ask = questioner(screen, terminal, wanted.length > 1)
    const question = `Approve ${name.toLowerCase()}${edit === undefined ? '' : ' with the changed arguments'}?`
    if (ask === undefined || (await confirmShown(question, { lines: screen.length, name, word: id }, ask)))
      chosen.push(one)
    else {
      say(`${id} was not approved; it still waits`)
      process.exitCode = 1
    }
  }
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
