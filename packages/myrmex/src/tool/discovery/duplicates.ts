/**
 * Two files that define the same tool, resource or prompt: the first one counts, and the second is refused as a whole. The error names
 * both. Files may share a definition that one of them, or a third, has made: it is one object. Two objects are two definitions, also if
 * they look the same, because their code may differ.
 */
import { ToolError } from '../../protocol/errors.ts'
import { definitionLocation, showLocation } from '../source-location.ts'
import { type FailedModule, moduleFailure } from './load-error.ts'
import type { Module } from './module.ts'

interface Definition {
  /** what is unique on a server */
  readonly key: string
  readonly item: object
}

const definitionsIn = ({ tools, resources, prompts }: Module): Definition[] => [
  ...tools.map((item) => ({ key: `tool ${item.name} ${item.version}`, item })),
  ...resources.map((item) => ({ key: `resource ${item.uri ?? item.template?.text}`, item })),
  ...prompts.map((item) => ({ key: `prompt ${item.name}`, item })),
]

/** Agents have no key of their own: a server has one. */
const everythingIn = (module: Module): Definition[] => [
  ...definitionsIn(module),
  ...module.agents.map((item) => ({ key: 'agent', item })),
]

export const keysIn = (module: Module): ReadonlySet<string> => new Set(everythingIn(module).map(({ key }) => key))

/** The module without what others have too. `except` are keys of definitions that count as the module's own. */
export function withoutShared(
  module: Module,
  others: readonly Module[],
  except: ReadonlySet<string> = new Set(),
): Module {
  const definitions = others.flatMap(everythingIn).filter(({ key }) => !except.has(key))
  const shared = new Set<object>(definitions.map(({ item }) => item))
  const own = <T extends object>(items: readonly T[]): T[] => items.filter((item) => !shared.has(item))
  const { agents, tools, resources, prompts } = module
  return { ...module, agents: own(agents), tools: own(tools), resources: own(resources), prompts: own(prompts) }
}

export class Definitions {
  readonly #known = new Map<string, Definition & { readonly module: Module }>()

  /** Adds those of a module; returns why not, if an earlier module has one of them. */
  add(module: Module): FailedModule | undefined {
    const definitions = definitionsIn(module)
    for (const { key, item } of definitions) {
      const known = this.#known.get(key)
      if (known === undefined || known.item === item) continue
      const message = `${key} is defined in two files: in ${place(known.item, known.module)} and in ${place(item, module)}. Give one of them another name or version.`
      const location = definitionLocation(item, module.file)
      return { ...moduleFailure(module.file, ToolError.of('RegistrationError', message)), ...location }
    }
    for (const definition of definitions) this.#known.set(definition.key, { ...definition, module })
    return undefined
  }
}

function place(item: object, { file }: Module): string {
  const location = definitionLocation(item, file)
  return location === undefined ? file : showLocation(location)
}
