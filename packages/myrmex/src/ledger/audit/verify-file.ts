/** Verifies an export made with --proof, without its ledger. The file is treated as hostile. */
import { isObject, parseJson } from '../../protocol/json.ts'
import { sealText } from './chain.ts'
import { ChainCheck, type ExpectedHead } from './chain-check.ts'
import { DefectError } from './defect.ts'
import { KeyRing, type TrustedKey } from './keyring.ts'
import { type GroupProof, type ProofLine, textAt } from './proof.ts'
import type { AuditRecord } from './read.ts'
import type { StubRow } from './stub.ts'
import { checkStubs, firstDefect, type VerifyReport, verifyReport } from './verify.ts'

/** The file as its lines. */
export async function verifyFile(
  file: AsyncIterable<string>,
  options: { pins?: readonly TrustedKey[]; head?: ExpectedHead } = {},
): Promise<VerifyReport> {
  const reader = new ProofReader(options.pins, options.head)
  const found = await firstDefect(async () => {
    for await (const text of file) if (text.trim() !== '') await reader.take(text)
    reader.end()
  })
  return verifyReport(reader.check, found)
}

class ProofReader {
  check: ChainCheck
  readonly #ring: KeyRing
  readonly #noted: ExpectedHead | undefined
  #begun = false
  #ended = false
  #number = 0
  #lines: AuditRecord[] = []

  constructor(pins: readonly TrustedKey[] | undefined, noted: ExpectedHead | undefined) {
    this.#ring = new KeyRing(pins)
    this.#noted = noted
    this.check = new ChainCheck(undefined, noted)
  }

  async take(text: string): Promise<void> {
    this.#number++
    const line = this.#parse(text)
    if (this.#ended) throw this.#refuse('was added after the end')
    if (!('proof' in line)) this.#lines.push(line)
    else if (line.proof === 'key') this.#ring.add(line.key_id, line.public_key)
    else if (line.proof === 'stub') await this.#stub(line)
    else if (line.proof === 'group') await this.#group(line)
    else if (line.proof === 'end') this.#finish(line.groups)
    else throw this.#refuse('is of a kind that is not known')
  }

  end(): void {
    if (!this.#ended || this.#lines.length > 0)
      throw this.#refuse('is the last one, and the end of the export is missing')
    this.check.end()
  }

  #finish(groups: number): void {
    if (groups !== this.check.groups) {
      throw this.#refuse(`says that there are ${groups} groups, and ${this.check.groups} are there`)
    }
    this.#ended = true
  }

  #parse(text: string): AuditRecord | ProofLine {
    const line = parseJson(text)
    if (line === undefined) throw this.#refuse('is not JSON')
    if (!isObject(line)) throw this.#refuse('is no object')
    return line as unknown as AuditRecord | ProofLine
  }

  async #stub(stub: StubRow): Promise<void> {
    this.#begun = true
    await checkStubs(this.#ring, this.check, [stub])
  }

  async #group({ seq, first_line, line_count, prev, hash, key_id, signature, whole = [] }: GroupProof): Promise<void> {
    const numbers = [seq, first_line, line_count, ...(Array.isArray(whole) ? whole : [Number.NaN])]
    if (!numbers.every(Number.isSafeInteger)) throw this.#refuse('has no numbers where they should be')
    if (!this.#begun && seq > 1) {
      // Part of a chain: the head before it cannot be checked and is taken from the file.
      this.check = new ChainCheck({ seq: seq - 1, line: first_line - 1, hash: prev }, this.#noted)
      this.check.notices.push(
        `the file begins with group ${seq} (line ${first_line}); it says nothing of what came before`,
      )
    }
    this.#begun = true
    const times = this.#lines.map(({ time }) => time)
    const row = {
      ...{ seq, first_line, line_count, prev, hash },
      lines: this.#lines.map((_, index) => `${textAt(this.#lines, index, whole)}\n`).join(''),
      first_time: times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      last_time: times.reduce((a, b) => Math.max(a, b), 0),
    }
    const numbered = this.#lines.every(({ line }, index) => line === first_line + index)
    this.#lines = []
    const seal =
      key_id === undefined || signature === undefined
        ? undefined
        : { key_id, fault: await this.#ring.signatureFault(sealText(seq, hash), { key_id, signature }) }
    this.check.group(row, seal)
    if (!numbered) throw this.#refuse(`ends group ${seq}, whose lines are numbered wrongly`)
  }

  #refuse(what: string): DefectError {
    const { head } = this.check
    return new DefectError('file', `line ${this.#number} of the file ${what}`, [head.seq + 1, head.seq + 1])
  }
}
