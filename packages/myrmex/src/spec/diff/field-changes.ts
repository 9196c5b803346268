/** The meaning of changes outside of schemas: flags, errors, timeouts, limits and texts. */
import { isObject } from '../../protocol/json.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import type { ChangeKind } from './change-kinds.ts'
import { valueLocations } from './value-locations.ts'
import { compareSchemas } from './verdict.ts'

/** The first two are the values of the field. */
type Judge = (before: unknown, after: unknown, difference: Difference, now: object) => ChangeKind | undefined

/** Never undefined: a field nobody knows is metadata, and a known one with an impossible value is malformed. */
export function kindOfField(before: object, after: object, difference: Difference): ChangeKind {
  const field = String(difference.path[0])
  if (!Object.hasOwn(FIELDS, field)) return 'metadata'
  const [a, b] = [before, after].map((body) => (body as Record<string, unknown>)[field])
  return FIELDS[field]?.(a, b, difference, after) ?? 'malformed'
}

const words =
  (kind: ChangeKind): Judge =>
  (before, after) =>
    [before, after].every((value) => value === undefined || typeof value === 'string') ? kind : undefined

/** `unsaid` is the meaning of a missing flag. Without it, a missing flag is malformed. */
const flag =
  (on: ChangeKind, off: ChangeKind, unsaid?: boolean): Judge =>
  (before = unsaid, after = unsaid) => {
    if (typeof before !== 'boolean' || typeof after !== 'boolean') return undefined
    return after ? on : off
  }

/** Clients take an unsaid one for true. */
const openWorld: Judge = (before = true, after = true) => {
  if (typeof before !== 'boolean' || typeof after !== 'boolean') return undefined
  if (before === after) return 'metadata'
  return after ? 'open-world-on' : 'open-world-off'
}

const errors: Judge = (before, after, { path, kind: how }) => {
  if (!isObject(before) || !isObject(after) || path.length !== 2) return undefined
  if (how === 'changed') return 'error-condition'
  return how === 'added' ? 'error-type-added' : 'error-type-removed'
}

const errorDetails: Judge = (_before, _after, { path, before, after }, now) => {
  if (path.length !== 2) return undefined
  if (before === undefined) return 'error-details-added'
  const declared = (now as { errors?: unknown }).errors
  if (after === undefined)
    return isObject(declared) && Object.hasOwn(declared, String(path[1]))
      ? 'error-details-removed'
      : 'error-type-removed'
  const read = (schema: unknown) => ({ schema, locations: valueLocations(schema) })
  const { verdict } = compareSchemas(read(before), read(after), false)
  if (verdict === 'same') return 'schema-rewritten'
  return verdict === 'contained' ? 'error-details-narrowed' : 'error-details-changed'
}

const timeout: Judge = (before, after) => {
  if (before === undefined || after === undefined) return 'timeout-changed'
  if (typeof before !== 'number' || typeof after !== 'number') return undefined
  return after < before ? 'timeout-shortened' : 'timeout-lengthened'
}

const limit: Judge = (before, after) => {
  const [a, b] = [rateOf(before), rateOf(after)]
  if (a === undefined || b === undefined) return undefined
  return b.calls < a.calls || b.rate < a.rate ? 'limit-tightened' : 'limit-loosened'
}

/** How many calls at once, and how many in the long run. */
function rateOf(limit: unknown): { calls: number; rate: number } | undefined {
  if (limit === undefined) return { calls: Number.POSITIVE_INFINITY, rate: Number.POSITIVE_INFINITY }
  if (!isObject(limit) || typeof limit.calls !== 'number' || typeof limit.per_ms !== 'number') return undefined
  return { calls: limit.calls, rate: limit.calls / limit.per_ms }
}

/** Not said is the same as no. */
const task: Judge = (before = false, after = false) => {
  if (![before, after].every((value) => value === false || value === 'allowed' || value === 'required'))
    return undefined
  if (before === after) return 'metadata'
  if (after === 'required') return 'task-required'
  if (after === false) return 'task-refused'
  return before === false ? 'task-allowed' : 'task-optional'
}

const deprecated: Judge = (before, after) => {
  if (![before, after].every((value) => value === undefined || typeof value === 'string')) return undefined
  return after === undefined ? 'undeprecated' : before === undefined ? 'deprecated' : 'metadata'
}

const FIELDS: Readonly<Record<string, Judge>> = {
  version: words('version-changed'),
  title: words('title-changed'),
  description: words('description-changed'),
  security: words('security-changed'),
  examples: () => 'examples-changed',
  destructive: flag('destructive-on', 'destructive-off'),
  idempotent: flag('idempotent-on', 'idempotent-off'),
  keyed: flag('keyed-on', 'keyed-off', false),
  undo: flag('undo-on', 'undo-off', false),
  dryRun: flag('dry-run-on', 'dry-run-off', false),
  text: flag('text-on', 'text-off', false),
  openWorld,
  errors,
  errorDetails,
  timeout,
  limit,
  task,
  cacheTtl: () => 'cache-ttl',
  deprecatedIn: deprecated,
  replacedBy: words('replaced-by'),
  migration: words('migration-changed'),
}
