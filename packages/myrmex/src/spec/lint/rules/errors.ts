/** Rules about sections 5 and 6: error types and idempotency. */
import { formRule, type Rule, toolRule } from '../finding.ts'
import { quoteText } from '../show-value.ts'

/** Phrases that say that a tool has no errors of its own. */
const NONE =
  /\b(?:none|nothing|n\/a|no (?:[\w-]+ ){0,3}(?:errors?|failures?|exceptions?)|(?:never|cannot|can't|does not|doesn't) (?:fail|\w+ (?:any )?(?:errors?|exceptions?)))\b/i

export const ERRORS: readonly Rule[] = [
  formRule(
    'missing-errors',
    'warning',
    'Section 5 lists no error type and does not say that there are none.',
    function* (tool) {
      const section = tool.nonEmptySection('errors')
      if (section === undefined || tool.parsed.errors.length > 0 || NONE.test(tool.textOf(section))) return
      const message =
        'no error type is listed. Write one item for each, such as "- `NotFoundError`: when", or say that there are none.'
      yield { location: section.location, message }
    },
  ),
  toolRule('duplicate-error', 'error', 'An error type is listed twice.', function* ({ parsed }) {
    const seen = new Map<string, number>()
    for (const { type, location } of parsed.errors) {
      const first = seen.get(type)
      if (first === undefined) seen.set(type, location.line)
      else
        yield {
          location,
          message: `${quoteText(type)} is already listed in line ${first}. Merge the conditions.`,
        }
    }
  }),
  formRule('idempotency-unclear', 'error', 'Section 6 does not say whether the tool is idempotent.', function* (tool) {
    const section = tool.nonEmptySection('idempotency')
    if (section === undefined || tool.parsed.idempotent !== undefined) return
    const message =
      'it is not clear whether the tool is idempotent. Write "This tool is **idempotent**" or "**not idempotent**".'
    yield { location: section.location, message }
  }),
]
