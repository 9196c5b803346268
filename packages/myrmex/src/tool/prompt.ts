/** `prompt({…})`: a template of messages that a client fetches, filled with its arguments. */
import type { ContentBlock } from '../protocol/content.ts'
import { ToolError } from '../protocol/errors.ts'
import type { RequestContext } from './context.ts'
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

/** Messages, or a text that becomes one message of the user. */
export type PromptBody = string | PromptMessage[]

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
    throw new ToolError('RegistrationError', 'a prompt needs a name')
  }
  return Object.freeze({ ...definition, kind: 'prompt' as const })
}
