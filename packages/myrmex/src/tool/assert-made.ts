/** Refuses definitions that nobody checked: lists of tools, resources, prompts and agents have what `tool({…})` and the like return. */
import { ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import { listedFaults } from './check-options.ts'
import { shown } from './definition-faults.ts'

export type MadeKind = 'tool' | 'resource' | 'prompt' | 'agent' | 'playbook'

/** `at` is where the item is, such as `tools[0]`. */
export function assertMade(item: unknown, kind: MadeKind, at: string): void {
  if (isMade(item, kind)) return
  throw ToolError.of('RegistrationError', `${at} ${whyNot(item, kind)}`)
}

const isMade = (item: unknown, kind: MadeKind): boolean => isObject(item) && item.kind === kind

function whyNot(item: unknown, kind: MadeKind): string {
  if (item instanceof Promise) return 'is a Promise. Was an await forgotten?'
  if (!isObject(item)) return `must be what ${kind}({…}) returns, not ${shown(item)}`
  const name = typeof item.name === 'string' ? ` ${shown(item.name)}` : ''
  if (typeof item.kind === 'string' && Object.hasOwn(PLURALS, item.kind))
    return `is the ${item.kind}${name}. Put it into ${PLURALS[item.kind as MadeKind]}`
  return `is a plain object${name}. Wrap it in ${kind}({…})`
}

const PLURALS: Readonly<Record<MadeKind, string>> = {
  tool: 'tools',
  resource: 'resources',
  prompt: 'prompts',
  agent: 'agents',
  playbook: 'playbooks',
}

/** The items of a list, each of which was made by its function. Throws a RegistrationError that names all that were not. */
export function madeList<T>(list: Iterable<T>, kind: MadeKind): readonly T[] {
  const name = PLURALS[kind]
  if (typeof list === 'string' || typeof (list as Partial<Iterable<T>> | null)?.[Symbol.iterator] !== 'function') {
    const found = (list as unknown) instanceof Promise ? 'a Promise. Was an await forgotten?' : shown(list)
    throw ToolError.of('RegistrationError', `${name} must be a list of what ${kind}({…}) returns, not ${found}`)
  }
  const items = [...list]
  const faults = items.flatMap((item, index) => (isMade(item, kind) ? [] : `${name}[${index}] ${whyNot(item, kind)}`))
  if (faults.length > 0) throw ToolError.of('RegistrationError', listedFaults(faults), { faults })
  return items
}
