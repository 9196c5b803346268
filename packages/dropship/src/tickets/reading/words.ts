/**
 * A message as the model sees it: cut to a length, in lower case, with contractions spelled out and with every number, link, address
 * and amount replaced by a placeholder word. The same text always gives the same words.
 */

/** Longer messages are read up to here. No real question starts after three pages, and hostile messages can be endless. */
export const MAX_READ = 4_000

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(can)'?t\b|\bcannot\b/g, 'can not'],
  [/\bwon'?t\b/g, 'will not'],
  [/\b(is|are|was|were|do|does|did|has|have|had|would|could|should)n'?t\b/g, '$1 not'],
  [/\b(i)'?m\b/g, '$1 am'],
  [/\b(i|you|we|they)'ve\b/g, '$1 have'],
  [/\b(i|you|he|she|it|we|they)'d\b/g, '$1 would'],
  [/\b(i|you|he|she|it|we|they)'ll\b/g, '$1 will'],
  [/\b(you|we|they)'re\b/g, '$1 are'],
  [/\b(it|that|what|where|there|here|who)'s\b/g, '$1 is'],
  [/\bwheres\b/g, 'where is'],
  [/\b(pls|plz)\b/g, 'please'],
  [/\b(thx|tnx|ty)\b/g, 'thanks'],
]

/** The order matters: an address contains numbers, and a link contains dots. */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/(?:https?:\/\/|www\.)\S+/g, ' alink '],
  [/[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}/g, ' anemail '],
  [/[€$£]\s?\d+(?:[.,]\d+)?|\b\d+(?:[.,]\d+)?\s?(?:€|eur\b|euros?\b|usd\b|dollars?\b|pounds?\b)/g, ' anamount '],
  [/#\s?\d{3,}/g, ' anordernumber '],
  [/\b(order(?: number| no\.?| nr\.?)?)\s?:?\s?(?:o_)?\d{3,}\b/g, '$1 anordernumber '],
  [/\b\d+(?:st|nd|rd|th)\b/g, ' adate '],
  [/\b\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\b/g, ' adate '],
  [/\b\d{4,5}\b/g, ' alongnumber '],
  [/\b\d+\b/g, ' anumber '],
]

/** Polite phrases that occur in any message and say nothing about its topic or mood. */
const COURTESIES: readonly RegExp[] = [
  /\b(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening))(?: (?:there|all|team|sir|madam|sir or madam|support|everyone|customer service|shop))?\b[,!.]?/g,
  /\bi? ?hope (?:you are|this finds you|all is|you had)[^.!?]{0,40}[.!?]/g,
  /\b(?:many |kind |best |warm |with |friendly |kindest )*(?:regards|greetings|wishes)\b.*$/g,
  /\b(?:sincerely|yours|cheers|all the best|best)[,.!]? *(?:\p{L}+[ .]*){0,3}$/gu,
  /\b(?:many |a lot of )?(?:thanks|thank you)(?: (?:a lot|so much|very much))? (?:in advance|and regards|for (?:your (?:help|time|support|answer|reply|assistance|quick (?:reply|answer|help))|looking into (?:it|this)|a quick (?:reply|answer)))\b[.!]?/g,
  /\b(?:many )?(?:thanks|thank you)(?: (?:a lot|so much|very much))?[.!,]? *(?:\p{L}+[ .!]*){0,2}$/gu,
  /\b(?:that|it|this)? ?would be (?:very |so |really )?(?:great|nice|lovely|perfect|good|helpful|kind|appreciated|wonderful|fantastic)\b/g,
  /\b(?:looking|look) forward to [^.!?]{0,40}[.!?]?/g,
  /\bhave a (?:nice|good|great|lovely|wonderful)[^.!?]{0,20}[.!?]?/g,
  /\bif (?:you could|possible)\b|\bbest seller\b/g,
]

/** Lower-case text without polite phrases. A message that has nothing else is returned unchanged. */
export function withoutCourtesies(text: string): string {
  let left = text
  for (const pattern of COURTESIES) left = left.replace(pattern, ' ')
  left = left.replace(/\s+/g, ' ').trim()
  return wordsOf(left).length < 3 ? text : left
}

/** Removes markup and invisible characters, and makes quotes plain. */
export function plainText(text: string): string {
  return text
    .slice(0, MAX_READ)
    .normalize('NFKC')
    .replace(/<[^<>]{0,300}>/g, ' ')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
    .replace(/[‘’´`]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Lower case with placeholders. Cues are matched against this form. */
export function normalised(text: string): string {
  let normal = plainText(text).toLowerCase()
  for (const [pattern, into] of CONTRACTIONS) normal = normal.replace(pattern, into)
  for (const [pattern, into] of PLACEHOLDERS) normal = normal.replace(pattern, into)
  return withoutCourtesies(normal.replace(/\s+/g, ' ').trim())
}

/** Words of the letters a to z. Small words such as 'the' stay, because phrases need them. */
export const wordsOf = (text: string): string[] => text.match(/[a-z]+/g) ?? []

/** Phrases with which people move on to another topic. */
const ASIDE =
  /(?:^|[.!?,;\n]\s*|\s)(?=(?:(?:and |oh |but )?(?:by the way|btw|also|besides|additionally|furthermore|another thing|another question|one more (?:thing|question)|on another note|p\.?\s?s\.?:?)\b))/iu

/** The topic that the message opens with, and the texts of those that follow. */
export function mattersOf(text: string): [string, ...string[]] {
  const [first = '', ...others] = plainText(text)
    .split(ASIDE)
    .map((matter) => matter.trim())
    .filter((matter) => matter !== '')
  return [first, ...others]
}

/** Sentences, split further at joins such as `and could you`. */
export function partsOf(text: string): string[] {
  return plainText(text)
    .split(
      /(?<=[.!?;])\s+|,?\s+(?=(?:and|but|plus)\s+(?:could|can|please|i (?:want|need|would)|where|when|how|what|is|do|does)\b)/iu,
    )
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
