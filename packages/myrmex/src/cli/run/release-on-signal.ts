/** Ctrl-C: the first one releases the run after the calls in flight, so that it can be resumed. The second one exits at once. */
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
    screen.note(`releasing run ${id} after the calls in flight; press Ctrl-C again to exit at once`)
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
