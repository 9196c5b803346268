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
  #byKey: Map<string, Resource | undefined> | undefined
  readonly #fixed: readonly Resource[]
  readonly #templates: readonly Resource[]

  constructor(items: readonly Resource[]) {
    this.#fixed = items.filter(({ uri }) => uri !== undefined)
    this.#templates = items.filter(({ template }) => template !== undefined)
  }

  /** The resource that is listed with this URI, in any spelling. */
  listed(uri: string): FoundResource | undefined {
    if (this.#fixed.length === 0) return undefined
    // Lists change more often than anybody uses another spelling.
    this.#byKey ??= keyed(this.#fixed)
    const item = this.#byKey.get(uriKey(uri))
    return item?.uri === undefined ? undefined : { item, variables: {}, uri: item.uri }
  }

  /** The template of a canonical URI. Throws StepsExhausted if the templates are too costly. */
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

function keyed(items: readonly Resource[]): Map<string, Resource | undefined> {
  const found = new Map<string, Resource | undefined>()
  for (const item of items) {
    const key = uriKey(item.uri ?? '')
    found.set(key, found.has(key) ? undefined : item)
  }
  return found
}

export class StepsExhausted extends Error {
  constructor() {
    super('The resource templates are too costly to match.')
  }
}
