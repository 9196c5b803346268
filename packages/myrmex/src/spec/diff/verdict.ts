/** Compares two schemas of a tool by containment, after lenient-schemas.ts has prepared them. */
import type { JsonObject } from '../../protocol/json.ts'
import { type CompileSchema, compileWithAjv } from '../containment/witness.ts'
import { type Containment, checkContainment } from '../containment.ts'
import { openToNewNames, withoutNewNames } from './lenient-schemas.ts'
import { asSchema, type ValueLocations } from './value-locations.ts'

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
  compile: CompileSchema = compileWithAjv,
): SchemaVerdict {
  const [old, now] = [asSchema(before.schema), asSchema(after.schema)]
  if (old === undefined || now === undefined) return undecided('one of the two is not a schema')
  if (!before.locations.complete || !after.locations.complete) return undecided('references multiply its places')
  const { locations: were } = before
  const { locations: are } = after
  const asked = input
    ? checkContainment(
        old,
        read(now, (schema) => withoutNewNames(schema, were, are)),
        compile,
      )
    : checkContainment(
        now,
        read(old, (schema) => openToNewNames(schema, were, are)),
        compile,
      )
  if (asked.verdict !== 'contained') return asked
  const within = (narrow: JsonObject | boolean, wide: JsonObject | boolean): boolean =>
    checkContainment(narrow, wide, compile).verdict === 'contained'
  const same = within(old, now) && within(now, old)
  return same ? { verdict: 'same' } : asked
}

const read = (schema: JsonObject | boolean, how: (schema: JsonObject) => JsonObject): JsonObject | boolean =>
  typeof schema === 'boolean' ? schema : how(schema)

const undecided = (why: string): SchemaVerdict => ({ verdict: 'undecided', where: '', why })
