/** Which screen a run is shown on, by what was asked for and by what stdout is. */
import { claimOutput, jsonScreen, lineScreen, type Output, type Screen } from './screen.ts'

export interface ScreenChoice {
  readonly output: Output
  readonly isLive: boolean
  /** somebody sits there and can be asked */
  readonly canAsk: boolean
  /** for a run, as soon as its id is known */
  open(run: string): Promise<Screen>
}

/** To be called before anything of somebody else is loaded. */
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
