/**
 * Every kind of change there is, the step of the version it asks for, and why. This is the whole policy: nothing else in
 * `spec/` knows a level, and the documentation prints this table.
 */

/** What a change asks of the version. none: nothing, not even a new one. */
export type ChangeLevel = 'major' | 'minor' | 'patch' | 'none'

export interface ChangeRule {
  readonly level: ChangeLevel
  /** why it is of this level, for whoever reads the table or the note */
  readonly reason: string
  /** what a caller has to do; only where a caller has to do something */
  readonly todo?: string
}

const INPUT = {
  'parameter-required-added': {
    level: 'major',
    reason: 'A call without the new parameter is refused.',
    todo: 'Give the new parameter in every call.',
  },
  'parameter-removed': {
    level: 'major',
    reason: 'A call that gives it is refused, or it is ignored without a word.',
    todo: 'Stop giving it.',
  },
  'parameter-now-required': {
    level: 'major',
    reason: 'A call that left it out is refused.',
    todo: 'Give it in every call.',
  },
  'parameter-type-changed': {
    level: 'major',
    reason: 'A value of the old type is refused.',
    todo: 'Give a value of the new type.',
  },
  'parameter-type-narrowed': {
    level: 'major',
    reason: 'A value of a type that was taken is refused.',
    todo: 'Give only values of the types that are left.',
  },
  'bound-narrowed': {
    level: 'major',
    reason: 'A value that was within the bounds is refused.',
    todo: 'Keep to the new bound.',
  },
  'form-narrowed': {
    level: 'major',
    reason: 'A text of the old form (pattern, format) may be refused.',
    todo: 'Give texts of the new form.',
  },
  'enum-value-removed': {
    level: 'major',
    reason: 'A call with a value that is gone is refused.',
    todo: 'Use one of the values that are left.',
  },
  'choice-removed': {
    level: 'major',
    reason: 'A value of a form that is gone is refused.',
    todo: 'Use one of the forms that are left.',
  },
  'other-parameters-refused': {
    level: 'major',
    reason: 'A call with a name that is not declared was taken and is refused.',
    todo: 'Give declared names only.',
  },
  'input-narrowed': {
    level: 'major',
    reason: 'Something that was accepted is no longer.',
    todo: 'Compare your calls with the new input schema.',
  },
  'input-undecided': {
    level: 'major',
    reason: 'Whether all that was accepted still is cannot be decided, so it is treated as breaking.',
    todo: 'Compare your calls with the new input schema.',
  },
  'default-changed': {
    level: 'major',
    reason: 'The same call does something else.',
    todo: 'Give the old default yourself where you relied on it.',
  },
  'default-removed': {
    level: 'major',
    reason: 'The same call does something else, since nothing is filled in.',
    todo: 'Give the old default yourself where you relied on it.',
  },
  'header-changed': {
    level: 'major',
    reason: 'Over HTTP the parameter must also stand in a header that it did not stand in.',
    todo: 'Read the definition anew, and send the header it names.',
  },
  'content-changed': {
    level: 'major',
    reason: 'The same text is read in another encoding or as another kind of content.',
    todo: 'Send, or read, the text in its new encoding.',
  },
  'secret-off': {
    level: 'major',
    reason: 'What was kept out of the records and messages is written into them.',
    todo: 'Decide again whether you want to give this value.',
  },
  'parameter-added': { level: 'minor', reason: 'It may be left out, so every call stays good.' },
  'parameter-optional': { level: 'minor', reason: 'Calls that give it stay good.' },
  'parameter-deprecated': { level: 'minor', reason: 'An announcement: it will go in a later major version.' },
  'parameter-type-widened': { level: 'minor', reason: 'All that was accepted still is, and more.' },
  'bound-widened': { level: 'minor', reason: 'All that was accepted still is, and more.' },
  'form-widened': { level: 'minor', reason: 'All that was accepted still is, and more.' },
  'enum-value-added': { level: 'minor', reason: 'All that was accepted still is, and more.' },
  'choice-added': { level: 'minor', reason: 'All that was accepted still is, and more.' },
  'other-parameters-taken': { level: 'minor', reason: 'All that was accepted still is, and more.' },
  'input-widened': { level: 'minor', reason: 'All that was accepted still is; the schema was shown to allow it.' },
  'default-added': { level: 'minor', reason: 'It says what happens when the parameter is left out.' },
  'header-removed': { level: 'patch', reason: 'The header is ignored; the parameter stands in the body anyway.' },
  'secret-on': { level: 'patch', reason: 'The same calls are good, and less of them is written down.' },
  'deprecation-withdrawn': { level: 'patch', reason: 'What was to go stays.' },
} as const satisfies Record<string, ChangeRule>

