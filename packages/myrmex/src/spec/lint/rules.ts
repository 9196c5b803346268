/** All rules, in the order of docs/rules/README.md. Each has a page there. */

import type { Rule } from './finding.ts'
import { DEFINITION } from './rules/definition.ts'
import { ERRORS } from './rules/errors.ts'
import { EXAMPLES } from './rules/examples.ts'
import { IDENTITY } from './rules/identity.ts'
import { SCHEMAS } from './rules/schemas.ts'
import { STRUCTURE } from './rules/structure.ts'
import { TABLES } from './rules/tables.ts'
import { SLOW } from './rules/too-slow.ts'

export const RULES: readonly Rule[] = [
  ...STRUCTURE,
  ...IDENTITY,
  ...SCHEMAS,
  ...TABLES,
  ...ERRORS,
  ...EXAMPLES,
  ...DEFINITION,
  ...SLOW,
]
