/**
 * Changes of what a server lists beside the fields of a definition, in words: hints about what a tool does, icons, metadata. A field that the
 * definition repeats has its line there.
 */
import { isObject } from '../../protocol/json.ts'
import { AS_DEFINED } from '../as-defined.ts'
import { type Difference, newDifference } from './difference.ts'
import { formatValue, isSameValue } from './format.ts'
import { placeInWords } from './place-in-words.ts'
import { namesOf, ownValue, valueDifferences } from './value-differences.ts'

/** What a server says with a hint: if it is true, false, or not given. */
const HINTS: Readonly<Record<string, readonly [yes: string, no: string, none: string]>> = {
  readOnlyHint: ['that it changes nothing', 'that it changes state', 'whether it changes state'],
  destructiveHint: [
    'that it may delete or overwrite something',
    'that it only adds something',
    'whether it deletes or overwrites something',
  ],
  idempotentHint: [
    'that calling it again changes nothing further',
    'that calling it again may change more',
    'whether calling it again changes more',
  ],
  openWorldHint: [
    'that it reaches other systems',
    'that it reaches no other system',
    'whether it reaches other systems',
  ],
}

/** `before` and `after` are the two definitions. */
export function listingDifferences(before: object, after: object): Difference[] | undefined {
  const [a, b] = [ownValue(before, 'listing'), ownValue(after, 'listing')]
  if (!isObject(a) || !isObject(b)) return undefined
  return namesOf(a, b).flatMap((field) => {
    const [was, is] = [ownValue(a, field), ownValue(b, field)]
    if (isSameValue(was, is)) return []
    const path = ['listing', field]
    if (field === 'annotations') return annotationDifferences(was, is)
    if (was !== AS_DEFINED && is !== AS_DEFINED) return valueDifferences(was, is, path)
    // The field itself has a line.
    if (!isSameValue(ownValue(before, field), ownValue(after, field))) return []
    const text = is === undefined ? 'no longer lists' : was === undefined ? 'now lists' : 'lists in another way'
    return [newDifference(`its server ${text} ${placeInWords([field])}`, path, was, is)]
  })
}

function annotationDifferences(before: unknown = {}, after: unknown = {}): Difference[] {
  const path = ['listing', 'annotations']
  if (!isObject(before) || !isObject(after)) return valueDifferences(before, after, path)
  const found = namesOf(before, after).flatMap((hint) => {
    const [was, is] = [ownValue(before, hint), ownValue(after, hint)]
    if (isSameValue(was, is)) return []
    const words = Object.hasOwn(HINTS, hint) ? HINTS[hint] : undefined
    if (words === undefined || ![was, is].every((value) => value === undefined || typeof value === 'boolean'))
      return valueDifferences(was, is, [...path, hint])
    const said = is === undefined ? `no longer says ${words[2]}` : `now says ${is ? words[0] : words[1]}`
    return [
      newDifference(`its server ${said} (${hint}: ${formatValue(was)} → ${formatValue(is)})`, [...path, hint], was, is),
    ]
  })
  // From no annotations to an empty object.
  return found.length > 0 ? found : [newDifference('its server lists its hints in another way', path, before, after)]
}
