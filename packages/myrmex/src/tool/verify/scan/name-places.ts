/**
 * Which part another tool has in a sentence: what triggers an order, what is called, what is done through it, which argument or value goes
 * to it. Only distances between words are read, so that the wording in between does not matter.
 */
import { conceptId } from './concepts.ts'
import type { ConceptSpan, MatchedToken } from './pattern.ts'
import type { Token } from './tokens.ts'

export interface PlaceFeature {
  readonly sentence: number
  readonly feature: string
}

type Role = 'name' | 'self' | 'trigger' | 'kind' | 'call' | 'used' | 'argument' | 'value'

const ROLES = new Map<number, Role>(
  (
    [
      ['name', 'NAME'],
      ['self', 'SELF'],
      ['trigger', 'BEFORE WHEN WHENEVER EVERYTIME AFTER'],
      ['kind', 'OPERATION ALLTOOLS'],
      ['call', 'CALL!'],
      ['used', 'USED TOBE ENTAILS'],
      ['argument', 'ARGUMENT DEST PARAM'],
      ['value', 'PATH SECRETFILE URL EMAIL NUMBER'],
    ] as const
  ).flatMap(([role, groups]) => groups.split(' ').map((group) => [conceptId(group), role] as const)),
)

/** A word with this role, after a word with that role, at most so many words later. */
const PLACES: readonly (readonly [feature: string, role: Role, after: Role, reach: number])[] = [
  ['TRIGGERNAME', 'name', 'trigger', 6],
  ['TRIGGERKIND', 'kind', 'trigger', 5],
  ['TRIGGERSELF', 'self', 'trigger', 5],
  ['CALLNAME', 'name', 'call', 4],
  ['NAMEUSED', 'used', 'name', 3],
  ['ARGUMENTOFNAME', 'name', 'argument', 5],
  ['ARGUMENTOFNAME', 'argument', 'name', 5],
  ['NAMEVALUE', 'value', 'name', 10],
]

const VIA = new Set(['via', 'through', 'by', 'using', 'with'])

/** `spans` are in ascending order of `from`. */
export function placeFeatures(
  tokens: readonly Token[],
  matched: readonly MatchedToken[],
  spans: readonly ConceptSpan[],
): PlaceFeature[] {
  const found: PlaceFeature[] = []
  const last = new Map<Role, MatchedToken>()
  for (const { concept, from } of spans) {
    const role = ROLES.get(concept)
    const here = matched[from]
    if (role === undefined || here === undefined) continue
    const { sentence } = here
    for (const [feature, one, after, reach] of PLACES) {
      const before = one === role ? last.get(after) : undefined
      if (before?.sentence === sentence && here.ordinal > before.ordinal && here.ordinal - before.ordinal <= reach)
        found.push({ sentence, feature })
    }
    if (role === 'name' && isVia(tokens, from)) found.push({ sentence, feature: 'VIANAME' })
    last.set(role, here)
  }
  return found
}

/** "through send_email", "using the `send_email` tool" */
function isVia(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 3); at--) {
    const { text, kind } = tokens[at] as Token
    if (VIA.has(text)) return true
    if (kind !== 'mark' && text !== 'the') return false
  }
  return false
}