const OUTPUT = {
  'output-field-removed': {
    level: 'major',
    reason: 'Whoever reads it finds nothing.',
    todo: 'Do without the field.',
  },
  'output-field-optional': {
    level: 'major',
    reason: 'It was always there, and may be missing.',
    todo: 'Be ready for a result without it.',
  },
  'output-type-changed': {
    level: 'major',
    reason: 'Whoever reads it gets a value of another type.',
    todo: 'Read the new type.',
  },
  'output-type-widened': {
    level: 'major',
    reason: 'It may be of a type that it never was.',
    todo: 'Be ready for the new types.',
  },
  'output-bound-widened': {
    level: 'major',
    reason: 'It may be outside of the bounds that were promised.',
    todo: 'Be ready for values beyond the old bound.',
  },
  'output-form-widened': {
    level: 'major',
    reason: 'A text may be of another form (pattern, format) than was promised.',
    todo: 'Be ready for texts of another form.',
  },
  'output-enum-value-added': {
    level: 'major',
    reason: 'It may be a value that nobody has handled.',
    todo: 'Handle the new values.',
  },
  'output-choice-added': {
    level: 'major',
    reason: 'It may be of a form that nobody has handled.',
    todo: 'Handle the new form.',
  },
  'output-widened': {
    level: 'major',
    reason: 'Something may come that was promised never to.',
    todo: 'Compare what you read with the new output schema.',
  },
  'output-undecided': {
    level: 'major',
    reason: 'Whether all that was promised still is cannot be decided, so it is treated as breaking.',
    todo: 'Compare what you read with the new output schema.',
  },
  'output-field-added': { level: 'minor', reason: 'A reader ignores a name it does not know.' },
  'output-others-possible': { level: 'minor', reason: 'A reader ignores a name it does not know.' },
  'output-others-excluded': { level: 'minor', reason: 'All that was promised still is, and more.' },
  'output-field-required': { level: 'minor', reason: 'All that was promised still is, and more.' },
  'output-field-deprecated': { level: 'minor', reason: 'An announcement: it will go in a later major version.' },
  'output-type-narrowed': { level: 'minor', reason: 'All that was promised still is, and more.' },
  'output-bound-narrowed': { level: 'minor', reason: 'All that was promised still is, and more.' },
  'output-form-narrowed': { level: 'minor', reason: 'All that was promised still is, and more.' },
  'output-enum-value-removed': { level: 'minor', reason: 'A value that was handled no longer comes.' },
  'output-choice-removed': { level: 'minor', reason: 'A form that was handled no longer comes.' },
  'output-narrowed': { level: 'minor', reason: 'All that was promised still is; the schema was shown to keep it.' },
  'output-default-changed': { level: 'patch', reason: 'In a result a default fills in nothing.' },
} as const satisfies Record<string, ChangeRule>

