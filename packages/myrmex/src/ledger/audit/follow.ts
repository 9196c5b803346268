/** Follows the audit: new records as any process writes them. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db.ts'
import { type AuditRecord, readGroups, recordsOf } from './read.ts'

const LOOK_EVERY_MS = 200

export interface FollowedGroup {
  readonly seq: number
  readonly lines: readonly AuditRecord[]
}

/** Yields the groups after this one, one at a time, until the signal is aborted. */
export async function* followRecords(db: Db, from: number, signal: AbortSignal): AsyncGenerator<FollowedGroup> {
  let seq = from
  while (!signal.aborted) {
    for await (const page of readGroups(db, { after: seq })) {
      for (const group of page) {
        seq = group.seq
        yield { seq, lines: recordsOf(group) }
        if (signal.aborted) return
      }
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
