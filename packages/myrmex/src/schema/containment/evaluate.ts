/** Whether interned schemas accept a value, as our validator would say; undefined if the judge cannot tell. */
import type { Json } from '../../protocol/json.ts'
import { judge } from '../json-schema/judge.ts'
import type { InternedSchema, Literal } from './formula/interned-schema.ts'
import type { WorkLimit } from './search/work-limit.ts'

export type Truth = boolean | undefined

export class Evaluator {
  readonly #work: WorkLimit

  constructor(work: WorkLimit) {
    this.#work = work
  }

  accepts({ schema, document }: Omit<InternedSchema, 'id'>, value: Json): Truth {
    this.#work.spend()
    const judged = judge(schema, value, document, { firstFaultOnly: true, budget: this.#work })
    this.#work.spend(0)
    return judged === 'unknown' ? undefined : judged === 'fits'
  }

  holds({ node, holds }: Literal, value: Json): Truth {
    const accepted = this.accepts(node, value)
    return accepted === undefined ? undefined : accepted === holds
  }

  all(literals: readonly Literal[], value: Json): Truth {
    let truth: Truth = true
    for (const one of literals) {
      const holds = this.holds(one, value)
      if (holds === false) return false
      if (holds === undefined) truth = undefined
    }
    return truth
  }
}
