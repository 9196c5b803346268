/** What `createServer` takes. check-server-options.ts checks it. */
import type { Recorder } from '../ledger/journal/group.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Middleware } from '../pipeline/middleware.ts'
import type { LoggedMessage, ObservedError } from '../pipeline/pipeline.ts'
import type { ApprovalSettings } from '../pipeline/rules/approval-settings.ts'
import type { Constitution } from '../pipeline/rules/constitution.ts'
import type { Policy } from '../pipeline/rules/policy.ts'
import type { Profiles } from '../pipeline/rules/profiles.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Registry } from '../tool/registry.ts'
import type { Resource } from '../tool/resource.ts'
import type { CustomMethod } from '../tool/served-agent.ts'
import type { Tool } from '../tool/tool.ts'
import type { ServerView } from './server-view.ts'

export interface ServerOptions {
  name: string
  version: string
  title?: string
  /** instructions for the model */
  instructions?: string
  tools?: Registry | Iterable<Tool>
  resources?: Iterable<Resource>
  prompts?: Iterable<Prompt>
  methods?: Record<string, CustomMethod>
  /** default: in memory, lost when the process ends */
  ledger?: Ledger
  /** receives audit records instead of the ledger */
  recorder?: Recorder
  /** the operator's rules: approvals, limits */
  policy?: Policy
  /** how long calls wait for approval; default: as the policy says */
  approvals?: Partial<ApprovalSettings>
  /** rules that no call may break */
  constitution?: Constitution
  /** the operator's tool sets; see pipeline/rules/profiles.ts */
  profiles?: Profiles
  /** runs around every request to a tool, resource, prompt or method, the first one outermost */
  use?: readonly Middleware[]
  /** receives internal errors; default: the log */
  observe?: (observed: ObservedError) => void
  /** receives what tools, resources, prompts and methods say with `ctx.log`; default: the log */
  log?: (message: LoggedMessage) => void
  /** items per page of a list */
  pageSize?: number
  /** the longest time for which clients may cache a list, in milliseconds; default 300,000, for tools their `cacheTtl` */
  listTtlMs?: number
  /** signs request state; must be the same for all replicas */
  stateKey?: Uint8Array
  /** what a host changes about this server */
  view?: ServerView
}
