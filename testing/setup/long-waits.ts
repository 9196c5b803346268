/**
 * Every `vi.waitFor` waits up to 30 seconds, whichever timeout it names: on a busy machine a second is nothing. A condition that holds
 * ends the wait at once, so only a failing test takes longer. `expect.poll` has the same limit in vitest.config.ts.
 */
import { vi } from 'vitest'

const MIN_TIMEOUT_MS = 30_000

const { waitFor } = vi

const waitLonger: typeof waitFor = (check, options) => {
  const { timeout = 0, ...rest } = typeof options === 'number' ? { timeout: options } : (options ?? {})
  return waitFor(check, { interval: 20, ...rest, timeout: Math.max(timeout, MIN_TIMEOUT_MS) })
}

// Test files that share a process share `vi`.
if (waitFor.name !== waitLonger.name) vi.waitFor = waitLonger
