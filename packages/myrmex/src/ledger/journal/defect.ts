/** What verification finds, described for people. */
import { type SegmentId, segmentName } from './segment.ts'

export type DefectKind =
  | 'altered'
  | 'missing'
  | 'inserted'
  | 'signature'
  | 'stub'
  | 'mark'
  | 'head'
  | 'anchor'
  | 'break'
  | 'index'
  | 'decision'
  | 'format'
  | 'file'

/** The first defect, and where it is as far as that is known. */
export interface Defect {
  readonly kind: DefectKind
  readonly message: string
  readonly chain: string | null
  /** the name of the segment */
  readonly segment: string | null
  /** if no single group can be named, it is one of those from `group` to `last_group` */
  readonly group: number | null
  readonly last_group: number | null
}

export interface DefectLocation {
  readonly chain?: string
  readonly segment?: SegmentId
  readonly group?: number
  readonly lastGroup?: number
}

/** Thrown at the first defect: nothing after it can be relied on. */
export class DefectError extends Error {
  readonly defect: Defect

  constructor(kind: DefectKind, message: string, at: DefectLocation = {}) {
    super(message)
    this.defect = {
      kind,
      message,
      chain: at.chain ?? at.segment?.chain ?? null,
      segment: at.segment === undefined ? null : segmentName(at.segment),
      group: at.group ?? null,
      last_group: at.lastGroup ?? at.group ?? null,
    }
  }
}

export async function firstDefect(work: () => Promise<void>): Promise<Defect | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof DefectError) return error.defect
    throw error
  }
}

/** Defects by their subject: a row, a call, a decision. */
export type DefectsBySubject = ReadonlyMap<string, Defect>

/** Gathers the defects of many subjects, each of which may be a change that was made during the check. */
export class DefectCollector {
  readonly found = new Map<string, Defect>()

  /** Runs a check that throws DefectError. Of each subject the first defect counts. */
  check(subject: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof DefectError)) throw error
      this.add(subject, error)
    }
  }

  add(subject: string, { defect }: DefectError): void {
    if (!this.found.has(subject)) this.found.set(subject, defect)
  }
}

/** Groups from..to, inclusive. */
export const groupRange = (from: number, to: number): string =>
  from === to ? `group ${from}` : `groups ${from} to ${to}`
