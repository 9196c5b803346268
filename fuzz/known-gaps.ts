/**
 * Hostile input that the code does not withstand yet, in one place. A name in this list turns its generator off, so that the fuzz finds
 * new faults instead of these. Remove a name when its gap is closed: the fuzz then fails if it comes back.
 */

/** Each is a known denial of service; SECURITY.md lists them under its known gaps. */
const KNOWN_GAPS: ReadonlySet<string> = new Set<Gap>([
  // `pattern: ^(a+)+$` on the engine that backtracks
  'backtracking patterns',
  // a chain of schemas in which each refers to the next one twice
  'doubling references',
  // hundreds of subschemas, which take Ajv more than a second to compile
  'large schemas',
])

export type Gap = 'backtracking patterns' | 'doubling references' | 'large schemas'

export const isKnownGap = (gap: Gap): boolean => KNOWN_GAPS.has(gap)
