/**
 * Two files that define the same tool, resource or prompt differently: the first one counts, and the second is refused as a whole. The
 * error names both.
 */
import { ToolError } from '../../protocol/errors.ts'
import { definitionLocation, showLocation } from '../source-location.ts'
import { type FailedModule, moduleFailure } from './load-error.ts'
import type { Module } from './module.ts'

interface Definition {
  /** what is unique on a server */
  readonly key: string
  readonly item: object
  /** definitions with the same identity are the same */
  readonly identity: unknown
}

const definitionsIn = ({ tools, resources, prompts }: Module): Definition[] => [
  ...tools.map((item) => ({ key: `tool ${item.name} ${item.version}`, item, identity: item.hash })),
  ...resources.map((item) => ({ key: `resource ${item.uri ?? item.template?.text}`, item, identity: item })),
  ...prompts.map((item) => ({ key: `prompt ${item.name}`, item, identity: item })),
]

export class Definitions {
  readonly #known = new Map<string, Definition & { readonly module: Module }>()

  /** Adds those of a module; returns why not, if an earlier module has one of them. */
  add(module: Module): FailedModule | undefined {
    const definitions = definitionsIn(module)
    for (const { key, item, identity } of definitions) {
      const known = this.#known.get(key)
      if (known === undefined || known.identity === identity) continue
      const message = `${key} is defined in two files, differently: in ${place(known.item, known.module)} and in ${place(item, module)}. Give one of them another name or version.`
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
