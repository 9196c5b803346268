/** Ctrl-C: the first lets go of the run in order, so that it can be resumed; the second does not wait. */
import type { Runs } from '../../agent/run/runs.ts'
import type { Screen } from './screen.ts'

export interface ReleaseRequest {
  readonly requested: boolean
  dispose(): void
}

export function releaseOnSignal(runs: Runs, screen: Screen, id: string): ReleaseRequest {
  let asked = false
  const end = (): void => {
    if (asked) process.exit(130)
    asked = true
    screen.note(`letting go of run ${id}: what is at work may end; again to end at once`)
    void runs.close()
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
  return {
    get requested() {
      return asked
    },
    dispose: () => {
      process.off('SIGINT', end)
      process.off('SIGTERM', end)
    },
  }
}
