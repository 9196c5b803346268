/** How a serving process stops: on a signal, or when a tool's code throws outside a call. */

import { inspect } from 'node:util'
import { messageOf } from '../protocol/errors.ts'
import { say } from './terminal.ts'

interface SignalHandler {
  isStopping: boolean
  /** Does what a signal does. */
  end(): void
  /** Leaves signals to others again. */
  dispose(): void
}

/** Calls `stop` on the first signal, so that work can finish. The second one exits at once. */
export function onSignals(stop: () => void, secondExitCode: number): SignalHandler {
  const handler: SignalHandler = {
    isStopping: false,
    end: () => {
      if (handler.isStopping) process.exit(secondExitCode)
      handler.isStopping = true
      stop()
    },
    dispose: () => void process.off('SIGTERM', handler.end).off('SIGINT', handler.end),
  }
  process.on('SIGTERM', handler.end).on('SIGINT', handler.end)
  return handler
}

export const untilSignal = (): Promise<void> => new Promise((resolve) => void onSignals(resolve, 130))

/**
 * Calls `stop` on the first signal, and when a tool throws outside a call (in a timer or a listener), because its state is then
 * unknown; the exit code is 1 in that case, so that a supervisor starts the server again. A rejected promise that a tool did not
 * handle is only reported.
 */
export function stopOnSignal(stop: () => void): void {
  const { end } = onSignals(stop, 1)
  process.on('unhandledRejection', (reason) => say(`a tool did not handle a rejected promise: ${inspect(reason)}`))
  process.on('uncaughtException', (error) => {
    say(`a tool threw outside a call; stopping after the calls in flight: ${inspect(error)}`)
    process.exitCode = 1
    end()
  })
}

export const reportError = (error: unknown): void => say(messageOf(error))
