/** The switches that are on, as people and the API see them. */
import type { SwitchRow, SwitchState } from './switches.ts'

const shown = ({ reason, set_by, set_at }: SwitchRow) => ({ reason, set_by, set_at })

export const switchesView = ({ stop, readOnly, readOnlyProfiles }: SwitchState) => ({
  stop: stop === undefined ? null : shown(stop),
  read_only: readOnly === undefined ? null : shown(readOnly),
  read_only_profiles: [...readOnlyProfiles].map(([profile, row]) => ({ profile, ...shown(row) })),
})
