/** The lock file `myrmex.lock.json`: the definition of every released version, so that releases cannot change. */

export { addReleases } from './lock/add-releases.ts'
export { baseOf, checkVersions, type PresentTool } from './lock/check-versions.ts'
export { EMPTY_LOCK, hashOf, type Lock, writeLock } from './lock/lock-file.ts'
export { migrationSteps } from './lock/migration-steps.ts'
export { checkLock, readLock } from './lock/read-lock.ts'
