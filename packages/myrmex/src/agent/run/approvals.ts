/**
 * Approvals of a run. Approving the plan allows its state-changing steps with the arguments that were shown, for this run and these
 * definitions only (plan-cover.ts). Other arguments, and calls that a policy rule or a constitution article reserves, need an approval of
 * their own.
 */
import type { Approval, ExactCall } from '../../ledger/decisions/approvals.ts'
import { canonical } from '../../protocol/canonical.ts'
import type { ErrorDetail } from '../../protocol/envelope.ts'
import { isObject } from '../../protocol/json.ts'
import { sha256 } from '../../tool/hash.ts'
import { PLAN_NAME } from '../../tool/name.ts'
import type { Step } from '../plan/plan.ts'
import type { ActiveRun } from './active-run.ts'
import { recordBudgetDecision } from './budget-request.ts'
import { type ApprovalRequest, openApprovals } from './journal/state.ts'
import { shownPlan } from './plan-cover.ts'

/** Steps of the plan that change something and that no standing grant covers. */
export async function stepsToApprove(run: ActiveRun): Promise<Step[]> {
  const { tools, plan } = run.state
  const { grants } = run.ledger
  const found: Step[] = []
  for (const step of plan?.steps ?? []) {
    const tool = tools[step.tool]
    if (tool === undefined || !tool.destructive) continue
    const definition = { tool: step.tool, version: tool.version, hash: tool.hash }
    if ((await grants.covering(definition, run.settings.principal.id)) === undefined) found.push(step)
  }
  return found
}

export async function approvePlan(run: ActiveRun): Promise<'approved' | 'waiting' | 'refused'> {
  const { state } = run
  const steps = await stepsToApprove(run)
  const call = exactly(run)
  // The journal of the run says so, but the approval is for something else: nothing is covered by it.
  if (state.planApproval !== undefined && !(await isFor(run, state.planApproval, call))) state.planApproval = undefined
  if (steps.length === 0 || state.planApproval !== undefined) return 'approved'
  return run.settings.approve === 'never' ? 'refused' : untilDecided(run, call, steps)
}

async function untilDecided(
  run: ActiveRun,
  call: ExactCall,
  steps: readonly Step[],
): Promise<'approved' | 'waiting' | 'refused'> {
  for (;;) {
    const asked = lastRequest(run)
    if (asked === undefined || asked.status === 'expired') await requestPlan(run, call, steps)
    else if (asked.status === 'denied') return 'refused'
    else if (asked.status === 'approved') {
      if (await isFor(run, asked.approval, call)) return 'approved'
      await requestPlan(run, call, steps)
    } else if (run.halt !== undefined) return 'waiting'
    else {
      await recordDecisions(run)
      if (lastRequest(run)?.status === 'waiting') return 'waiting'
    }
  }
}

const lastRequest = ({ state }: ActiveRun): ApprovalRequest | undefined =>
  state.approvalRequests.findLast(({ about }) => about === 'plan')

/** The approval was given for this plan of this run, and is not just named in the run's journal. */
async function isFor({ ledger }: ActiveRun, id: string, call: ExactCall): Promise<boolean> {
  const given = await ledger.approvals.find(id)
  return given?.tool === call.tool && given.args_hash === call.args_hash && given.principal === call.principal
}

/**
 * In a locked ledger the approval of a plan counts only with the operator's signature. The events of a run are not signed, so that
 * a plan that they call approved is approved only if the approval itself says so. Otherwise it is asked for again.
 */
export async function discardForgedApproval(run: ActiveRun): Promise<void> {
  const { state, ledger } = run
  if (state.planApproval === undefined || !ledger.lock.isLocked) return
  const used = await ledger.approvals.usedBy(exactly(run), run.id)
  if (used?.id === state.planApproval) return
  const forged = state.approvalRequests.find(({ approval }) => approval === state.planApproval)
  state.planApproval = undefined
  if (forged !== undefined) forged.status = 'expired'
}

async function requestPlan(run: ActiveRun, call: ExactCall, steps: readonly Step[]): Promise<void> {
  const reason = `the plan of run ${run.id} has ${steps.length} ${steps.length === 1 ? 'step that changes' : 'steps that change'} something`
  const { id: approval } = await run.ledger.approvals.request(call, canonical(shownPlan(run)), reason)
  await run.journal.write('asked', { approval, about: 'plan', reason, steps: steps.map(({ id }) => id) })
}

/** The plan of this run with these definitions and this budget, and no other. */
function exactly(run: ActiveRun): ExactCall {
  const { plan, tools } = run.state
  const hash = sha256(canonical(plan))
  return {
    tool: PLAN_NAME,
    version: '1.0.0',
    hash,
    args_hash: sha256(canonical({ run: run.id, plan: hash, tools, budget: run.settings.budget })),
    principal: run.settings.principal.id,
  }
}

/** Records that a step waits for its own approval. Returns an error if nobody may be asked. */
export async function requestStepApproval(
  run: ActiveRun,
  step: Step,
  { approval, isElsewhere }: { readonly approval: string; readonly isElsewhere: boolean },
  error: ErrorDetail,
): Promise<ErrorDetail | undefined> {
  if (run.settings.approve === 'never') {
    return {
      ...error,
      error_message: `${error.error_message} The run was started with --approve never, so nobody is asked.`,
    }
  }
  const ofStep = run.state.approvalRequests.filter(
    (asked) => (asked.elsewhere === true) === isElsewhere && asked.about === 'step' && asked.steps.includes(step.id),
  )
  const known = ofStep.find((asked) => asked.approval === approval)
  if (known !== undefined) known.status = 'waiting'
  else {
    const found = isElsewhere ? undefined : await run.ledger.approvals.find(approval)
    const reason = found?.reason ?? error.error_message
    const asked = { approval, about: 'step' as const, reason, steps: [step.id], ...(isElsewhere && keeper(run, step)) }
    await run.journal.write('asked', asked, { step: step.id })
  }
  return undefined
}

