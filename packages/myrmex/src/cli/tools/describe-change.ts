/** What watch mode reports: which file was loaded again, what it offers now, and which file was changed. */
import { describeFailure, type FailedModule } from '../../tool/discovery/load-error.ts'
import type { Module } from '../../tool/discovery/module.ts'
import type { ModuleChange } from '../../tool/discovery/watch.ts'
import { shownFailure, shownPath } from './shown-path.ts'

export function describeChange({ file, causes, before, now }: ModuleChange): string {
  const name = shownPath(file)
  if (now === undefined) return `Removed ${name}${offers(before)}`
  if (before === undefined) return `Loaded ${name}${offers(now)}`
  const [earlier, current] = [namesIn(before), namesIn(now)]
  const added = current.filter((one) => !earlier.includes(one))
  const removed = earlier.filter((one) => !current.includes(one))
  return [
    `Reloaded ${name}${offers(now)} because ${causes.map((cause) => (cause === file ? 'it' : shownPath(cause))).join(', ')} changed`,
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
  ].join('; ')
}

export const describeReloadFailure = (failure: FailedModule): string =>
  `${shownPath(failure.module)} was not reloaded: ${describeFailure(shownFailure(failure))}`

const kindsOf = ({ tools, resources, prompts }: Module) =>
  [
    ['tool', tools.map(({ name }) => name)],
    ['resource', resources.map(({ uri, template }) => uri ?? template?.text ?? '')],
    ['prompt', prompts.map(({ name }) => name)],
  ] as const

const namesIn = (module: Module): string[] =>
  kindsOf(module).flatMap(([kind, names]) => names.map((name) => (kind === 'tool' ? name : `${kind} ${name}`)))

function offers(module: Module | undefined): string {
  const kinds = module === undefined ? [] : kindsOf(module).filter(([, names]) => names.length > 0)
  const listed = kinds.map(([kind, names]) => `${kind}${names.length === 1 ? '' : 's'} ${names.join(', ')}`)
  return listed.length === 0 ? '' : ` (${listed.join('; ')})`
}
