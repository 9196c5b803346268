/** Imports one module file and collects the agents, tools, resources, prompts and scratch state that it exports. */
import { pathToFileURL } from 'node:url'
import { ToolError } from '../../protocol/errors.ts'
import type { Prompt } from '../prompt.ts'
import type { Resource } from '../resource.ts'
import type { ServedAgent } from '../served-agent.ts'
import { EDITION } from '../source-location.ts'
import type { Tool } from '../tool.ts'
import { loadError } from './load-error.ts'
import type { Scratch } from './scratch.ts'

export interface Module {
  readonly file: string
  readonly agents: readonly ServedAgent[]
  /** those of its agents among them */
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  /** what its examples are run in */
  readonly scratch: Scratch | undefined
}

type Definition = ServedAgent | Tool | Resource | Prompt | Scratch
const KINDS = ['agent', 'tool', 'resource', 'prompt', 'scratch']
const isDefinition = (value: unknown): value is Definition =>
  typeof value === 'object' && value !== null && KINDS.includes((value as Definition).kind) && Object.isFrozen(value)

/** An import that hangs (a top-level await that never ends) must not hang the others. */
const IMPORT_LIMIT_MS = 10_000

/** `edition` makes Node load the file again; without it a file is loaded once per process. Throws LoadError. */
export async function loadModule(file: string, edition?: string): Promise<Module> {
  const url = pathToFileURL(file)
  if (edition !== undefined) url.searchParams.set(EDITION, edition)
  try {
    return collect(file, await within(import(url.href) as Promise<Record<string, unknown>>, file))
  } catch (thrown) {
    throw await loadError(file, thrown)
  }
}

function collect(file: string, exported: Record<string, unknown>): Module {
  const definitions = new Set<Definition>()
  for (const value of Object.values(exported)) {
    for (const item of Array.isArray(value) ? value : [value]) if (isDefinition(item)) definitions.add(item)
  }
  // The parts of an agent count whether or not the file exports them too.
  for (const item of [...definitions]) {
    if (item.kind !== 'agent') continue
    for (const part of [...item.tools, ...item.resources, ...item.prompts]) definitions.add(part)
  }
  const all = [...definitions]
  const [state, ...others] = all.filter((item) => item.kind === 'scratch')
  if (others.length > 0)
    throw ToolError.of('RegistrationError', `${file} exports ${others.length + 1} scratch states; one is enough.`)
  if (all.every(({ kind }) => kind === 'scratch')) {
    throw ToolError.of(
      'RegistrationError',
      `${file} exports no tool. Export what tool({…}), resource({…}), prompt({…}) or agent({…}) returns.`,
    )
  }
  return {
    file,
    agents: all.filter((item) => item.kind === 'agent'),
    tools: all.filter((item) => item.kind === 'tool'),
    resources: all.filter((item) => item.kind === 'resource'),
    prompts: all.filter((item) => item.kind === 'prompt'),
    scratch: state,
  }
}

async function within<T>(work: Promise<T>, file: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = ToolError.of('TimeoutError', `${file} was not loaded within ${IMPORT_LIMIT_MS} ms`)
    timer = setTimeout(() => reject(error), IMPORT_LIMIT_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