const BEHAVIOUR = {
  'destructive-on': {
    level: 'major',
    reason: 'A call that went through waits for trust and approval.',
    todo: 'Be ready to wait for an approval, or ask for a grant.',
  },
  'idempotent-off': {
    level: 'major',
    reason: 'Calling it again is no longer safe.',
    todo: 'Give an idempotency key, or do not retry.',
  },
  'keyed-off': {
    level: 'major',
    reason: 'A call that broke off is no longer safe to repeat with its key.',
    todo: 'Look at what the call was to change before you repeat it.',
  },
  'undo-off': {
    level: 'major',
    reason: 'What it did can no longer be undone.',
    todo: 'Be ready to live with what it did.',
  },
  'task-required': {
    level: 'major',
    reason: 'A caller that does not speak tasks is refused.',
    todo: 'Call it as a task.',
  },
  'task-refused': {
    level: 'major',
    reason: 'It cannot be called as a task any more.',
    todo: 'Call it and wait for the result.',
  },
  malformed: {
    level: 'major',
    reason: 'A field holds what it cannot hold, so nobody can say what it means.',
    todo: 'Ask the author what was meant.',
  },
  'destructive-off': { level: 'minor', reason: 'Calls that waited go through.' },
  'idempotent-on': { level: 'minor', reason: 'One promise more.' },
  'keyed-on': { level: 'minor', reason: 'One promise more.' },
  'undo-on': { level: 'minor', reason: 'What it did can be undone.' },
  'task-allowed': { level: 'minor', reason: 'There is one more way to call it.' },
  'task-optional': { level: 'minor', reason: 'Callers that do not speak tasks may call it, too.' },
  'error-type-added': { level: 'minor', reason: 'A caller that handles every declared error meets a new one.' },
  'error-type-removed': { level: 'minor', reason: 'An error that was handled no longer comes.' },
  'timeout-shortened': { level: 'minor', reason: 'A call that took long may be cut off.' },
  'timeout-changed': { level: 'minor', reason: 'How long a call may take was not said on one side.' },
  'limit-tightened': { level: 'minor', reason: 'A busy caller meets ApiLimitExceeded sooner.' },
  deprecated: { level: 'minor', reason: 'An announcement: it will go in a later version.' },
  'timeout-lengthened': { level: 'patch', reason: 'Nothing that was in time is late.' },
  'limit-loosened': { level: 'patch', reason: 'Nothing that was let through is held back.' },
  'cache-ttl': { level: 'patch', reason: 'Only how long the definition may be kept.' },
  undeprecated: { level: 'patch', reason: 'What was to go stays.' },
  'replaced-by': { level: 'patch', reason: 'A hint for those who look for another tool.' },
  'error-condition': { level: 'patch', reason: 'The same error, in other words.' },
} as const satisfies Record<string, ChangeRule>

const WORDS = {
  'schema-rewritten': { level: 'patch', reason: 'The same values, written otherwise.' },
  'schema-words': { level: 'patch', reason: 'Documentation: titles, descriptions and examples in a schema.' },
  'schema-metadata': { level: 'patch', reason: 'A keyword that no validation knows.' },
  'description-changed': { level: 'patch', reason: 'Documentation.' },
  'title-changed': { level: 'patch', reason: 'Documentation.' },
  'security-changed': { level: 'patch', reason: 'Documentation.' },
  'examples-changed': { level: 'patch', reason: 'Documentation.' },
  metadata: { level: 'patch', reason: 'A field that changes nothing about a call.' },
  'version-changed': { level: 'none', reason: 'The version itself.' },
} as const satisfies Record<string, ChangeRule>

const TABLE = { ...INPUT, ...OUTPUT, ...BEHAVIOUR, ...WORDS } as const
export type ChangeKind = keyof typeof TABLE

export const CHANGES: Readonly<Record<ChangeKind, ChangeRule>> = TABLE

const ORDER: readonly ChangeLevel[] = ['none', 'patch', 'minor', 'major']

/** More than zero where `a` asks for the bigger step. */
export const compareLevels = (a: ChangeLevel, b: ChangeLevel): number => ORDER.indexOf(a) - ORDER.indexOf(b)

export const highestLevel = (levels: readonly ChangeLevel[]): ChangeLevel =>
  levels.reduce((highest, level) => (compareLevels(level, highest) > 0 ? level : highest), 'none')
