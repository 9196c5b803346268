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

const major = (reason: string, todo: string): ChangeRule => ({ level: 'major', reason, todo })
const minor = (reason: string): ChangeRule => ({ level: 'minor', reason })
const patch = (reason: string): ChangeRule => ({ level: 'patch', reason })

const INPUT = {
  'parameter-required-added': major(
    'A call without the new parameter is rejected.',
    'Pass the new parameter in every call.',
  ),
  'parameter-removed': major('A call with it is rejected, or the parameter is silently ignored.', 'Stop passing it.'),
  'parameter-now-required': major('A call without it is rejected.', 'Pass it in every call.'),
  'parameter-type-changed': major('A value of the old type is rejected.', 'Pass a value of the new type.'),
  'parameter-type-narrowed': major(
    'A value of a type that was accepted is rejected.',
    'Pass only values of the remaining types.',
  ),
  'bound-narrowed': major('A value within the old bounds is rejected.', 'Stay within the new bound.'),
  'form-narrowed': major(
    'A string in the old pattern or format may be rejected.',
    'Pass strings in the new pattern or format.',
  ),
  'enum-value-removed': major('A call with a removed value is rejected.', 'Use one of the remaining values.'),
  'choice-removed': major('A value of a removed choice is rejected.', 'Use one of the remaining choices.'),
  'other-parameters-refused': major(
    'A call with undeclared parameters was accepted and is rejected.',
    'Pass declared parameters only.',
  ),
  'input-narrowed': major('A value that was accepted is rejected.', 'Compare your calls with the new input schema.'),
  'input-undecided': major(
    'It cannot be decided whether every old value is still accepted, so it is treated as breaking.',
    'Compare your calls with the new input schema.',
  ),
  'default-changed': major('The same call does something else.', 'Pass the old default if you relied on it.'),
  'default-removed': major(
    'The same call does something else, because no value is filled in.',
    'Pass the old default if you relied on it.',
  ),
  'header-changed': major(
    'Over HTTP the parameter must also be sent in another header.',
    'Fetch the definition again, and send the header that it names.',
  ),
  'content-changed': major(
    'The same string is read in another encoding or as another content type.',
    'Send, or read, the string in its new encoding.',
  ),
  'secret-off': major(
    'The value was kept out of records and messages, and is now written into them.',
    'Decide again whether you want to pass this value.',
  ),
  'parameter-added': minor('The parameter is optional, so every call stays valid.'),
  'parameter-optional': minor('Calls with it stay valid.'),
  'parameter-deprecated': minor('An announcement: it will be removed in a later major version.'),
  'parameter-type-widened': minor('Every old value is still accepted, and more.'),
  'bound-widened': minor('Every old value is still accepted, and more.'),
  'form-widened': minor('Every old value is still accepted, and more.'),
  'enum-value-added': minor('Every old value is still accepted, and more.'),
  'choice-added': minor('Every old value is still accepted, and more.'),
  'other-parameters-taken': minor('Every old value is still accepted, and more.'),
  'input-widened': minor('Every old value is still accepted, as a comparison of the schemas shows.'),
  'default-added': minor('It says what happens without the parameter.'),
  'header-removed': patch('The header is ignored. The parameter is in the body anyway.'),
  'secret-on': patch('The same calls are valid, and less of them is recorded.'),
  'deprecation-withdrawn': patch('The announced removal is withdrawn.'),
} satisfies Record<string, ChangeRule>

const OUTPUT = {
  'output-field-removed': major('Readers of the field find nothing.', 'Stop reading the field.'),
  'output-field-optional': major('The field was always present, and may be missing.', 'Handle results without it.'),
  'output-type-changed': major('Readers get a value of another type.', 'Read the new type.'),
  'output-type-widened': major('The value may have a new type.', 'Handle the new types.'),
  'output-bound-widened': major(
    'The value may be outside of the promised bounds.',
    'Handle values beyond the old bound.',
  ),
  'output-form-widened': major(
    'A string may have another pattern or format than was promised.',
    'Handle strings in another pattern or format.',
  ),
  'output-enum-value-added': major('The value may be one that readers do not handle.', 'Handle the new values.'),
  'output-choice-added': major('The value may be of a choice that readers do not handle.', 'Handle the new choice.'),
  'output-widened': major(
    'A result may contain what the old schema excluded.',
    'Compare what you read with the new output schema.',
  ),
  'output-undecided': major(
    'It cannot be decided whether every promise is kept, so it is treated as breaking.',
    'Compare what you read with the new output schema.',
  ),
  'output-field-added': minor('Readers ignore unknown fields.'),
  'output-others-possible': minor('Readers ignore unknown fields.'),
  'output-others-excluded': minor('Every promise is kept, and there are more.'),
  'output-field-required': minor('Every promise is kept, and there are more.'),
  'output-field-deprecated': minor('An announcement: it will be removed in a later major version.'),
  'output-type-narrowed': minor('Every promise is kept, and there are more.'),
  'output-bound-narrowed': minor('Every promise is kept, and there are more.'),
  'output-form-narrowed': minor('Every promise is kept, and there are more.'),
  'output-enum-value-removed': minor('One value less to handle.'),
  'output-choice-removed': minor('One choice less to handle.'),
  'output-narrowed': minor('Every promise is kept, as a comparison of the schemas shows.'),
  'output-default-changed': patch('Defaults are not filled in to results.'),
} satisfies Record<string, ChangeRule>

