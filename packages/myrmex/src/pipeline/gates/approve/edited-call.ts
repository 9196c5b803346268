/**
 * Calls whose arguments a person changed before approving: the changed call runs in the place of the one that was sent, once. It is judged like
 * any call before that: by the schema, the constitution and the dry run. If one of them refuses it, the approval is not used. Secrets that
 * the person could not see come from the call itself.
 */
import type { Approval } from '../../../ledger/decisions/approvals.ts'
import { withKeptSecrets } from '../../../ledger/decisions/edited-arguments.ts'
import type { ContentBlock } from '../../../protocol/content.ts'
import { ToolError } from '../../../protocol/errors.ts'
import { issueTexts } from '../../../protocol/issue.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Call } from '../../call.ts'
import { type CallEnd, comesAgain, Outcome, refusal } from '../../outcome.ts'
import { explained } from '../dry-run.ts'
import { parseArguments } from '../validate.ts'

/** A changed call before and after the change. */
export interface EditedCall {
  readonly approval: string
  /** as the caller sent them, without secrets: canonical JSON */
  readonly sentArgs: string
  readonly sentHash: string
  /** as the person approved them, without secrets: canonical JSON */
  readonly args: string
  readonly note: string | null
}

/** Exchanges the arguments. The outcome says why the changed ones do not fit the tool. */
export function exchangeArguments(call: Call, { id, args, edited_args, note }: Approval): Outcome | undefined {
  const shown = edited_args as string
  const edited: EditedCall = { approval: id, sentArgs: args, sentHash: call.argsHash, args: shown, note }
  const next = withKeptSecrets(JSON.parse(shown), call.args ?? {})
  const { name } = call.tool
  const parsed = parseArguments(call.tool, next, call.caller.schemaSteps)
  if (parsed instanceof ToolError) return refusal('SchemaError', parsed.message)
  if (!parsed.success)
    return refusal(
      'SchemaError',
      `The arguments that the operator approved do not fit ${name}: ${issueTexts(parsed.issues)}`,
      {
        tool: name,
        approval: id,
      },
    )
  call.useArguments(next, parsed.data)
  call.note({ edited })
  return undefined
}

/** Of the arguments as they were sent: the idempotency key of a caller belongs to them. */
export const sentHashOf = (call: Call): string => call.notes.edited?.sentHash ?? call.argsHash

/** The result says what really ran: a model must not go on as if its own arguments had been used. */
export function tellEdited(call: Call, ended: CallEnd): CallEnd {
  const { edited } = call.notes
  if (edited === null || !(ended instanceof Outcome) || comesAgain(ended)) return ended
  const { approval, args, note } = edited
  const why = note === null ? '' : ` Their note: “${note}”`
  const sentence = `The operator changed the arguments before approving this call (approval ${approval}). It was called with ${args}, not with the arguments that you sent.${why}`
  const { status, data, error, explanation, content, forwarded } = explained(ended, sentence)
  // With blocks of its own, or those of another server, the explanation alone would not be read.
  const block: ContentBlock = { type: 'text', text: sentence }
  const blocks = content === null || status !== 'success' ? content : [...content, block]
  return new Outcome(status, data, error, explanation, blocks, forwarded && withBlock(forwarded, block))
}

const withBlock = (forwarded: JsonObject, block: ContentBlock): JsonObject => {
  const blocks = Array.isArray(forwarded.content) ? forwarded.content : []
  return { ...forwarded, content: [...blocks, block as unknown as JsonObject] }
}

/** For a repeated call: its result came from a call whose arguments were changed. */
export function noteRepeated(call: Call, approval: Approval | undefined): void {
  if (approval == null || approval.edited_args === null) return
  const { id, args, edited_args, note } = approval
  call.note({ edited: { approval: id, sentArgs: args, sentHash: call.argsHash, args: edited_args, note } })
}

/** For the audit: what the caller had sent. */
export const sentArguments = ({ sentArgs, sentHash }: EditedCall): JsonObject => ({
  args: sentArgs.length > LONGEST_RECORDED ? null : (JSON.parse(sentArgs) as JsonObject),
  args_hash: sentHash,
})

/** The request for approval has longer ones whole. */
const LONGEST_RECORDED = 16_384
