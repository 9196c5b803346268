/** Dying by one's own hand at a certain moment: as sudden as by another's, but between two lines that one can name. */
import process from 'node:process'
import type { Db } from '../../packages/myrmex/src/ledger/db.ts'
import { JournalFolder } from '../../packages/myrmex/src/ledger/journal/folder.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import type { Hook, KillMoment } from './kill-moment.ts'

/** To be called whenever something happens at which one may die. */
export type KillSwitch<Name extends string = Hook> = (hook: Name) => void

export function killSwitchFor<Name extends string>(moment: KillMoment<Name>): KillSwitch<Name> {
  if (moment.kind !== 'at') return () => {}
  let left = moment.count
  return (hook) => {
    if (hook === moment.hook && --left <= 0) process.kill(process.pid, 'SIGKILL')
  }
}

/** Before every statement of the ledger and every write to its journal, and after it. */
export function watchLedger({ db, journal }: Ledger, fuse: KillSwitch<'statement'>): void {
  const watched = <Args extends unknown[], Answer>(work: (...args: Args) => Answer) => {
    return (...args: Args): Answer => {
      fuse('statement')
      const answer = work.apply(db, args)
      if (answer instanceof Promise) return answer.finally(() => fuse('statement')) as Answer
      fuse('statement')
      return answer
    }
  }
  db.query = watched(db.query) as Db['query']
  db.change = watched(db.change)
  db.transaction = watched(db.transaction)
  if (journal.store instanceof JournalFolder) watchJournal(journal.store, fuse)
}

/** A decision is written to the journal in the middle of its transaction. */
function watchJournal(folder: JournalFolder, fuse: KillSwitch<'statement'>): void {
  const create = folder.create.bind(folder)
  folder.create = (segment) => {
    const file = create(segment)
    const append = file.append.bind(file)
    file.append = (text, sync) => {
      fuse('statement')
      append(text, sync)
      fuse('statement')
    }
    return file
  }
}
