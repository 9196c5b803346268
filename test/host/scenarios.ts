/** Which steps are taken with which server. */
import { everything, type ForeignServer, filesystem, memory, thinking } from './foreign-servers.ts'
import { STEPS as everythingSteps } from './steps/everything.ts'
import { STEPS as filesystemSteps } from './steps/filesystem.ts'
import { STEPS as memorySteps } from './steps/memory.ts'
import type { Step } from './steps/step.ts'
import { STEPS as thinkingSteps } from './steps/thinking.ts'

export interface Scenario {
  readonly foreign: ForeignServer
  readonly steps: readonly Step[]
  /** it forgets nothing, so each client has one of its own behind the host */
  readonly own?: true
}

export const SCENARIOS: readonly Scenario[] = [
  { foreign: everything, steps: everythingSteps },
  { foreign: filesystem, steps: filesystemSteps },
  { foreign: memory, steps: memorySteps },
  { foreign: thinking, steps: thinkingSteps, own: true },
]
