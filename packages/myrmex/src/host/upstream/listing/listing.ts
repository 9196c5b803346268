/** What an upstream offers, in its own words. Nobody vouches for any of it. */
import type { JsonObject } from '../../../protocol/json.ts'
import type { Link } from '../../link/link.ts'

export interface Listing {
  readonly era: Link['era']
  readonly server: Link['server']
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  /** each as it was listed */
  readonly tools: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
}
