/** The brain that the environment asks for. Without MYRMEX_BRAIN that is the rules, and nothing of a model is loaded. */
import type { Brain } from './brain.ts'
import { rulesBrain } from './rules-brain.ts'
import { brainSettings } from './settings.ts'

export async function brainFrom(env: NodeJS.ProcessEnv): Promise<Brain> {
  const settings = brainSettings(env)
  if (settings === undefined) return rulesBrain
  const { modelBrain } = await import('./model-brain.ts')
  return modelBrain(settings)
}
