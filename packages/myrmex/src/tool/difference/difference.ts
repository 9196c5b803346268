/** One difference between two definitions: a sentence for people, and what a program needs to judge it. */
import type { SchemaLocation } from './schema-location.ts'

export interface Difference {
  /** one line, nothing hidden in it */
  readonly text: string
  /** where the two definitions differ */
  readonly path: readonly PropertyKey[]
  /** required, optional: a property became that. order: the same items are in another order or number. */
  readonly kind: 'added' | 'removed' | 'changed' | 'required' | 'optional' | 'order'
  readonly before: unknown
  readonly after: unknown
  /** before and after are not the whole lists, but the members that went and those that came */
  readonly isMembersOnly?: true
  /** for a difference within a schema: the schema and the keyword. A property is under `properties`. */
  readonly schema?: { readonly place: SchemaLocation; readonly keyword: string }
}

/** Added, removed or changed, as the two sides show. */
export const newDifference = (
  text: string,
  path: readonly PropertyKey[],
  before: unknown,
  after: unknown,
  schema?: Difference['schema'],
): Difference => ({
  text,
  path,
  kind: before === undefined ? 'added' : after === undefined ? 'removed' : 'changed',
  before,
  after,
  ...(schema !== undefined && { schema }),
})
