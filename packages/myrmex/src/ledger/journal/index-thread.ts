/** The thread that fills the index of an embedded ledger; see index-filler.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteIndex } from '../sqlite/db.ts'
import { JournalFolder } from './folder.ts'
import { RecordIndex } from './record-index.ts'

const { folder, busy } = workerData as { readonly folder: string; readonly busy: Int32Array }
const store = new JournalFolder(folder)
const index = new RecordIndex(store, () => openSqliteIndex(store.indexFile))

/** What the thread says: how far it is, that it is done, or why it failed. */
export type FillerMessage = { readonly records: number } | { readonly done: number } | { readonly failed: string }

parentPort?.on('message', async ({ yields }: { readonly yields: boolean }) => {
  const say = (message: FillerMessage): void => parentPort?.postMessage(message)
  // Work that nobody waits for stops when calls come in.
  const stop = (): boolean => yields && Atomics.load(busy, 0) === 1
  try {
    say({ done: await index.update((records) => say({ records }), stop) })
  } catch (error) {
    say({ failed: (error as Error).message })
  }
})
