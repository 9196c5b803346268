/** Names a change in a schema by its keyword, by its direction, and by the result of containment. */
import { valueAtPath } from '../../protocol/json.ts'
import { vocabularyOf } from '../../schema/json-schema/vocabulary.ts'
import type { Difference } from '../../tool/difference/difference.ts'
import { WHOLE_SCHEMA } from '../../tool/difference/schema-differences.ts'
import type { ToolBody } from '../../tool/verify/verify-tool.ts'
import type { ChangeKind } from './change-kinds.ts'
import { type Aspect, directionOf } from './direction.ts'
import type { SilentChange } from './silent-changes.ts'
import { isBreaking, type SchemaVerdict } from './verdict.ts'

const WORDS = new Set(['description', 'title', '$comment', 'examples', 'markdownDescription'])
const CONTENT = new Set(['contentEncoding', 'contentMediaType', 'contentSchema'])
const SHARED = new Set(['$defs', 'definitions'])
/** Our validator obeys these although JSON Schema has no such words, so containment does not know them. */
const BEYOND = new Set([
  'nullable',
  'formatMinimum',
  'formatMaximum',
  'formatExclusiveMinimum',
  'formatExclusiveMaximum',
])
const VOCABULARY = Object.keys({ ...vocabularyOf(false), ...vocabularyOf(true) })
/** The meaning of the schema around them depends on these. */
const IDENTITY = '$dynamicAnchor $recursiveAnchor $anchor $id id $schema $vocabulary $defs definitions'.split(' ')
/** A change of these decides which values are accepted. */
const DECIDING = new Set([WHOLE_SCHEMA, ...VOCABULARY.filter((keyword) => !BEYOND.has(keyword)), ...IDENTITY])
/** Keywords that validation does not notice, and the change that they make. */
const SILENT = new Map<string, SilentChange['what']>([
  ['default', 'default'],
  ['x-secret', 'secret'],
])

export const affectsValidation = ({ schema }: Difference): boolean =>
  schema !== undefined && DECIDING.has(schema.keyword)

/** A difference that stands for a property as a whole: it came, went, or became required or not. */
const isProperty = ({ schema, path }: Difference): boolean =>
  schema?.keyword === 'properties' && schema.place.path.length === path.length

export interface KeywordQuestion {
  readonly difference: Difference
  readonly input: boolean
  readonly verdict: SchemaVerdict | undefined
  /** what shifted at the place of the difference */
  readonly shifts: readonly SilentChange[]
  /** the property was described before, somewhere else in the schema */
  readonly described: boolean
  readonly after: ToolBody
}

/** The shift is the one that the difference tells. */
export function kindOfKeyword(asked: KeywordQuestion): { readonly kind: ChangeKind; readonly shift?: SilentChange } {
  const { difference, input, shifts } = asked
  const keyword = difference.schema?.keyword ?? WHOLE_SCHEMA
  const isRemoval = isProperty(difference) && difference.kind === 'removed'
  const what = SILENT.get(keyword) ?? (isRemoval ? 'removed' : undefined)
  const shift = shifts.find((one) => one.what === what)
  if (shift !== undefined) return { kind: kindOfSilentChange(shift, input), shift }
  // Where the place itself says what it said before, only the writing has changed.
  if (SILENT.has(keyword)) return { kind: 'schema-rewritten' }
  return { kind: ofMark(difference, keyword, input) ?? ofValidation(asked, keyword) }
}

export function kindOfSilentChange({ what, difference }: SilentChange, input: boolean): ChangeKind {
  const { before, after } = difference
  if (what === 'removed') return input ? 'parameter-removed' : 'output-field-removed'
  if (what === 'secret') return after === true ? 'secret-on' : 'secret-off'
  if (!input) return 'output-default-changed'
  return before === undefined ? 'default-added' : after === undefined ? 'default-removed' : 'default-changed'
}

