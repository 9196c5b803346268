/**
 * Every kind of change, the version step it requires, and why. This table is the whole policy: nothing else in `spec/` knows a
 * level. docs/changes.md prints it.
 */

/** The version step that a change requires. none: not even a new version. */
export type ChangeLevel = 'major' | 'minor' | 'patch' | 'none'

export interface ChangeRule {
  readonly level: ChangeLevel
  /** why it has this level, for the table and the migration note */
  readonly reason: string
  /** what callers have to do, if anything */
  readonly todo?: string
}

const INPUT = {
  'parameter-required-added': {
    level: 'major',
    reason: 'A call without the new parameter is rejected.',
    todo: 'Pass the new parameter in every call.',
  },
  'parameter-removed': {
    level: 'major',
    reason: 'A call with it is rejected, or the parameter is silently ignored.',
    todo: 'Stop passing it.',
  },
  'parameter-now-required': {
    level: 'major',
    reason: 'A call without it is rejected.',
    todo: 'Pass it in every call.',
  },
  'parameter-type-changed': {
    level: 'major',
    reason: 'A value of the old type is rejected.',
    todo: 'Pass a value of the new type.',
  },
  'parameter-type-narrowed': {
    level: 'major',
    reason: 'A value of a type that was accepted is rejected.',
    todo: 'Pass only values of the remaining types.',
  },
  'bound-narrowed': {
    level: 'major',
    reason: 'A value within the old bounds is rejected.',
    todo: 'Stay within the new bound.',
  },
  'form-narrowed': {
    level: 'major',
    reason: 'A string in the old pattern or format may be rejected.',
    todo: 'Pass strings in the new pattern or format.',
  },
  'enum-value-removed': {
    level: 'major',
    reason: 'A call with a removed value is rejected.',
    todo: 'Use one of the remaining values.',
  },
  'choice-removed': {
    level: 'major',
    reason: 'A value of a removed choice is rejected.',
    todo: 'Use one of the remaining choices.',
  },
  'other-parameters-refused': {
    level: 'major',
    reason: 'A call with undeclared parameters was accepted and is rejected.',
    todo: 'Pass declared parameters only.',
  },
  'input-narrowed': {
    level: 'major',
    reason: 'A value that was accepted is rejected.',
    todo: 'Compare your calls with the new input schema.',
  },
  'input-undecided': {
    level: 'major',
    reason: 'It cannot be decided whether every old value is still accepted, so it is treated as breaking.',
    todo: 'Compare your calls with the new input schema.',
  },
  'default-changed': {
    level: 'major',
    reason: 'The same call does something else.',
    todo: 'Pass the old default if you relied on it.',
  },
  'default-removed': {
    level: 'major',
    reason: 'The same call does something else, because no value is filled in.',
    todo: 'Pass the old default if you relied on it.',
  },
  'header-changed': {
    level: 'major',
    reason: 'Over HTTP the parameter must also be sent in another header.',
    todo: 'Fetch the definition again, and send the header that it names.',
  },
  'content-changed': {
    level: 'major',
    reason: 'The same string is read in another encoding or as another content type.',
    todo: 'Send, or read, the string in its new encoding.',
  },
  'secret-off': {
    level: 'major',
    reason: 'The value was kept out of records and messages, and is now written into them.',
    todo: 'Decide again whether you want to pass this value.',
  },
  'parameter-added': { level: 'minor', reason: 'The parameter is optional, so every call stays valid.' },
  'parameter-optional': { level: 'minor', reason: 'Calls with it stay valid.' },
  'parameter-deprecated': { level: 'minor', reason: 'An announcement: it will be removed in a later major version.' },
  'parameter-type-widened': { level: 'minor', reason: 'Every old value is still accepted, and more.' },
  'bound-widened': { level: 'minor', reason: 'Every old value is still accepted, and more.' },
  'form-widened': { level: 'minor', reason: 'Every old value is still accepted, and more.' },
  'enum-value-added': { level: 'minor', reason: 'Every old value is still accepted, and more.' },
  'choice-added': { level: 'minor', reason: 'Every old value is still accepted, and more.' },
  'other-parameters-taken': { level: 'minor', reason: 'Every old value is still accepted, and more.' },
  'input-widened': {
    level: 'minor',
    reason: 'Every old value is still accepted, as a comparison of the schemas shows.',
  },
  'default-added': { level: 'minor', reason: 'It says what happens without the parameter.' },
  'header-removed': { level: 'patch', reason: 'The header is ignored. The parameter is in the body anyway.' },
  'secret-on': { level: 'patch', reason: 'The same calls are valid, and less of them is recorded.' },
  'deprecation-withdrawn': { level: 'patch', reason: 'The announced removal is withdrawn.' },
} as const satisfies Record<string, ChangeRule>

