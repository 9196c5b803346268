/**
 * What changed between two definitions of a tool, in plain words, one line per change. If anything that a caller can see
 * differs, there is a line for it.
 */
import { isObject } from '../../protocol/json.ts'
import { type Difference, newDifference } from './difference.ts'
import { formatChange, formatName, formatValue, isSameValue, itemsNotIn, quoteText } from './format.ts'
import { listingDifferences } from './listing-differences.ts'
import { schemaDifferences } from './schema-differences.ts'
import { namesOf, ownValue, valueDifferences } from './value-differences.ts'

/** Undefined if it cannot describe the change: then the values are shown. */
type DescribeChange = (
  before: unknown,
  after: unknown,
  field: string,
  definitions: readonly [before: object, after: object],
) => (string | Difference)[] | undefined

/** `before` and `after` come from `visibleDefinition`. */
export const differenceTexts = (before: object, after: object): string[] =>
  toolDifferences(before, after).map(({ text }) => text)

/** The same, for a program that judges them. */
export function toolDifferences(before: object, after: object): Difference[] {
  const known = Object.keys(FIELDS)
  const fields = [...known, ...namesOf(before, after).filter((name) => !known.includes(name))]
  return fields.flatMap((field) => {
    const [a, b] = [ownValue(before, field), ownValue(after, field)]
    if (isSameValue(a, b)) return []
    const said = (Object.hasOwn(FIELDS, field) && FIELDS[field]?.(a, b, field, [before, after])) || undefined
    // Each change of the listing has a line of its own, or one of the field that it repeats.
    if (said === undefined || (said.length === 0 && field !== 'listing')) return valueDifferences(a, b, [field])
    return said.map((one) => (typeof one === 'string' ? newDifference(one, [field], a, b) : one))
  })
}

const text: DescribeChange = (before, after, field) => {
  if (typeof before === 'string' && typeof after === 'string')
    return [`${field} changed: ${formatChange(before, after)}`]
  if (before === undefined) return [`${field} added: ${formatValue(after)}`]
  return after === undefined ? [`${field} removed (was ${formatValue(before)})`] : undefined
}

const flag =
  (yes: string, no: string): DescribeChange =>
  (before, after, field) =>
    typeof after === 'boolean' ? [`${after ? yes : no} (${field}: ${formatValue(before)} → ${after})`] : undefined

/** A missing promise counts as false. */
const promise =
  (yes: string, no: string): DescribeChange =>
  (before = false, after = false, field) =>
    [before, after].every((value) => typeof value === 'boolean')
      ? [`${after ? yes : no} (${field}: ${before} → ${after})`]
      : undefined

const amount =
  (name: string, unit: string): DescribeChange =>
  (before, after) =>
    [before, after].every((value) => typeof value === 'number')
      ? [`${name} ${before} ${unit} → ${after} ${unit}`]
      : undefined

const schema =
  (what: string): DescribeChange =>
  (before, after, field) =>
    schemaDifferences(before, after, { what, name: '', path: [field] })

const errors: DescribeChange = (before, after) => {
  if (!isObject(before) || !isObject(after)) return undefined
  return namesOf(before, after).flatMap((type) => {
    const [a, b] = [ownValue(before, type), ownValue(after, type)]
    if (isSameValue(a, b)) return []
    const label = `error type ${formatName(type)}`
    const one = (text: string): Difference[] => [newDifference(`${label}${text}`, ['errors', type], a, b)]
    if (a === undefined) return one(` added: ${formatValue(b)}`)
    if (b === undefined) return one(' removed')
    return one(`: condition changed: ${formatChange(a, b)}`)
  })
}

const errorDetails: DescribeChange = (before = {}, after = {}) => {
  if (!isObject(before) || !isObject(after)) return undefined
  return namesOf(before, after).flatMap((type) => {
    const [a, b] = [ownValue(before, type), ownValue(after, type)]
    if (isSameValue(a, b)) return []
    const one = (text: string): Difference[] => [
      newDifference(`the details of error ${formatName(type)}${text}`, ['errorDetails', type], a, b),
    ]
    if (a === undefined) return one(` are described: ${formatValue(b)}`)
    if (b === undefined) return one(' are no longer described')
    return one(` changed: ${formatChange(a, b)}`)
  })
}

