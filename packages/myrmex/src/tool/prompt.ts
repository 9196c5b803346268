/** `prompt({…})`: a template of messages that a client fetches, filled with its arguments. */
import type { ContentBlock } from '../protocol/content.ts'
import { isObject } from '../protocol/json.ts'
import type { RequestContext } from './context.ts'
import { DefinitionFaults, shown } from './definition-faults.ts'
import type { ForwardedResult } from './forwarded-result.ts'
import { checkListingExtras, type ListingExtras } from './listing-extras.ts'
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

export interface PromptDefinition extends ListingExtras {
  name: string
  title?: string
  description?: string
  arguments?: PromptArgument[]
  get: (args: Record<string, string>, ctx: RequestContext) => PromptBody | Promise<PromptBody>
}

export interface Prompt extends Readonly<PromptDefinition> {
  readonly kind: 'prompt'
}

const FIELDS: readonly (keyof PromptDefinition)[] = [
  'name',
  'title',
  'description',
  'arguments',
  'icons',
  'meta',
  'get',
]
const ARGUMENT_FIELDS: readonly (keyof PromptArgument)[] = ['name', 'title', 'description', 'required', 'complete']

/** Throws a RegistrationError that names everything that is wrong. */
export function prompt(definition: PromptDefinition): Prompt {
  const faults = new DefinitionFaults('prompt', definition)
  faults.onlyFields(FIELDS)
  faults.text('name', 'required')
  for (const field of ['title', 'description']) faults.text(field, 'optional')
  faults.callback('get', 'required')
  for (const [index, argument] of faults.list('arguments').entries())
    checkArgument(argument, `arguments[${index}]`, faults)
  checkListingExtras(definition, faults)
  faults.throwAny()
  return Object.freeze({ ...definition, kind: 'prompt' as const })
}

function checkArgument(argument: unknown, at: string, faults: DefinitionFaults): void {
  if (!isObject(argument)) return faults.add(`${at} must be an object with a name, not ${shown(argument)}`)
  faults.onlyFields(ARGUMENT_FIELDS, argument, `${at}: `)
  if (typeof argument.name !== 'string' || argument.name === '')
    faults.add(`${at}.name must be a text, not ${shown(argument.name)}`)
}
