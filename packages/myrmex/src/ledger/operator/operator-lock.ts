/**
 * Whether a ledger is locked: then a decision that raises rights counts only with a signature of the operator's key. The key is the
 * one in the signed mark when this process opened the ledger, and stays the same until it ends: nothing that is written to the store
 * later changes which signatures count here.
 */
import type { KeyObject } from 'node:crypto'
import { crypto } from '../../protocol/builtin.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { Decider } from '../journal/decision.ts'
import type { LockFiles } from '../journal/noted-mark.ts'
import { fingerprint, type OperatorSigner, operatorKeyId, publicKeyOf } from './operator-key.ts'
import { decisionText, type RowSignature, type SignedTable, UNSIGNED } from './signed-row.ts'

/** What the mark says. */
export interface LockState {
  /** the id of the journal, which is the ledger's identity */
  readonly ledger: string
  /** the bytes of the public key, base64url */
  readonly operator: string | undefined
}

/** Most ledgers have fewer decisions. */
const MAX_VERIFIED = 20_000

export class OperatorLock {
  /** undefined: open mode */
  readonly keyId: string | undefined
  readonly fingerprint: string | undefined
  /** beside the ledger's key; undefined: a ledger in memory, or one that was opened without its key */
  readonly files: LockFiles | undefined
  /** called once for each row that would raise rights and has no valid signature */
  onUnsigned: ((table: SignedTable, row: object) => void) | undefined
  /**
   * Open mode only: whether myrmex.json may trust an upstream's tools that change state. A program that opens a host decides itself; the
   * `myrmex` command wants `--open`, because any process of the user can approve their calls.
   */
  fileMayTrust = true
  readonly #key: KeyObject | undefined
  readonly #ledger: string
  /** by the signed text and the signature */
  readonly #verified = new Map<string, boolean>()

  constructor(state?: LockState, files?: LockFiles) {
    const { ledger = '', operator } = state ?? {}
    this.#ledger = ledger
    this.files = files
    if (operator === undefined) return
    this.#key = publicKeyOf(operator)
    this.keyId = operatorKeyId(operator)
    this.fingerprint = fingerprint(operator)
  }

  /** where the encrypted private key is */
  get file(): string | undefined {
    return this.files?.operatorKey
  }

  get isLocked(): boolean {
    return this.keyId !== undefined
  }

  /** Whether a row that raises rights counts. In open mode every row does. */
  accepts(table: SignedTable, row: RowSignature): boolean {
    if (this.keyId === undefined) return true
    const text = decisionText(this.#ledger, table, row)
    const name = `${row.signed_by} ${row.signature} ${text}`
    const known = this.#verified.get(name)
    if (known !== undefined) return known
    const fits = this.#verify(text, row)
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear()
    this.#verified.set(name, fits)
    if (!fits) this.onUnsigned?.(table, row)
    return fits
  }

  #verify(text: string, { signed_by, signature }: RowSignature): boolean {
    if (signed_by !== this.keyId || signature === null || this.#key === undefined) return false
    const bytes = Buffer.from(String(signature), 'base64')
    // Decoding ignores invalid characters: only the canonical text of these bytes is accepted.
    if (bytes.toString('base64') !== signature) return false
    return crypto.verify(null, Buffer.from(text), this.#key, bytes)
  }

  /** Throws PermissionError if the ledger is locked and the decider has not unlocked the operator's key. */
  requireSigner(by: Decider): OperatorSigner | undefined {
    if (this.keyId === undefined) return undefined
    const signer = typeof by === 'string' ? undefined : by.signer
    if (signer === undefined)
      throw ToolError.of(
        'PermissionError',
        "This ledger is locked with the operator's key: decisions that raise rights need the operator's passphrase. Decide with " +
          'the myrmex command in a terminal, or in a session of the API (openSession of myrmex/api).',
      )
    if (signer.id !== this.keyId)
      throw ToolError.of(
        'PermissionError',
        `The operator's key was replaced: ${signer.id} was unlocked, and this process started with ${this.keyId}. Restart it.`,
      )
    return signer
  }

  /** The signature of a row as it will be stored; none in open mode. */
  sign(table: SignedTable, row: object, by: Decider): RowSignature {
    const signer = this.requireSigner(by)
    if (signer === undefined) return UNSIGNED
    return { signed_by: signer.id, signature: signer.sign(decisionText(this.#ledger, table, row)) }
  }

  /** The same ledger with another key; see operator-admin.ts. */
  withKey(operator: string): OperatorLock {
    return new OperatorLock({ ledger: this.#ledger, operator }, this.files)
  }

  get ledger(): string {
    return this.#ledger
  }
}
