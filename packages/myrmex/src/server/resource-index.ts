/**
 * Finds the listed resource or the template that a URI means, in any spelling. One look-up takes a limited number of steps, however many
 * templates there are and however they are written.
 */
import { uriKey } from '../tool/canonical-uri.ts'
import type { Resource } from '../tool/resource.ts'

export interface FoundResource {
  readonly item: Resource
  readonly variables: Record<string, string>
  /** what is judged, recorded and read: the URI as it is listed, otherwise its canonical form */
  readonly uri: string
}

/** A step takes about 50 ns. Matching one URI against a hundred ordinary templates takes about 50,000. */
const MAX_STEPS = 400_000

export class ResourceIndex {
  /** undefined: several resources are listed with this key, so that only the exact spelling finds one */
  readonly #byKey = new Map<string, Resource | undefined>()
  readonly #templates: Resource[] = []

  constructor(items: Iterable<Resource>) {
    for (const item of items) {
      if (item.template !== undefined) this.#templates.push(item)
      if (item.uri === undefined) continue
      const key = uriKey(item.uri)
      this.#byKey.set(key, this.#byKey.has(key) ? undefined : item)
    }
  }

  listed(uri: string): FoundResource | undefined {
    const item = this.#byKey.size === 0 ? undefined : this.#byKey.get(uriKey(uri))
    return item?.uri === undefined ? undefined : { item, variables: {}, uri: item.uri }
  }

  /** `uri` is canonical. Throws StepsExhausted if the templates are too costly. */
  matching(uri: string): FoundResource | undefined {
    let left = MAX_STEPS
    const spend = (steps: number): void => {
      left -= steps
      if (left < 0) throw new StepsExhausted()
    }
    for (const item of this.#templates) {
      spend(1)
      const variables = item.template?.match(uri, spend)
      if (variables !== undefined) return { item, variables, uri }
    }
    return undefined
  }
}

export class StepsExhausted extends Error {
  constructor() {
    super('The resource templates are too costly to match.')
  }
}
