/** Lines as they come into the audit, whichever process wrote them: for those who look on. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db.ts'
import { type AuditLine, linesOf, pages } from './read.ts'

const LOOK_EVERY_MS = 200

export interface Followed {
  readonly seq: number
  readonly lines: readonly AuditLine[]
}

/** Those of the groups after this one, a group at a time, until the signal says that it is enough. */
export async function* follow(db: Db, from: number, signal: AbortSignal): AsyncGenerator<Followed> {
  let seq = from
  while (!signal.aborted) {
    for await (const page of pages(db, { after: seq })) {
      for (const group of page) {
        seq = group.seq
        yield { seq, lines: linesOf(group) }
        if (signal.aborted) return
      }
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch((error) => {
      if (!signal.aborted) throw error
    })
  }
}
