/**
 * Secrets among the arguments of a plan. The plan itself is stored and shown with `[secret]` in their place. Their values are stored
 * encrypted beside it, and put in only when a step is called.
 */

import { decryptText, encryptText } from '../../../ledger/encrypted-text.ts'
import type { LedgerKey } from '../../../ledger/journal/key.ts'
import { isObject, type Json, type JsonObject, pointer, pointerSteps } from '../../../protocol/json.ts'
import { SECRET, type SecretNames } from '../../../protocol/secret.ts'
import { isReference, type Plan } from '../../plan/plan.ts'
import { MAX_DEPTH } from '../../plan/reference.ts'

/** By step, then by JSON Pointer into its arguments. */
export type PlanSecrets = ReadonlyMap<string, StepSecrets>
export type StepSecrets = Readonly<Record<string, Json>>

/** `secretsOf` returns the names that a tool marks as secret. References are kept: they are no secrets. */
export function hideSecrets(
  plan: Plan,
  secretsOf: (tool: string) => SecretNames | undefined,
): { plan: Plan; secrets: PlanSecrets } {
  const secrets = new Map<string, StepSecrets>()
  const steps = plan.steps.map((step) => {
    const names = secretsOf(step.tool)
    if (names === undefined || names.size === 0) return step
    const found: Record<string, Json> = {}
    const hide = (value: unknown, isHidden: boolean, path: readonly string[]): unknown => {
      if (isReference(value)) return value
      if (path.length > MAX_DEPTH) return SECRET
      if (Array.isArray(value)) return value.map((item, index) => hide(item, isHidden, [...path, String(index)]))
      if (isObject(value))
        return Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, hide(item, isHidden || names.has(key), [...path, key])]),
        )
      if (isHidden) found[pointer(path)] = value as Json
      return isHidden ? SECRET : value
    }
    // The empty name stands for the whole input.
    const hidden = hide(step.arguments, names.has(''), []) as Record<string, unknown>
    if (Object.keys(found).length > 0) secrets.set(step.id, found)
    return { ...step, arguments: hidden }
  })
  return { plan: { ...plan, steps }, secrets }
}

/** The arguments with their secrets put in, wherever they still have the place for them. */
export function withSecretValues(args: JsonObject, secrets: StepSecrets | undefined): JsonObject {
  if (secrets === undefined) return args
  const filled = structuredClone(args)
  for (const [at, value] of Object.entries(secrets)) {
    const path = pointerSteps(at)
    const last = path.pop() as string
    let here: unknown = filled
    for (const step of path) here = isNested(here) && Object.hasOwn(here, step) ? here[step] : undefined
    if (isNested(here) && Object.hasOwn(here, last) && here[last] === SECRET) here[last] = value
  }
  return filled
}

/** Their texts, to find them elsewhere. */
export const textsOf = (secrets: PlanSecrets): string[] =>
  [...secrets.values()]
    .flatMap((found) => Object.values(found))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)

/** Undefined if there are none. */
export const encryptSecrets = (secrets: PlanSecrets, run: string, key: LedgerKey): string | undefined =>
  secrets.size === 0 ? undefined : encryptText(key, about(run), JSON.stringify([...secrets]))

export const decryptSecrets = (encrypted: string | undefined, run: string, key: LedgerKey): PlanSecrets =>
  new Map(
    encrypted === undefined ? [] : (JSON.parse(decryptText(key, about(run), encrypted)) as [string, StepSecrets][]),
  )

const about = (run: string): string => `the plan of run ${run}`

const isNested = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
