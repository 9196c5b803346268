/** Every rule there is. Each has a page in docs/rules. */
import { DEFINITION } from './definition.ts'
import { ERRORS } from './errors.ts'
import { EXAMPLES } from './examples.ts'
import type { Rule } from './finding.ts'
import { IDENTITY } from './identity.ts'
import { SCHEMAS } from './schemas.ts'
import { SLOW } from './slow.ts'
import { STRUCTURE } from './structure.ts'
import { TABLES } from './table.ts'

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
