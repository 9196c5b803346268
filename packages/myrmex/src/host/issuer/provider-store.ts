/**
 * Keeps what oidc-provider has to keep in the ledger, so that it survives a restart and several processes can serve one issuer. A code or a
 * refresh token that is used twice, even at the same time, revokes everything of its grant.
 */
import type { IssuerRecords } from '../../ledger/sign-in/issuer-records.ts'

type Payload = Record<string, unknown>

/** A client that nobody signs in with is forgotten after a day. */
const NEW_CLIENT_MS = 24 * 3_600_000
const USED_CLIENT_MS = 180 * 24 * 3_600_000
/** More clients than this register only if somebody floods the host. Those that were unused longest make room for honest ones. */
const MAX_CLIENTS = 5000

/** Records that show that a client is in use. */
const USES: ReadonlySet<string> = new Set(['Grant', 'RefreshToken'])
/** Records that belong to a grant. */
const OF_GRANT: ReadonlySet<string> = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])

/** The interface that oidc-provider wants. */
export class ProviderStore {
  readonly #records: IssuerRecords
  readonly #kind: string
  readonly #reuse: () => Error

  /** `reuse` is thrown for a code or token that another request has used. */
  constructor(records: IssuerRecords, kind: string, reuse: () => Error) {
    this.#records = records
    this.#kind = kind
    this.#reuse = reuse
  }

  async upsert(id: string, payload: Payload, expiresIn: number | undefined): Promise<void> {
    const kind = this.#kind
    if (kind === 'Client') await this.#records.makeRoom(kind, MAX_CLIENTS)
    const lifetime = kind === 'Client' ? NEW_CLIENT_MS : expiresIn && expiresIn * 1000
    const { grantId, uid, accountId, clientId } = payload
    const session = payload.session as Payload | undefined
    await this.#records.put(kind, id, JSON.stringify(payload), lifetime, {
      grant: OF_GRANT.has(kind) ? asText(grantId) : undefined,
      uid: asText(uid),
      user: asText(accountId) ?? asText(session?.accountId),
    })
    if (USES.has(kind) && typeof clientId === 'string') await this.#records.extend('Client', clientId, USED_CLIENT_MS)
  }

  async find(id: string): Promise<Payload | undefined> {
    return read(await this.#records.find(this.#kind, id))
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return read(await this.#records.findByUid(this.#kind, uid))
  }

  /** Device codes are not issued. */
  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  async consume(id: string): Promise<void> {
    if (await this.#records.consume(this.#kind, id)) return
    const grant = asText((await this.find(id))?.grantId)
    if (grant !== undefined) await this.#records.revokeGrant(grant)
    throw this.#reuse()
  }

  async destroy(id: string): Promise<void> {
    await this.#records.remove(this.#kind, id)
  }

  async revokeByGrantId(grant: string): Promise<void> {
    await this.#records.revokeGrant(grant)
  }
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function read(record: { body: string; consumed_at: number | null } | undefined): Payload | undefined {
  if (record === undefined) return undefined
  const payload = JSON.parse(record.body) as Payload
  return record.consumed_at === null ? payload : { ...payload, consumed: record.consumed_at }
}
