/**
 * Finds what makes a message a matter for a person: threats of legal action or a chargeback, danger to somebody, and instructions to
 * the machine instead of the shop. Nothing of it is ever obeyed. It is reported to the person who reads the draft.
 */
import { MAX_READ, normalised } from './words.ts'

export interface Alarm {
  readonly alarm: 'legal' | 'chargeback' | 'danger' | 'instructions' | 'press' | 'too long'
  /** for the person who reads the draft */
  readonly says: string
  readonly words: string
}

const KINDS: readonly (readonly [alarm: Alarm['alarm'], says: string, pattern: RegExp])[] = [
  [
    'legal',
    'speaks of the law',
    /\b(?:lawyers?|attorneys?|solicitors?|sue|suing|lawsuit|legal(?:ly)? (?:action|steps|advice|proceedings)|court|police|consumer (?:protection|rights|advice)|trading standards|ombudsman|gdpr|report you|small claims)\b/,
  ],
  [
    'chargeback',
    'threatens with a chargeback',
    /\bcharge.?backs?\b|\bdispute (?:the|this|my) (?:payment|charge|transaction)|\b(?:claim|case|dispute) (?:with|at|through) (?:my |the )?(?:bank|card|paypal|credit)/,
  ],
  [
    'danger',
    'speaks of harm or danger',
    /\b(?:injur\w*|hospital|burn(?:ed|t) (?:my|me|his|her)|caught fire|on fire|exploded|electric shock|cut my|allergic reaction|poison\w*|choked|smells? burnt|kill|bleeding)\b/,
  ],
  ['press', 'speaks of the press', /\b(?:journalist|newspaper|tv station|go public|go to the press)\b/],
  [
    'instructions',
    'speaks to the machine, not to the shop',
    /\b(?:ignore|disregard|forget|override|bypass) .{0,40}\b(?:instructions?|rules?|polic(?:y|ies)|prompts?|guidelines?|constraints?)\b|\b(?:system|developer|assistant) (?:prompt|message|mode|note)\b|\byou are (?:now )?(?:an? )?(?:ai|bot|assistant|language model|agent)\b|\bas an ai\b|\b(?:prompt|jailbreak)\b|\btool call\b|\bact as\b|\bset (?:the )?(?:confidence|status|intent)\b|\b(?:handle_ticket|tools?\/call|json ?rpc)\b|\[\/?(?:inst|system)\]|<\|/,
  ],
]

export function findAlarms(text: string): readonly Alarm[] {
  const normal = normalised(text)
  const found: Alarm[] = []
  for (const [alarm, says, pattern] of KINDS) {
    const hit = pattern.exec(normal)
    if (hit !== null) found.push({ alarm, says, words: hit[0].slice(0, 80) })
  }
  if (text.length > MAX_READ)
    found.push({ alarm: 'too long', says: `has ${text.length} characters, of which ${MAX_READ} were read`, words: '' })
  return found
}