const OUTPUT = {
  'output-field-removed': {
    level: 'major',
    reason: 'Readers of the field find nothing.',
    todo: 'Stop reading the field.',
  },
  'output-field-optional': {
    level: 'major',
    reason: 'The field was always present, and may be missing.',
    todo: 'Handle results without it.',
  },
  'output-type-changed': {
    level: 'major',
    reason: 'Readers get a value of another type.',
    todo: 'Read the new type.',
  },
  'output-type-widened': {
    level: 'major',
    reason: 'The value may have a new type.',
    todo: 'Handle the new types.',
  },
  'output-bound-widened': {
    level: 'major',
    reason: 'The value may be outside of the promised bounds.',
    todo: 'Handle values beyond the old bound.',
  },
  'output-form-widened': {
    level: 'major',
    reason: 'A string may have another pattern or format than was promised.',
    todo: 'Handle strings in another pattern or format.',
  },
  'output-enum-value-added': {
    level: 'major',
    reason: 'The value may be one that readers do not handle.',
    todo: 'Handle the new values.',
  },
  'output-choice-added': {
    level: 'major',
    reason: 'The value may be of a choice that readers do not handle.',
    todo: 'Handle the new choice.',
  },
  'output-widened': {
    level: 'major',
    reason: 'A result may contain what the old schema excluded.',
    todo: 'Compare what you read with the new output schema.',
  },
  'output-undecided': {
    level: 'major',
    reason: 'It cannot be decided whether every promise is kept, so it is treated as breaking.',
    todo: 'Compare what you read with the new output schema.',
  },
  'output-field-added': { level: 'minor', reason: 'Readers ignore unknown fields.' },
  'output-others-possible': { level: 'minor', reason: 'Readers ignore unknown fields.' },
  'output-others-excluded': { level: 'minor', reason: 'Every promise is kept, and there are more.' },
  'output-field-required': { level: 'minor', reason: 'Every promise is kept, and there are more.' },
  'output-field-deprecated': {
    level: 'minor',
    reason: 'An announcement: it will be removed in a later major version.',
  },
  'output-type-narrowed': { level: 'minor', reason: 'Every promise is kept, and there are more.' },
  'output-bound-narrowed': { level: 'minor', reason: 'Every promise is kept, and there are more.' },
  'output-form-narrowed': { level: 'minor', reason: 'Every promise is kept, and there are more.' },
  'output-enum-value-removed': { level: 'minor', reason: 'One value less to handle.' },
  'output-choice-removed': { level: 'minor', reason: 'One choice less to handle.' },
  'output-narrowed': { level: 'minor', reason: 'Every promise is kept, as a comparison of the schemas shows.' },
  'output-default-changed': { level: 'patch', reason: 'Defaults are not filled in to results.' },
} as const satisfies Record<string, ChangeRule>

