/** Approvals for those who decide: the arguments as values, and what the tool says of itself. */

import type { Ledger } from '../ledger.ts'
import type { Approval } from './approvals.ts'

/** For programs. */
export const approvalJson = ({ args, ...rest }: Approval) => ({ ...rest, args: JSON.parse(args) as unknown })

/** What the definition that is asked about says it does; undefined where that definition is not known. */
export async function describedEffect({ trust }: Ledger, { tool, hash }: Approval): Promise<string | undefined> {
  const definition = (await trust.definitions(tool)).find((one) => one.hash === hash)
  return definition === undefined ? undefined : (JSON.parse(definition.body) as { description: string }).description
}
