/**
 * Follows the chain, one stub or group at a time, and throws DefectError at the first defect. The groups may come from a store
 * or from an exported file.
 */
import { plural } from '../../protocol/text.ts'
import { type ChainHead, GENESIS, type GroupRow, headOf } from './chain.ts'
import { checkGroup, groupLabel, lineSpan } from './check-group.ts'
import { DefectError, groupRange, lineRange } from './defect.ts'
import { headAfter, type StubBody } from './stub.ts'

/** A signature over a group, and what is wrong with it. */
export interface CheckedSeal {
  readonly key_id: string
  readonly fault: string | undefined
}

/** A group that was noted elsewhere and must still be in the chain. */
export type ExpectedHead = Pick<ChainHead, 'seq' | 'hash'>

/**
 * A process signs within 10 ms, and one that is killed leaves that much unsigned, again with every time it is killed. So
 * time counts as unsigned only while groups are being written, and pauses count for no more than this.
 */
const PAUSE_MS = 1000
const UNSIGNED_MS = 10_000

export class ChainCheck {
  /** the newest group that is in order */
  head: ChainHead
  /** the newest one that a good signature covers */
  signed: ChainHead
  groups = 0
  /** lines of which only the stub remains */
  pruned = 0
  /** signatures by each key */
  readonly seals = new Map<string, number>()
  readonly notices: string[] = []
  readonly #noted: ExpectedHead | undefined
  #segments = 0
  /** a bad signature: whether it or what it covers was altered is seen at the next good one */
  #suspect: DefectError | undefined
  #unsignedMs = 0
  #written: number | undefined

  constructor(start: ChainHead = GENESIS, noted?: ExpectedHead) {
    this.head = start
    this.signed = start
    this.#noted = noted
  }

  stub(body: StubBody | undefined, { key_id, fault }: CheckedSeal): void {
    const which = `the stub of pruned segment ${this.#segments}`
    const next = this.head.seq + 1
    if (body === undefined) throw new DefectError('stub', `${which} was altered: it is no stub`, [next, next])
    const at = [next, Math.max(next, body.last_seq)] as const
    if (fault !== undefined) throw new DefectError('stub', `${which} was altered or forged: its signature ${fault}`, at)
    const follows =
      body.segment === this.#segments &&
      body.first_seq === next &&
      body.first_line === this.head.line + 1 &&
      body.prev === this.head.hash &&
      body.last_seq >= body.first_seq
    if (!follows)
      throw new DefectError('stub', `${which} is missing: the next one does not follow what is before it`, at)
    this.#segments++
    this.#seen(key_id)
    this.head = headAfter(body)
    this.signed = this.head
    this.pruned = this.head.line
    this.#compare(body.first_seq)
  }

  group(row: GroupRow, seal?: CheckedSeal): void {
    try {
      this.#follow(row)
    } catch (error) {
      // The bad signature before it came first.
      throw error instanceof DefectError ? (this.#suspect ?? error) : error
    }
    if (seal !== undefined) this.#seal(seal)
  }

  #follow(row: GroupRow): void {
    this.#checkPosition(row)
    const written = checkGroup(row)
    if (row.prev !== this.head.hash) throw this.#mismatch(row)
    if (row.first_line !== this.head.line + 1) {
      const message = `${groupLabel(row)} was altered: the group before it ends with line ${this.head.line}`
      throw new DefectError('altered', message, [row.seq, row.seq], lineSpan(row))
    }
    this.head = headOf(row)
    this.groups++
    this.#compare(row.seq)
    this.#wait(written)
  }

