/** Compares two schemas of a tool by containment, after lenient-schemas.ts has prepared them. */
import { type CompileSchema, compileForeign } from '../../schema/containment/witness.ts'
import { type Containment, checkContainment } from '../../schema/containment.ts'
import { isSchema } from '../../schema/json-schema/vocabulary.ts'
import { openToNewNames, withoutNewNames } from './lenient-schemas.ts'
import type { ValueLocations } from './value-locations.ts'

/** same: neither schema accepts anything that the other does not */
export type SchemaVerdict = Containment | { readonly verdict: 'same' }

/** Broken, or not known to be whole. */
export const isBreaking = (verdict: SchemaVerdict | undefined): boolean =>
  verdict?.verdict === 'not contained' || verdict?.verdict === 'undecided'

interface Read {
  readonly schema: unknown
  readonly locations: ValueLocations
}

/** Whether the new input takes all that the old one took, or the new output gives only what the old one promised. */
export function compareSchemas(
  before: Read,
  after: Read,
  input: boolean,
  compile: CompileSchema = compileForeign,
): SchemaVerdict {
  const [old, now] = [before.schema, after.schema]
  if (!isSchema(old) || !isSchema(now)) return undecided('one of the two is not a schema')
  if (!before.locations.complete || !after.locations.complete) return undecided('references multiply its places')
  const [narrow, wide, prepare] = input ? [old, now, withoutNewNames] : [now, old, openToNewNames]
  const lenient = typeof wide === 'boolean' ? wide : prepare(wide, before.locations, after.locations)
  const asked = checkContainment(narrow, lenient, compile)
  if (asked.verdict !== 'contained') return asked
  const pairs = [[old, now] as const, [now, old] as const]
  const same = pairs.every(([a, b]) => checkContainment(a, b, compile).verdict === 'contained')
  return same ? { verdict: 'same' } : asked
}

const undecided = (why: string): SchemaVerdict => ({ verdict: 'undecided', where: '', why })
