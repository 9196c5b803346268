/** What `createServer` takes. check-server-options.ts checks it. */
import type { PipelineOptions } from '../pipeline/pipeline.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Registry } from '../tool/registry.ts'
import type { Resource } from '../tool/resource.ts'
import type { CustomMethod } from '../tool/served-agent.ts'
import type { Tool } from '../tool/tool.ts'
import type { ServerView } from './server-view.ts'

/** Its limits and rules are those of its pipeline. By default, `observe` and `log` write to the log. */
export interface ServerOptions extends Omit<PipelineOptions, 'explainMissingTool'> {
  name: string
  version: string
  title?: string
  /** instructions for the model */
  instructions?: string
  tools?: Registry | Iterable<Tool>
  resources?: Iterable<Resource>
  prompts?: Iterable<Prompt>
  methods?: Record<string, CustomMethod>
  /** items per page of a list */
  pageSize?: number
  /** the longest time for which clients may cache a list, in milliseconds; default 300,000, for tools their `cacheTtl` */
  listTtlMs?: number
  /** signs request state; must be the same for all replicas */
  stateKey?: Uint8Array
  /** what a host changes about this server */
  view?: ServerView
}
