/** Every schema within a document: what it is made of, what its references lead to, and what is kept for others to refer to. */
import { isObject, pointer } from '../../protocol/json.ts'
import type { Document } from './document.ts'
import { below, SHELVES } from './vocabulary.ts'

export interface Visit {
  readonly schema: Readonly<Record<string, unknown>>
  /** JSON pointer */
  readonly where: string
  /** within `not` or `if`, where the validator stops at the first fault */
  readonly hasty: boolean
}

type Next = Omit<Visit, 'schema'> & { readonly schema: unknown }

/** A schema that is met both ways comes twice. */
export function* every(document: Document): Generator<Visit> {
  const seen = { plain: new Set<unknown>(), hasty: new Set<unknown>() }
  const left: Next[] = [{ schema: document.root, where: '', hasty: false }]
  for (let visit = left.pop(); visit !== undefined; visit = left.pop()) {
    const { schema, where, hasty } = visit
    const known = hasty ? seen.hasty : seen.plain
    if (!isObject(schema) || known.has(schema)) continue
    known.add(schema)
    yield { schema, where, hasty }
    left.push(...next({ schema, where, hasty }, document))
  }
}

function* next({ schema, where, hasty }: Visit, document: Document): Generator<Next> {
  for (const [steps, value] of below(schema, document.draft07)) {
    yield { schema: value, where: where + pointer(steps), hasty: hasty || steps[0] === 'not' || steps[0] === 'if' }
  }
  for (const shelf of SHELVES) {
    const shelved = schema[shelf]
    for (const [name, value] of Object.entries(isObject(shelved) ? shelved : {})) {
      yield { schema: value, where: where + pointer([shelf, name]), hasty: false }
    }
  }
  if (typeof schema.$ref === 'string') {
    yield { schema: document.resolve(schema.$ref), where: schema.$ref.replace(/^[^#]*#?/, ''), hasty }
  }
}