const limit: DescribeChange = (before, after) => {
  const rate = (value: unknown): string =>
    isObject(value) && Object.keys(value).sort().join() === 'calls,per_ms'
      ? `${formatValue(value.calls)} calls per ${formatValue(value.per_ms)} ms`
      : formatValue(value)
  return [`limit ${rate(before)} → ${rate(after)}`]
}

/** Compared by content, so that an inserted example does not change all the others. */
const examples: DescribeChange = (before, after) => {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined
  const [gone, come] = [itemsNotIn(before, after), itemsNotIn(after, before)]
  if (gone.length === 0 && come.length === 0) return ['examples are in another order or number']
  return [
    ...come.map((item) => `example ${nameOf(item)} added: ${formatValue(item)}`),
    ...gone.map((item) => `example ${nameOf(item)} removed: ${formatValue(item)}`),
  ]
}

const nameOf = (example: unknown): string =>
  isObject(example) && typeof example.title === 'string' ? quoteText(example.title) : 'without a title'

const version: DescribeChange = (before, after) => {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  const bare = (text: string): string => (/^[\w.+-]{1,80}$/.test(text) ? text : quoteText(text))
  return [`version ${bare(before)} → ${bare(after)}`]
}

/** Of an upstream's tool it is what its server says, unless the operator's file says otherwise. */
const destructive: DescribeChange = (before, after, field, definitions) => {
  const isFollowed = definitions.every((one) => {
    const said = serverSaysItChangesState(one)
    return said === undefined || said === ownValue(one, field)
  })
  if (isFollowed) return saysDestructive(before, after, field, definitions)
  if (typeof after !== 'boolean') return undefined
  const what = `it changes ${after ? 'state' : 'nothing'} (${field}: ${formatValue(before)} → ${after})`
  return serverSaysItChangesState(definitions[1]) === after
    ? [`myrmex.json no longer decides about it, and by the word of its server ${what}`]
    : [`myrmex.json now says that ${what}`]
}

const saysDestructive = flag('now says it changes state', 'no longer says it changes state')

/** Undefined: it is a tool of this program. */
function serverSaysItChangesState(definition: object): boolean | undefined {
  const listing = ownValue(definition, 'listing')
  if (!isObject(listing)) return undefined
  return !(isObject(listing.annotations) && listing.annotations.readOnlyHint === true)
}

/** Ordered by importance for the person who decides. */
const FIELDS: Readonly<Record<string, DescribeChange>> = {
  name: text,
  version,
  destructive,
  idempotent: flag(
    'now says that calling it again changes nothing further',
    'now says that calling it again may change more',
  ),
  keyed: promise(
    'now says that calling it again with the same key changes nothing further',
    'no longer says that calling it again with the same key changes nothing further',
  ),
  undo: promise('now says that what it did can be undone', 'no longer says that what it did can be undone'),
  dryRun: promise(
    'now says that it has a dry run, which runs without approval and gets the arguments',
    'no longer says that it has a dry run',
  ),
  text: promise('now returns a text instead of fields', 'now returns fields instead of a text'),
  openWorld: flag('now says that it reaches other systems', 'now says that it reaches no other system'),
  description: text,
  title: text,
  inputSchema: schema('parameter'),
  outputSchema: schema('output field'),
  errors,
  errorDetails,
  security: text,
  timeout: amount('timeout', 'ms'),
  limit,
  task: (before, after) => [`runs as a task: ${formatValue(before)} → ${formatValue(after)}`],
  deprecatedIn: text,
  replacedBy: text,
  migration: text,
  cacheTtl: amount('definition may be kept for', 's'),
  examples,
  listing: (_before, _after, _field, definitions) => listingDifferences(...definitions),
}
