/** Approvals for the person who decides: the arguments as values, and the description of the tool. */
import { coercedVersion } from '../../tool/server-version.ts'
import type { RecordedClient } from '../audit/recorded-client.ts'
import type { Ledger } from '../ledger.ts'
import type { Approval } from './approvals.ts'

/** The version for people: that of the tool's server, if the tool has none of its own. */
export const approvalVersion = ({ version, server_version }: Approval): string =>
  server_version == null ? version : coercedVersion(server_version)

/** For programs. */
export const approvalJson = (approval: Approval) => {
  const { args, client, editable, edited_args, edited_hash: _hash, signature: _, ...rest } = approval
  return {
    ...rest,
    server_version: rest.server_version ?? null,
    client: client === null ? null : (JSON.parse(client) as RecordedClient),
    args: JSON.parse(args) as unknown,
    editable: editable === 1,
    edited_args: edited_args === null ? null : (JSON.parse(edited_args) as unknown),
  }
}

/** The description in the definition that the approval is about; undefined if the definition is unknown. */
export async function describedEffect({ trust }: Ledger, { tool, hash }: Approval): Promise<string | undefined> {
  const definition = (await trust.definitions(tool)).find((one) => one.hash === hash)
  return definition === undefined ? undefined : (JSON.parse(definition.body) as { description: string }).description
}
