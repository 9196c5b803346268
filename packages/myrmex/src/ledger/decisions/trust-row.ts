/** A decision about a definition as the store has it, and who made it. */
import type { Tool } from '../../tool/tool.ts'
import type { RowSignature } from '../operator/signed-row.ts'
import type { Definition } from './grants.ts'

export type TrustLevel = 'untrusted' | 'verified' | 'trusted'

/** A decision about one version of a tool. It is valid only for the definition with this hash. */
export interface TrustRow extends Definition, RowSignature {
  readonly level: TrustLevel
  readonly set_by: string
  readonly set_at: number
}

/** A definition that a server has had. */
export interface DefinitionRow extends Definition {
  readonly origin: Tool['origin']
  /** canonical JSON of all that a caller can see */
  readonly body: string
  /** as the server of the tool reported it when this was last seen; null: it reported none, or the tool has its own */
  readonly server_version: string | null
  readonly first_seen: number
  readonly last_seen: number
  /** when its upstream was first seen to list it no longer; null: it is listed */
  readonly gone_at: number | null
}

/** `set_by` of a pin about which nobody has decided. */
export const FIRST_SIGHT = 'first sight'
/** The same for a definition that appeared after its server had been listed for the first time: no file decides about it. */
export const LATE_SIGHT = 'seen after the first listing'

/** Nobody has decided: neither a person nor a file. */
export const isUndecided = ({ set_by }: TrustRow): boolean => set_by === FIRST_SIGHT || set_by === LATE_SIGHT

/** `set_by` and `granted_by` of what the host's configuration says. */
export const BY_CONFIGURATION = 'myrmex.json'

/** A person, or a program that has opened the ledger, decided against it. A level that the file does not give is no refusal. */
export const isRefused = (row: TrustRow): boolean =>
  row.level === 'untrusted' && !isUndecided(row) && row.set_by !== BY_CONFIGURATION

/** How the names of the rows of `ConfiguredLevels` begin. No definition has such a name. */
export const LEVEL_PREFIX = 'configured:'

export const TRUST_COLUMNS = 'tool, version, hash, level, set_by, set_at, signed_by, signature'