const BEHAVIOUR = {
  'destructive-on': {
    level: 'major',
    reason: 'A call that went through now waits for trust and approval.',
    todo: 'Expect to wait for an approval, or ask for a grant.',
  },
  'idempotent-off': {
    level: 'major',
    reason: 'Calling it again is no longer safe.',
    todo: 'Pass an idempotency key, or do not retry.',
  },
  'keyed-off': {
    level: 'major',
    reason: 'An interrupted call is no longer safe to repeat with its key.',
    todo: 'Check what an interrupted call has changed before you repeat it.',
  },
  'undo-off': {
    level: 'major',
    reason: 'Calls can no longer be undone.',
    todo: 'Do not rely on undo.',
  },
  'task-required': {
    level: 'major',
    reason: 'A caller without support for tasks is rejected.',
    todo: 'Call it as a task.',
  },
  'task-refused': {
    level: 'major',
    reason: 'The tool can no longer be called as a task.',
    todo: 'Call it and wait for the result.',
  },
  malformed: {
    level: 'major',
    reason: 'A field has an invalid value, so its meaning is unknown.',
    todo: 'Ask the author.',
  },
  'destructive-off': { level: 'minor', reason: 'Calls no longer wait for approval.' },
  'idempotent-on': { level: 'minor', reason: 'An additional promise.' },
  'keyed-on': { level: 'minor', reason: 'An additional promise.' },
  'undo-on': { level: 'minor', reason: 'Calls can be undone.' },
  'task-allowed': { level: 'minor', reason: 'The tool can also be called as a task.' },
  'task-optional': { level: 'minor', reason: 'Callers without support for tasks can call it, too.' },
  'error-type-added': { level: 'minor', reason: 'Callers that handle every declared error meet a new one.' },
  'error-type-removed': { level: 'minor', reason: 'One error less to handle.' },
  'timeout-shortened': { level: 'minor', reason: 'A long call may time out.' },
  'timeout-changed': { level: 'minor', reason: 'One of the two versions declares no timeout.' },
  'limit-tightened': { level: 'minor', reason: 'Frequent callers get ApiLimitExceeded sooner.' },
  deprecated: { level: 'minor', reason: 'An announcement: the tool will be removed in a later version.' },
  'timeout-lengthened': { level: 'patch', reason: 'Every call that was in time still is.' },
  'limit-loosened': { level: 'patch', reason: 'Every call that was allowed still is.' },
  'cache-ttl': { level: 'patch', reason: 'Only how long the definition may be cached.' },
  undeprecated: { level: 'patch', reason: 'The announced removal is withdrawn.' },
  'replaced-by': { level: 'patch', reason: 'A hint which tool to use instead.' },
  'error-condition': { level: 'patch', reason: 'The same error, described differently.' },
} as const satisfies Record<string, ChangeRule>

const WORDS = {
  'schema-rewritten': { level: 'patch', reason: 'The same values, written differently.' },
  'schema-words': { level: 'patch', reason: 'Documentation: titles, descriptions and examples in a schema.' },
  'schema-metadata': { level: 'patch', reason: 'A keyword without effect on validation.' },
  'description-changed': { level: 'patch', reason: 'Documentation.' },
  'title-changed': { level: 'patch', reason: 'Documentation.' },
  'security-changed': { level: 'patch', reason: 'Documentation.' },
  'examples-changed': { level: 'patch', reason: 'Documentation.' },
  metadata: { level: 'patch', reason: 'A field without effect on calls.' },
  'version-changed': { level: 'none', reason: 'The version itself.' },
} as const satisfies Record<string, ChangeRule>

const TABLE = { ...INPUT, ...OUTPUT, ...BEHAVIOUR, ...WORDS } as const
export type ChangeKind = keyof typeof TABLE

export const CHANGES: Readonly<Record<ChangeKind, ChangeRule>> = TABLE

const ORDER: readonly ChangeLevel[] = ['none', 'patch', 'minor', 'major']

/** Positive if `a` requires the bigger step. */
export const compareLevels = (a: ChangeLevel, b: ChangeLevel): number => ORDER.indexOf(a) - ORDER.indexOf(b)

export const highestLevel = (levels: readonly ChangeLevel[]): ChangeLevel =>
  levels.reduce((highest, level) => (compareLevels(level, highest) > 0 ? level : highest), 'none')