  /** Call this after the last group. `sealed` is the newest group that has a signature. */
  end(sealed = 0): void {
    if (this.#suspect !== undefined) throw this.#suspect
    if (sealed > this.head.seq) {
      const gap = [this.head.seq + 1, sealed] as const
      const message = `the end was cut off: ${groupRange(gap)} ${gap[0] === gap[1] ? 'is' : 'are'} missing, and group ${sealed} was signed`
      throw new DefectError('missing', message, gap)
    }
    const noted = this.#noted
    if (noted !== undefined && noted.seq > this.head.seq) {
      const message = `the end was cut off: the chain ends with group ${this.head.seq}, and group ${noted.seq} was noted as its head`
      throw new DefectError('head', message, [this.head.seq + 1, noted.seq])
    }
  }

  #checkPosition(row: GroupRow): void {
    const next = this.head.seq + 1
    if (row.seq === next) return
    if (row.seq < next) {
      const message = `${groupLabel(row)} was put in: ${next === 1 ? 'the chain begins with group 1' : `group ${next} is next`}`
      throw new DefectError('inserted', message, [row.seq, row.seq], lineSpan(row))
    }
    const gap = [next, row.seq - 1] as const
    const lost = [this.head.line + 1, row.first_line - 1] as const
    const known = lost[1] >= lost[0]
    const message = `${groupRange(gap)}${known ? ` (${lineRange(lost)})` : ''} ${next === gap[1] ? 'is' : 'are'} missing`
    throw new DefectError('missing', message, gap, known ? lost : undefined)
  }

  /** The group is whole, and does not follow the one before it. Whichever of the two is signed is the right one. */
  #mismatch(row: GroupRow): DefectError {
    const { head, signed } = this
    if (signed.seq === head.seq) {
      const message = `${groupLabel(row)} does not follow ${groupRange([head.seq, head.seq])}: it was inserted, or groups between them were removed`
      return new DefectError('altered', message, [row.seq, row.seq], lineSpan(row))
    }
    const groups = [signed.seq + 1, head.seq] as const
    const moved = row.first_line - head.line - 1
    const shift =
      moved === 0 ? '' : moved > 0 ? `, ${plural(moved, 'line')} taken out` : `, ${plural(-moved, 'line')} put in`
    const one = groups[0] === groups[1] ? '' : 'one of '
    const message = `${one}${groupRange(groups)} was altered${shift}: group ${row.seq} was written after another group ${head.seq}`
    return new DefectError('altered', message, groups, [signed.line + 1, head.line])
  }

  #seal({ key_id, fault }: CheckedSeal): void {
    const { head, signed } = this
    const groups = [signed.seq + 1, head.seq] as const
    if (fault !== undefined) {
      const or = groups[0] === groups[1] ? `it or the group` : `it or one of ${groupRange(groups)}`
      const message = `the signature of group ${head.seq} ${fault}: ${or} was altered`
      this.#suspect ??= new DefectError('signature', message, groups, [signed.line + 1, head.line])
      return
    }
    if (this.#suspect !== undefined) {
      const { last_seq } = this.#suspect.defect
      const message = `the signature of group ${last_seq} was altered or forged; the lines are whole, that of group ${head.seq} covers them`
      throw new DefectError('signature', message, [last_seq, last_seq])
    }
    this.signed = head
    this.#seen(key_id)
    this.#unsignedMs = 0
    this.#written = undefined
  }

  #wait(written: number): void {
    if (this.#written !== undefined) {
      // Clocks of several machines differ, and one may be set back: only what is later than anything before counts.
      this.#unsignedMs += Math.min(PAUSE_MS, Math.max(0, written - this.#written))
      if (this.#unsignedMs > UNSIGNED_MS) throw this.#unsigned()
    }
    this.#written = Math.max(written, this.#written ?? 0)
  }

  #unsigned(): DefectError {
    const groups = [this.signed.seq + 1, this.head.seq] as const
    const lines = [this.signed.line + 1, this.head.line] as const
    const message = `${groupRange(groups)} (${lineRange(lines)}) were never signed, or their signatures were removed: nothing vouches for them`
    return new DefectError('signature', message, groups, lines)
  }

  #compare(firstSeq: number): void {
    const noted = this.#noted
    if (noted === undefined || noted.seq < firstSeq || noted.seq > this.head.seq) return
    if (noted.seq < this.head.seq) this.notices.push(`the noted group ${noted.seq} is in a segment that was pruned`)
    else if (noted.hash !== this.head.hash) {
      const message = `group ${noted.seq} is not the one that was noted: it, or something before it, was rewritten`
      throw new DefectError('head', message, [1, noted.seq])
    }
  }

  #seen(keyId: string): void {
    this.seals.set(keyId, (this.seals.get(keyId) ?? 0) + 1)
  }
}
