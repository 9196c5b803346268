/** Which steps are taken with which server. */
import { everything, type Foreign, filesystem, memory, thinking } from './servers.ts'
import { STEPS as everythingSteps } from './steps/everything.ts'
import { STEPS as filesystemSteps } from './steps/filesystem.ts'
import { STEPS as memorySteps } from './steps/memory.ts'
import type { Step } from './steps/step.ts'
import { STEPS as thinkingSteps } from './steps/thinking.ts'

export interface Tried {
  readonly foreign: Foreign
  readonly steps: readonly Step[]
  /** it forgets nothing, so each client has one of its own behind the host */
  readonly own?: true
}

export const TRIED: readonly Tried[] = [
  { foreign: everything, steps: everythingSteps },
  { foreign: filesystem, steps: filesystemSteps },
  { foreign: memory, steps: memorySteps },
  { foreign: thinking, steps: thinkingSteps, own: true },
]
