/** What the name of a tool says about it: whether it acts or only looks something up, and what it is about. */

const LOOKUPS = new Set(
  'get list find search describe show read fetch resolve lookup query check view count status info inspect browse discover retrieve load explain preview validate snapshot'.split(
    ' ',
  ),
)
const ACTIONS = new Set(
  'add append apply approve arm attach authorize book buy call cancel change charge chmod close commit copy create delete deploy disable disarm drop edit enable evaluate exec execute export fill forward grant insert install invite issue kill lock make merge move navigate open order patch pay place post prescribe publish push put refund remove rename replace reset restart revoke run save scale send set share shell start stop store submit terminate transfer trigger type unlock update upload write'.split(
    ' ',
  ),
)
const MIN_NOUN = 4

/** `name` as written: `sendEmail`, `send_email` and `send-email` have the same parts. */
const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** "call-to-action", "read-only-mode" */
const JOINED = new Set('and by end in of off on only or out side source the through to up'.split(' '))

/** Whether a word that no known tool has is built like the name of one: it starts with a verb. */
export function startsWithVerb(name: string): boolean {
  const [verb = '', next = ''] = partsOf(name)
  return (ACTIONS.has(verb) || LOOKUPS.has(verb)) && next !== '' && !JOINED.has(next)
}

const singular = (word: string): string => word.replace(/s$/, '')

/** What the name of another tool says: whether that tool only looks something up, and whether it is about the same things as this one. */
export function nameKinds(name: string, about: ReadonlySet<string>): string[] {
  const parts = partsOf(name)
  const isAction = parts.some((part) => ACTIONS.has(part))
  const kind = isAction ? 'NAMEACTS' : parts.some((part) => LOOKUPS.has(part)) ? 'NAMELOOKSUP' : 'NAMEOTHER'
  const nouns = new Set(
    parts.filter((part) => part.length >= MIN_NOUN && !ACTIONS.has(part) && !LOOKUPS.has(part)).map(singular),
  )
  const isKin = [...about].some((word) => nouns.has(singular(word)))
  return [kind, isKin ? 'KINNAME' : 'STRANGENAME']
}
