/** The bounds of foreign schemas and of checking values against them. */

/** Steps of one check: an applied schema, a visited member, a state of a pattern. A million take some tens of milliseconds. */
export const MAX_STEPS = 3_000_000
/** Steps of all checks of one message with many calls together. */
export const MAX_MESSAGE_STEPS = 10_000_000
/** Schemas applied within each other to one value and its members. */
export const MAX_VALUE_DEPTH = 600
/** Schemas in one document. */
export const MAX_SCHEMAS = 20_000
/** Schemas that apply to one value, with every reference followed. */
export const MAX_EXPANDED = 20_000
/** States of all patterns of one document together. */
export const MAX_PATTERN_STATES = 50_000
