/**
 * Stores tokens that were just refreshed. If the ledger cannot be written now, the process keeps its lease and writes them as soon as it
 * can: another process that used the old refresh token would end the sign-in.
 */

import {
  REFRESH_LEASE_MS,
  type StoredToken,
  type TokenOwner,
  type UpstreamTokens,
} from '../../ledger/upstream-tokens.ts'
import { messageOf } from '../../protocol/errors.ts'

const RETRY_MS = 1000

export interface RefreshedTokens {
  /** what they replace */
  readonly stored: StoredToken
  readonly body: object
}

interface StoreListener {
  stored(revision: number): void
  /** somebody signed in or out meanwhile */
  replaced(): Promise<void>
}

/** Never rejects because of the ledger: the tokens are good in this process. */
export async function storeRefreshed(
  store: UpstreamTokens,
  owner: TokenOwner,
  refreshed: RefreshedTokens,
  warn: (line: string) => void,
  listener: StoreListener,
  until: number = performance.now() + REFRESH_LEASE_MS,
): Promise<void> {
  try {
    const revision = await store.finishRefresh(owner, refreshed.stored, refreshed.body)
    if (revision === undefined) await listener.replaced()
    else listener.stored(revision)
  } catch (thrown) {
    const why = messageOf(thrown)
    if (performance.now() > until)
      return warn(`the refreshed token is not stored: ${why}. After a restart, sign in again`)
    warn(`the refreshed token could not be stored yet: ${why}`)
    setTimeout(() => void storeRefreshed(store, owner, refreshed, warn, listener, until), RETRY_MS).unref()
  }
}