const BEHAVIOUR = {
  'destructive-on': major(
    'A call that went through now waits for trust and approval.',
    'Expect to wait for an approval, or ask for a grant.',
  ),
  'idempotent-off': major('Calling it again is no longer safe.', 'Pass an idempotency key, or do not retry.'),
  'keyed-off': major(
    'An interrupted call is no longer safe to repeat with its key.',
    'Check what an interrupted call has changed before you repeat it.',
  ),
  'undo-off': major('Calls can no longer be undone.', 'Do not rely on undo.'),
  'dry-run-off': major('Dry runs are refused.', 'Do not ask for a dry run.'),
  'text-on': major('Results have no structured content any more, only a text.', 'Read the text of the result.'),
  'text-off': major('Results have structured content instead of one text.', 'Read the fields of the data.'),
  'task-required': major('A caller without support for tasks is rejected.', 'Call it as a task.'),
  'task-refused': major('The tool can no longer be called as a task.', 'Call it and wait for the result.'),
  'error-details-changed': major(
    'The details of an error may be of another form than before.',
    'Compare what you read of the details with their new schema.',
  ),
  'error-details-removed': major('The form of the details is no longer promised.', 'Do not rely on the details.'),
  malformed: major('A field has an invalid value, so its meaning is unknown.', 'Ask the author.'),
  'destructive-off': minor('Calls no longer wait for approval.'),
  'idempotent-on': minor('An additional promise.'),
  'keyed-on': minor('An additional promise.'),
  'undo-on': minor('Calls can be undone.'),
  'dry-run-on': minor('Calls can be tried without their effect.'),
  'open-world-on': minor('It says that it reaches other systems. Clients may ask before they call it.'),
  'task-allowed': minor('The tool can also be called as a task.'),
  'task-optional': minor('Callers without support for tasks can call it, too.'),
  'error-type-added': minor('Callers that handle every declared error meet a new one.'),
  'error-type-removed': minor('One error less to handle.'),
  'error-details-added': minor('An additional promise.'),
  'error-details-narrowed': minor('Every promise is kept, and there are more.'),
  'timeout-shortened': minor('A long call may time out.'),
  'timeout-changed': minor('One of the two versions declares no timeout.'),
  'limit-tightened': minor('Frequent callers get ApiLimitExceeded sooner.'),
  deprecated: minor('An announcement: the tool will be removed in a later version.'),
  'timeout-lengthened': patch('Every call that was in time still is.'),
  'limit-loosened': patch('Every call that was allowed still is.'),
  'open-world-off': patch('It says that it reaches no other system.'),
  'cache-ttl': patch('Only how long the definition may be cached.'),
  undeprecated: patch('The announced removal is withdrawn.'),
  'replaced-by': patch('A hint which tool to use instead.'),
  'error-condition': patch('The same error, described differently.'),
} satisfies Record<string, ChangeRule>

const WORDS = {
  'schema-rewritten': patch('The same values, written differently.'),
  'schema-words': patch('Documentation: titles, descriptions and examples in a schema.'),
  'schema-metadata': patch('A keyword without effect on validation.'),
  'description-changed': patch('Documentation.'),
  'title-changed': patch('Documentation.'),
  'security-changed': patch('Documentation.'),
  'examples-changed': patch('Documentation.'),
  'migration-changed': patch('Documentation.'),
  metadata: patch('A field without effect on calls.'),
  'version-changed': { level: 'none', reason: 'The version itself.' },
} satisfies Record<string, ChangeRule>

const TABLE = { ...INPUT, ...OUTPUT, ...BEHAVIOUR, ...WORDS }
export type ChangeKind = keyof typeof TABLE

export const CHANGES: Readonly<Record<ChangeKind, ChangeRule>> = TABLE

const ORDER: readonly ChangeLevel[] = ['none', 'patch', 'minor', 'major']

/** Positive if `a` requires the bigger step. */
export const compareLevels = (a: ChangeLevel, b: ChangeLevel): number => ORDER.indexOf(a) - ORDER.indexOf(b)

export const highestLevel = (levels: readonly ChangeLevel[]): ChangeLevel =>
  levels.reduce((highest, level) => (compareLevels(level, highest) > 0 ? level : highest), 'none')
