/** The known criteria by name. A test compares them with docs/critic.md. */
import type { CriterionRule } from '../criterion.ts'
import { clarity } from './clarity.ts'
import { completeness } from './completeness.ts'
import { grounding } from './grounding.ts'
import { keywordCoverage } from './keyword-coverage.ts'
import { length } from './length.ts'
import { persuasiveness } from './persuasiveness.ts'
import { policy } from './policy.ts'

export const CRITERIA: ReadonlyMap<string, CriterionRule> = new Map(
  [clarity, persuasiveness, length, grounding, keywordCoverage, policy, completeness].map((rule) => [rule.name, rule]),
)

/** `Keyword coverage` and `keyword-coverage` are the same criterion. */
export const criterionNamed = (name: string): CriterionRule | undefined =>
  CRITERIA.get(
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  )
