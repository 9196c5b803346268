/** Which unsigned decisions with the name of myrmex.json are what the file gives now, by the same rule that the host applies. */
import { serverOfDefinition } from '../../ledger/decisions/definition-server.ts'
import type { Definition } from '../../ledger/decisions/grants.ts'
import { BY_CONFIGURATION } from '../../ledger/decisions/trust-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { UnsignedDecisions } from '../../ledger/operator/operator-admin.ts'
import { isObject, parseJson } from '../../protocol/json.ts'
import type { ConfiguredTrust } from '../settings.ts'
import { levelFor } from './configured-level.ts'

export interface GivenByConfig extends UnsignedDecisions {
  /** decisions with the file's name that the file does not give */
  readonly other: UnsignedDecisions
}

/** `configured` has what the file gives each server. */
export async function givenByConfig(
  ledger: Ledger,
  unsigned: UnsignedDecisions,
  configured: ReadonlyMap<string, ConfiguredTrust>,
): Promise<GivenByConfig> {
  const named = {
    trust: unsigned.trust.filter(({ set_by }) => set_by === BY_CONFIGURATION),
    grants: unsigned.grants.filter(({ granted_by }) => granted_by === BY_CONFIGURATION),
  }
  const bodies = new Map((await ledger.trust.definitions()).map((row) => [nameOf(row), parseJson(row.body)]))
  const givenLevel = (definition: Definition): string | undefined => {
    const body = bodies.get(nameOf(definition))
    return isObject(body) ? levelFor({ destructive: body.destructive === true }, trustFor(definition)) : undefined
  }
  const trustFor = ({ tool }: Definition): ConfiguredTrust => configured.get(serverOfDefinition(tool)) ?? 'none'
  const trust = Object.groupBy(named.trust, (row) => (givenLevel(row) === row.level ? 'given' : 'other'))
  const grants = Object.groupBy(named.grants, (grant) =>
    givenLevel(grant) === 'trusted' && trustFor(grant) === 'trusted' && grant.principal === null ? 'given' : 'other',
  )
  return {
    ...{ trust: trust.given ?? [], grants: grants.given ?? [] },
    other: { trust: trust.other ?? [], grants: grants.other ?? [] },
  }
}

const nameOf = ({ tool, version, hash }: Definition): string => `${tool} ${version} ${hash}`
