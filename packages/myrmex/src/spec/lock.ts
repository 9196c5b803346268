/**
 * The lock file `myrmex.lock.json`: the definition of every tool version that was released, so that a release never changes and
 * the next one can be held against it.
 */
export { EMPTY_LOCK, hashOf, LOCK_FILE, type Lock, type LockedTool, type Release, writeLock } from './lock/file.ts'
export { hasErrors, type JudgeOptions, judgeLock, type LockFinding, type LockRule, type Present } from './lock/judge.ts'
export { checkLock, type LockFault, readLock } from './lock/read.ts'
export { addReleases } from './lock/release.ts'
