/** The keywords of a JSON Schema whose values are schemas. */
export const keywordSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** By name: a schema for each. */
export const SCHEMA_MAPS = keywordSet('properties patternProperties $defs definitions dependentSchemas')
export const SCHEMA_LISTS = keywordSet('allOf anyOf oneOf prefixItems')
/** `items` may be a list in draft-07. Such a list is compared as it is. */
export const SCHEMA_KEYWORDS = keywordSet(
  'items contains propertyNames not if then else additionalProperties unevaluatedProperties additionalItems unevaluatedItems',
)
