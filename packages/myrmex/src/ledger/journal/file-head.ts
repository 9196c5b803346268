/** What an export made with --proof says before its chains: keys, the mark, and what retention removed. Its signatures are checked. */
import { DefectError } from './defect.ts'
import { type BreakEntry, FORMAT } from './entry.ts'
import { KeyRing, parseTrustedKey, type TrustedKey } from './keyring.ts'
import { type Mark, markFault, parseMark } from './mark.ts'
import type { ProofLine, ProofOf } from './proof.ts'
import { Removals } from './removals.ts'
import { parseStub, stubFault } from './stub.ts'

/** A file with more of them was not exported from a journal. */
const MAX_KEYS = 1000
export const MAX_CHAINS = 1_000_000

export class FileHead {
  readonly ring: KeyRing
  readonly breaks: BreakEntry[] = []
  isComplete = true
  /** without chains if the file has no mark: then it can have none either */
  mark: Mark = { journal: '', version: 0, time: 0, chains: {} }
  removals = new Removals()
  /** how far the file is; parts come in this order */
  #part: 'start' | 'keys' | 'mark' | 'stub' = 'start'
  #keys: string[] = []

  constructor(trustedKeys: readonly TrustedKey[] | undefined) {
    this.ring = new KeyRing(trustedKeys)
  }

  /** Whether chains may follow. */
  get hasMark(): boolean {
    return this.#part === 'mark' || this.#part === 'stub'
  }

  get isBegun(): boolean {
    return this.#part !== 'start'
  }

  /** False if the line is not one that belongs here. */
  async take(line: ProofLine): Promise<boolean> {
    if (line.proof === 'journal') return this.#journal(line)
    if (line.proof === 'key') return this.#key(line)
    if (line.proof === 'mark') return this.#readMark(line)
    return line.proof === 'stub' && this.#readStub(line)
  }

  #journal({ format, complete }: ProofOf<'journal'>): boolean {
    if (this.#part !== 'start') return false
    if (format > FORMAT) {
      const why = `the file was written by a newer Myrmex (format ${format}, this one reads ${FORMAT})`
      throw new DefectError('format', why)
    }
    this.isComplete = complete
    this.#part = 'keys'
    return true
  }

  #key({ key_id, public_key }: ProofOf<'key'>): boolean {
    const isNext = key_id > (this.#keys.at(-1) ?? '') && this.#keys.length < MAX_KEYS
    if (this.#part !== 'keys' || !isNext || !isKey(key_id, public_key)) return false
    this.#keys.push(key_id)
    this.ring.add(key_id, public_key)
    return true
  }

  async #readMark({ proof: _, ...signed }: ProofOf<'mark'>): Promise<boolean> {
    if (this.#part !== 'keys') return false
    const fault = await markFault(this.ring, signed)
    const mark = parseMark(signed.body)
    if (fault !== undefined || mark === undefined)
      throw new DefectError('mark', `the mark of the journal was altered or forged: its signature ${fault}`)
    this.mark = mark
    this.#part = 'mark'
    return true
  }

  async #readStub({ proof: _, ...signed }: ProofOf<'stub'>): Promise<boolean> {
    if (this.#part !== 'mark' || !this.isComplete) return false
    const fault = await stubFault(this.ring, signed)
    const stub = parseStub(signed.body)
    if (fault !== undefined || stub === undefined)
      throw new DefectError('stub', `the stub of what retention removed was altered or forged: its signature ${fault}`)
    if (stub.journal !== this.mark.journal)
      throw new DefectError('stub', 'the stub of what retention removed is that of another journal')
    this.removals = new Removals(stub)
    this.#part = 'stub'
    return true
  }

  /** A line that outlived its segment. False if there can be none. */
  keep(line: string): boolean {
    if (this.#part !== 'stub') return false
    const entry = this.removals.keep(line)
    if (entry?.kind === 'break') this.breaks.push(entry)
    return this.removals.goneCount <= MAX_CHAINS
  }
}

/** Exactly as the ledger writes it: an id is made from the key, but not from spaces around it. */
function isKey(id: string, publicKey: string): boolean {
  try {
    const { id: own, publicPem } = parseTrustedKey(publicKey)
    return own === id && publicPem === publicKey
  } catch {
    return false
  }
}
