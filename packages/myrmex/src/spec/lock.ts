/**
 * The lock file `myrmex.lock.json`: the definition of every tool version that was released, so that a release never changes and
 * the next one can be held against it.
 */
export { EMPTY_LOCK, hashOf, type Lock, writeLock } from './lock/file.ts'
export { baseOf, judgeLock, type Present } from './lock/judge.ts'
export { checkLock, readLock } from './lock/read.ts'
export { addReleases } from './lock/release.ts'
