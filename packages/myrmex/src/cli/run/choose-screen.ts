/** Chooses the screen for a run, by the options and by what stdout is. */
import { claimOutput, jsonScreen, lineScreen, type Output, type Screen } from './screen.ts'

export interface ScreenChoice {
  readonly output: Output
  readonly isLive: boolean
  /** questions can be asked at the terminal */
  readonly canAsk: boolean
  /** once the id of the run is known */
  open(run: string): Promise<Screen>
}

/** Call it before other code is loaded, whose output must not mix with ours. */
export function chooseScreen({ json = false }: { json?: boolean }): ScreenChoice {
  const output = claimOutput()
  const isTerminal = process.stdout.isTTY === true && process.env.TERM !== 'dumb'
  const isLive = isTerminal && !json
  return {
    output,
    isLive,
    canAsk: isLive && process.stdin.isTTY === true,
    open: async (run) => {
      if (json) return jsonScreen(output, run)
      return isLive ? new (await import('./live-screen.ts')).LiveScreen(output) : lineScreen(output, run)
    },
  }
}