/** Keywords that accept and refuse nothing. */
function ofMark({ before, after }: Difference, keyword: string, input: boolean): ChangeKind | undefined {
  if (WORDS.has(keyword)) return 'schema-words'
  if (CONTENT.has(keyword)) return 'content-changed'
  if (BEYOND.has(keyword)) return namesOf(input).undecided
  if (keyword === 'deprecated' && after === true) return input ? 'parameter-deprecated' : 'output-field-deprecated'
  if (keyword === 'deprecated' && before === true) return 'deprecation-withdrawn'
  if (keyword === 'x-mcp-header' && input) return after === undefined ? 'header-removed' : 'header-changed'
  return DECIDING.has(keyword) ? undefined : 'schema-metadata'
}

function ofValidation(asked: KeywordQuestion, keyword: string): ChangeKind {
  const { difference, input, verdict } = asked
  if (isProperty(difference) && difference.kind === 'added' && !asked.described) return ofAdded(asked)
  if (verdict?.verdict === 'same' || SHARED.has(keyword) || difference.kind === 'order') return 'schema-rewritten'
  const { aspect, direction } = directionOf(difference, keyword)
  const names = namesOf(input)
  // A reader of results ignores names it does not know, so it is all the same whether there may be any.
  if (!input && aspect === 'others' && difference.before === false) return 'output-others-possible'
  if (aspect === 'form' && direction === 'unclear') return names.form[isBreaking(verdict) ? names.bad : names.good]
  if (!isBreaking(verdict)) return direction === names.good ? names[aspect][direction] : names.schema[names.good]
  if (direction !== 'unclear') return names[aspect][direction]
  if (aspect === 'type') return input ? 'parameter-type-changed' : 'output-type-changed'
  return kindOfVerdict(verdict, input)
}

/** A schema as a whole is broken, or not known to be whole. */
export function kindOfVerdict(verdict: SchemaVerdict | undefined, input: boolean): ChangeKind {
  const names = namesOf(input)
  return verdict?.verdict === 'undecided' ? names.undecided : names.schema[names.bad]
}

function ofAdded({ difference, input, verdict, after }: KeywordQuestion): ChangeKind {
  if (!input) return 'output-field-added'
  return isBreaking(verdict) && isRequired(after, difference.path) ? 'parameter-required-added' : 'parameter-added'
}

const isRequired = (body: ToolBody, path: readonly PropertyKey[]): boolean => {
  const required = valueAtPath(body, [...path.slice(0, -2), 'required'])
  return Array.isArray(required) && required.includes(path.at(-1))
}

type Named = Readonly<Record<Aspect, { readonly narrowed: ChangeKind; readonly widened: ChangeKind }>> & {
  readonly good: 'narrowed' | 'widened'
  readonly bad: 'narrowed' | 'widened'
  readonly undecided: ChangeKind
}

const namesOf = (input: boolean): Named => (input ? NAMES.input : NAMES.output)

const NAMES: Readonly<Record<'input' | 'output', Named>> = {
  input: {
    good: 'widened',
    bad: 'narrowed',
    undecided: 'input-undecided',
    type: { narrowed: 'parameter-type-narrowed', widened: 'parameter-type-widened' },
    bound: { narrowed: 'bound-narrowed', widened: 'bound-widened' },
    form: { narrowed: 'form-narrowed', widened: 'form-widened' },
    enum: { narrowed: 'enum-value-removed', widened: 'enum-value-added' },
    choice: { narrowed: 'choice-removed', widened: 'choice-added' },
    others: { narrowed: 'other-parameters-refused', widened: 'other-parameters-taken' },
    property: { narrowed: 'parameter-now-required', widened: 'parameter-optional' },
    schema: { narrowed: 'input-narrowed', widened: 'input-widened' },
  },
  output: {
    good: 'narrowed',
    bad: 'widened',
    undecided: 'output-undecided',
    type: { narrowed: 'output-type-narrowed', widened: 'output-type-widened' },
    bound: { narrowed: 'output-bound-narrowed', widened: 'output-bound-widened' },
    form: { narrowed: 'output-form-narrowed', widened: 'output-form-widened' },
    enum: { narrowed: 'output-enum-value-removed', widened: 'output-enum-value-added' },
    choice: { narrowed: 'output-choice-removed', widened: 'output-choice-added' },
    others: { narrowed: 'output-others-excluded', widened: 'output-widened' },
    property: { narrowed: 'output-field-required', widened: 'output-field-optional' },
    schema: { narrowed: 'output-narrowed', widened: 'output-widened' },
  },
}
