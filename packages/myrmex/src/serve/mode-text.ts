/** Tells the person who starts a server whether decisions need the operator's signature, and how to use the API. */
import type { Ledger } from '../ledger/ledger.ts'

export const modeText = ({ lock }: Ledger): string =>
  lock.isLocked
    ? `locked with the operator's key ${lock.keyId}: decisions need your passphrase`
    : 'open mode: any process of this user can approve and trust; to lock the ledger: npx myrmex operator init'

export const apiText = (api: string, { lock }: Ledger): string =>
  lock.isLocked
    ? `the operator's API is at ${api}; your passphrase opens a session (openSession of myrmex/api)`
    : `the operator's API is at ${api}; its token is in .myrmex/host/api.json`
