/**
 * Judges the arguments that a person wants to approve in the place of others, before the approval is stored: by the schema that the tool has
 * here, the constitution and the dry run. The gates judge them again when the call comes.
 */
import type { Approval } from '../ledger/decisions/approvals.ts'
import type { ArgumentEdit } from '../ledger/decisions/edited-arguments.ts'
import { judgeBeforeApproval } from '../pipeline/gates/approve.ts'
import { Outcome } from '../pipeline/outcome.ts'
import { ToolError, toErrorDetail } from '../protocol/errors.ts'
import { META } from '../protocol/versions.ts'
import { plainCaller } from './exchange.ts'
import type { Server } from './server.ts'

/** Throws if the changed call would be refused. The gates judge the rest, which this process cannot know: a tool of another server, or a kept secret. */
export async function judgeEdited(
  { pipeline, registry }: Server,
  approval: Approval,
  edit: ArgumentEdit,
): Promise<void> {
  const { tool: name, version, hash, principal } = approval
  const tool = registry.find(name, version)
  if (edit.hash === null || tool?.hash !== hash) return
  const caller = plainCaller('direct', { id: principal, kind: 'bearer', scopes: ['*'] })
  const call = pipeline.prepare(caller, name, JSON.parse(edit.args), { [META.version]: version })
  const refused = await judgeBeforeApproval(call)
  if (refused === undefined) return
  const { error_type, error_message } =
    refused instanceof Outcome && refused.error !== null ? refused.error : toErrorDetail(refused, call.id)
  throw ToolError.of(
    'ValidationError',
    `Nothing was approved: ${name} would be refused with the changed arguments. ${error_type}: ${error_message}`,
  )
}
