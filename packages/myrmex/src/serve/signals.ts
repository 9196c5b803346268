/** How a command that serves comes to its end: by a signal, or by what somebody's code threw behind its back. */
import { inspect } from 'node:util'
import { say } from './terminal.ts'

/**
 * The first signal ends it in order; the second does not wait. What a tool throws behind our back (a timer, a listener)
 * ends it in order too, since nobody knows what it left undone, and with 1, so that whoever watches starts it again. A
 * promise that a tool forgot about harms nobody and is only told.
 */
export function stopOnSignal(stop: () => void): void {
  let asked = false
  const end = (): void => {
    if (asked) process.exit(1)
    asked = true
    stop()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('unhandledRejection', (reason) => say(`a tool forgot a promise that failed: ${inspect(reason)}`))
  process.on('uncaughtException', (error) => {
    say(`a tool threw where nobody could catch it; ending after what is in flight: ${inspect(error)}`)
    process.exitCode = 1
    end()
  })
}
