/**
 * The issues of a Standard Schema in the words that all validators share. Its library reports a message of its own, which may repeat the
 * value, so the JSON Schema of it is asked what it demands at that location. Where it demands nothing, as for a check in code, the
 * message of the library stays, unless the schema has secrets.
 */
import { type BoundedCheck, boundedCheck } from './bounded-schema/bounded-schema.ts'
import { ToolError } from './errors.ts'
import { describeIssue, type Issue, MAX_ISSUES } from './issue.ts'
import { type JsonObject, pointer } from './json.ts'
import type { SecretNames } from './secret.ts'

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export function standardIssues(
  json: JsonObject,
  side: 'input' | 'output',
  secrets: SecretNames,
): (issues: readonly StandardIssue[], whole: unknown) => Issue[] {
  let check: BoundedCheck | undefined
  const demanded = (whole: unknown): readonly Issue[] => {
    try {
      check ??= boundedCheck(json, { side, secrets })
      return check(whole)
    } catch (thrown) {
      if (!(thrown instanceof ToolError)) throw thrown
      check = () => []
      return []
    }
  }
  return (issues, whole) => {
    const known = Map.groupBy(demanded(whole), ({ path }) => path)
    return issues.slice(0, MAX_ISSUES).map(({ path = [], message }) => {
      const steps = path.map((step) => (typeof step === 'object' ? step.key : step))
      const said = secrets.size > 0 ? {} : { message }
      // One of several at the same location each, in their order.
      return (
        known.get(pointer(steps))?.shift() ??
        describeIssue({ path: steps, keyword: 'custom', params: {}, ...said }, whole, secrets)
      )
    })
  }
}
