/** The ways in which a text may name an input: `min_rating` is "min rating", or a rating of which it says "at least". */

import { stem } from '../../../english/stem.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import { normalizedName } from '../names.ts'
import type { Need } from '../types.ts'
import type { Token } from './tokens.ts'

export interface Label {
  /** what the value is known under */
  readonly key: string
  readonly words: readonly string[]
  /** `id`, `name`: the label is the thing without the word, so only a value that looks like an id or a name may follow */
  readonly kind: 'any' | 'id' | 'name'
  readonly bound: 'min' | 'max' | undefined
  readonly jsonTypes: number
  readonly isList: boolean
}

/** Those that begin with a word of the text, by its stem; those of the most words first. */
export function labelsOf(needs: readonly Need[], tokens: readonly Token[]): Map<string, Label[]> {
  const spoken = new Set(tokens.map(({ lower }) => stem(lower)))
  const unique = new Map<string, Label>()
  for (const label of needs.flatMap(labelsForNeed)) {
    if (!spoken.has(stem(label.words[0] ?? ''))) continue
    const id = `${label.key} ${label.words.join(' ')}`
    const known = unique.get(id)
    unique.set(id, known === undefined ? label : { ...label, jsonTypes: label.jsonTypes | known.jsonTypes })
  }
  const byHead = Map.groupBy(unique.values(), ({ words }) => stem(words[0] ?? ''))
  for (const list of byHead.values()) list.sort((a, b) => b.words.length - a.words.length || (a.key < b.key ? -1 : 1))
  return byHead
}

const labelsForNeed = (need: Need): Label[] =>
  [...new Set([need.typeId ?? need.property, need.property, ...need.names])].flatMap((name) => labelsFor(name, need))

function labelsFor(name: string, need: Need): Label[] {
  const words = normalizedName(name).split('_')
  const [first] = words
  const last = words.at(-1)
  if (first === undefined || first === '') return []
  const isList = need.item !== undefined && (need.jsonTypes & KIND.STRING) === 0
  const jsonTypes = isList ? (need.item?.jsonTypes ?? 0) : need.jsonTypes
  const label: Label = { key: name, words, kind: 'any', bound: undefined, jsonTypes, isList }
  if (words.length === 1) return [label]
  const labels = [label]
  if (last === 'id' || last === 'name') labels.push({ ...label, words: words.slice(0, -1), kind: last })
  const bound = /^(min|max)(?:imum)?$/.exec(first)?.[1] as Label['bound']
  if (bound !== undefined) labels.push({ ...label, words: words.slice(1), bound })
  return labels
}

/** Whether the words of the label are at this position. */
export const isLabelAt = ({ words }: Label, tokens: readonly Token[], at: number): boolean =>
  words.every((word, index) => {
    const token = tokens[at + index]
    return token !== undefined && !token.quoted && (token.lower === word || stem(token.lower) === stem(word))
  })
