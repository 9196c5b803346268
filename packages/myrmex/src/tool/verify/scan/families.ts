/** All families of rules, compiled into one set of patterns. */

import { CONCEAL } from './families/conceal.ts'
import { HARM } from './families/harm.ts'
import { OVERRIDE } from './families/override.ts'
import { SECRETS } from './families/secrets.ts'
import { STEERING } from './families/steering.ts'
import type { Family } from './family.ts'
import { PatternSet } from './pattern.ts'

const FAMILIES: readonly Family[] = [...OVERRIDE, ...CONCEAL, ...SECRETS, ...STEERING, ...HARM]

export interface CompiledPattern {
  readonly family: Family
  readonly weight: number
  readonly source: string
}

interface CompiledRules {
  readonly patterns: PatternSet
  readonly byNumber: readonly CompiledPattern[]
}

let made: CompiledRules | undefined

/** Compiled on first use: most processes scan nothing. */
export function compiledRules(): CompiledRules {
  if (made !== undefined) return made
  const patterns = new PatternSet()
  const byNumber: CompiledPattern[] = []
  for (const family of FAMILIES) {
    for (const [weight, source] of family.patterns) {
      patterns.add(byNumber.length, source)
      byNumber.push({ family, weight, source })
    }
  }
  made = { patterns, byNumber }
  return made
}