/** The error of a step whose agent was asked again, and says that the call was denied there. */
export function deniedElsewhere(
  { state }: ActiveRun,
  step: Step,
  { error_details }: ErrorDetail,
): ErrorDetail | undefined {
  const denied = isObject(error_details) && isObject(error_details.denied) ? error_details.denied : undefined
  const asked = state.approvalRequests.find((one) => one.elsewhere === true && one.approval === denied?.approval)
  if (asked === undefined) return undefined
  const { approval, reason } = asked
  const note = typeof denied?.note === 'string' ? `: ${denied.note}` : ''
  const error_message = `${step.id} was not run: approval ${approval} (${reason}) was denied in the ledger of ${step.agent}${note}.`
  return { error_type: 'PermissionError', error_message, error_details: { approval } }
}

/** Whose ledger has an approval that a step waits for elsewhere. */
function keeper({ environment }: ActiveRun, { agent }: Step) {
  const ledger = environment.fleet.agents.find(({ name }) => name === agent)?.ledger
  return { elsewhere: true as const, agent, ...(ledger !== undefined && { ledger }) }
}

/** Records decisions made since the last look. A denied step has failed. */
export async function recordDecisions(run: ActiveRun): Promise<void> {
  for (const asked of openApprovals(run.state))
    await (asked.about === 'budget' ? recordBudgetDecision(run, asked) : look(run, asked))
}

async function look(run: ActiveRun, asked: ApprovalRequest): Promise<void> {
  const { approval, about, steps, reason } = asked
  const { approvals } = run.ledger
  // A remote agent asks in its own ledger. Calling the step again tells whether it was approved.
  if (asked.elsewhere) return againLater(asked)
  const found = await decision(run, asked)
  if (found === undefined) return about === 'step' ? againLater(asked) : undefined
  if (found.status === 'waiting') return
  const by = found.decided_by ?? ''
  const note = found.note ?? ''
  const step = about === 'step' ? (steps[0] as string) : null
  if (found.status === 'denied') {
    await run.journal.write('decided', { approval, about, status: 'denied', by, note }, { step })
    if (step === null) return
    const error_message = `${step} was not run: approval ${approval} (${reason}) was denied by ${by}${note && `: ${note}`}.`
    const error = { error_type: 'PermissionError', error_message, error_details: { approval } }
    return run.journal.write('failed', { error }, { step })
  }
  if (about === 'plan' && found.status === 'approved') {
    // It may be used already, by an earlier process of this run. A process that died may have asked for the same plan, so that there
    // are two approvals: its steps are recorded under this one.
    const used = (await approvals.useThis(approval, run.id)) ?? (await approvals.find(approval))
    if (used?.used_by !== run.id) return
  }
  const isApproved =
    found.status !== 'expired' && (about === 'step' || found.status === 'approved' || found.used_by === run.id)
  await run.journal.write(
    'decided',
    { approval, about, status: isApproved ? 'approved' : 'expired', by, note },
    { step },
  )
}

/** With --approve all, an open approval of this run is decided here. */
async function decision(run: ActiveRun, asked: ApprovalRequest): Promise<Approval | undefined> {
  const { settings, ledger, environment } = run
  const { approvals, lock } = ledger
  const id = asked.approval
  const found = await approvals.find(id)
  if (found?.status !== 'waiting' || settings.approve !== 'all' || !isOfRun(run, asked, found)) return found
  const { signer } = environment
  // In a locked ledger only the process that asked for the passphrase can approve. Elsewhere the approval waits for a person.
  if (lock.isLocked && signer === undefined) return found
  const name = `${settings.principal.id}, by --approve all`
  try {
    return await approvals.approve(id, signer === undefined ? name : { name, from: 'cli', signer })
  } catch (thrown) {
    // Another process decided first, and its decision holds.
    const now = await approvals.find(id)
    if (now?.status === 'waiting') throw thrown
    return now
  }
}

/** A step may wait for the approval of another tool, which its tool calls. It is of the same principal. */
function isOfRun(run: ActiveRun, { about }: ApprovalRequest, { tool, principal, args_hash }: Approval): boolean {
  // A person who approved every call in advance has set the budget, too.
  if (principal !== run.settings.principal.id || about === 'budget') return false
  return about === 'step' || (tool === PLAN_NAME && args_hash === exactly(run).args_hash)
}

/** The requests of an ended run no longer need a decision. Another caller may still wait for the one of a step. */
export async function withdrawRequests({ state, ledger }: ActiveRun): Promise<void> {
  for (const { approval, about } of openApprovals(state))
    if (about !== 'step') await ledger.approvals.withdraw(approval)
}

/** How often a step that waits in a remote ledger is called again. */
const ELSEWHERE_MS = 5000
const lookedAt = new WeakMap<ApprovalRequest, number>()

/** At once when a run is resumed, then every few seconds. Not recorded in the journal. */
function againLater(asked: ApprovalRequest): void {
  const last = lookedAt.get(asked)
  if (last !== undefined && Date.now() - last < ELSEWHERE_MS) return
  lookedAt.set(asked, Date.now())
  asked.status = 'expired'
}
