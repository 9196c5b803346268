/** `prompt({…})`: a template of messages that a client fetches, filled with its arguments. */
import type { ContentBlock } from '../protocol/content.ts'
import { ToolError } from '../protocol/errors.ts'
import type { RequestContext } from './context.ts'
import type { ForwardedResult } from './forwarded-result.ts'
import type { Completer } from './resource.ts'

export interface PromptMessage {
  role: 'user' | 'assistant'
  content: ContentBlock
}

export interface PromptArgument {
  name: string
  title?: string
  description?: string
  required?: boolean
  complete?: Completer
}

/** Messages, a text that becomes one message of the user, or the whole result of another server. */
export type PromptBody = string | PromptMessage[] | ForwardedResult

export interface PromptDefinition {
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
  get: (args: Record<string, string>, ctx: RequestContext) => PromptBody | Promise<PromptBody>
}

export interface Prompt extends Readonly<PromptDefinition> {
  readonly kind: 'prompt'
}

export function prompt(definition: PromptDefinition): Prompt {
  if (typeof definition.name !== 'string' || definition.name === '') {
    throw ToolError.of('RegistrationError', 'a prompt needs a name')
  }
  return Object.freeze({ ...definition, kind: 'prompt' as const })
}
