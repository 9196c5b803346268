/** An agent as a server needs it: its tools and its methods. `agent({…})` makes one. */
import type { SecretNames } from '../protocol/secret.ts'
import type { MethodContext } from './context.ts'
import type { Prompt } from './prompt.ts'
import type { Resource } from './resource.ts'
import type { Tool } from './tool.ts'

/** A method of one's own, such as agent/plan. Its result is an object. */
export type CustomMethod = (params: Record<string, unknown>, ctx: MethodContext) => object | Promise<object>

export interface ServedAgent {
  readonly kind: 'agent'
  /** the module of all its tools */
  readonly name: string
  readonly version: string
  readonly description: string | undefined
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  readonly methods: Readonly<Record<string, CustomMethod>>
  /** names of the values that its tools mark as secret, wherever they occur in a request for a plan */
  secretNames(): Promise<SecretNames>
  /** the methods that its author wrote; the others work from the schemas of its tools */
  readonly own: readonly string[]
}
