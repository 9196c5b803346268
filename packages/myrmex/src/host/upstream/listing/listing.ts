/** What an upstream lists, unchanged. None of it is trusted. */
import type { JsonObject } from '../../../protocol/json.ts'
import type { Link } from '../../link/link.ts'

export interface Listing {
  readonly era: Link['era']
  readonly server: Link['server']
  readonly capabilities: JsonObject
  readonly instructions: string | undefined
  readonly tools: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
}
