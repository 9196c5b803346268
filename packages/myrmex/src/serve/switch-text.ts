/** The switches that are on, a line each, for the start of a host and its status. */
import { oneLine } from './terminal.ts'

interface SwitchFacts {
  readonly reason: string
  readonly set_by: string
}

export interface SwitchedOn {
  readonly stop: SwitchFacts | null
  readonly read_only: SwitchFacts | null
  readonly read_only_profiles: readonly (SwitchFacts & { readonly profile: string })[]
}

const MAX_TEXT = 200
const by = ({ reason, set_by }: SwitchFacts): string =>
  ` (by ${oneLine(set_by, MAX_TEXT)}${reason === '' ? '' : `: ${oneLine(reason, MAX_TEXT)}`})`

export const switchLines = ({ stop, read_only, read_only_profiles }: SwitchedOn): string[] => [
  ...(stop === null ? [] : [`EVERYTHING IS STOPPED${by(stop)}; to go on: npx myrmex host resume-everything`]),
  ...(read_only === null ? [] : [`read-only${by(read_only)}; to go on: npx myrmex host read-only off`]),
  ...read_only_profiles.map((one) => {
    const profile = oneLine(one.profile, MAX_TEXT)
    return `profile ${profile} is read-only${by(one)}; to go on: npx myrmex host read-only off --profile ${profile}`
  }),
]
