/** The names of sections and facts, in the wordings that people use. */
import { SECTIONS, type SectionId } from '../document.ts'

interface Wording {
  readonly id: SectionId
  /** these name the section wherever they stand */
  readonly clear: RegExp
  /** these also name a part of another section, such as the input of an example */
  readonly vague?: RegExp
}

const WORDINGS: readonly Wording[] = [
  {
    id: 'purpose',
    clear: /^(tool )?(purpose|(purpose|summary|overview) and description|description and purpose|tool description)$/,
    vague: /^(tool )?(description|overview|summary|about|what it does)$/,
  },
  {
    id: 'name',
    clear:
      /^((tool )?(invocation|canonical|unique)( tool)? name|invocation|tool name|tool id(entifier)?|name of the tool)$/,
    vague: /^(name|identifier|call(ed)? (as|name)|function name)$/,
  },
  {
    id: 'input',
    clear:
      /^((tool )?inputs? (schemas?|parameters?|arguments?|format|specification|fields)|((tool|required|optional|request|call) )?(parameters?|arguments?)( schemas?| and input schemas?)?|(tool )?params)$/,
    vague: /^((tool )?inputs?|args|request( schema| body)?|input data)$/,
  },
  {
    id: 'output',
    clear:
      /^((tool )?outputs? (schemas?|format|specification|fields|structure)|returns?( values?| schemas?| types?| format| structure| fields)?( (on|if) success(ful)?)?|returned (values?|data|fields))$/,
    vague: /^((tool )?outputs?|results?( schema)?|(success )?response( schema| format)?|success|output data|data)$/,
  },
  {
    id: 'errors',
    clear:
      /^((tool )?errors? (handling|conditions?|types?|codes?|cases|responses?|reporting)|(possible |common |known )?errors|exceptions|(error|failure) modes|failures|returns? (on|if) (error|failure)|raises)$/,
    vague: /^error$/,
  },
  {
    id: 'idempotency',
    clear: /^(idempoten(cy|ce|t)|idempoten(cy|ce) (and|of) .*|is it idempotent|(repeat|repeated) calls)$/,
  },
  {
    id: 'examples',
    clear:
      /^((usage|call|tool|tool usage|example) (examples?|calls?|usages?|requests?)|examples|example usage|usage|how to (use|call) it)$/,
    vague: /^example$/,
  },
  {
    id: 'security',
    clear:
      /^(security( (considerations?|notes?|and .*|implications?|requirements?|concerns?))?|safety( considerations?)?|(risks|risks and mitigations))$/,
  },
]

const OF_FAILURE = /\((?:on |if )?(?:an )?(?:errors?|failures?|failed)\b[^()]*\)/i

/** Headings that belong to the document and to no tool. */
const OUTSIDE =
  /^(navigation( links)?|see also|references?|related( documents| links)?|links|appendix.*|appendices|change ?log|history|license|(table of )?contents|index|glossary|further reading|version history|migration( notes?)?|contributing|authors?)$/

export interface SectionName {
  readonly id: SectionId
  readonly clear: boolean
  /** how it was known */
  readonly by: 'name' | 'number'
}

const NUMBER = /^(?:section|part|§)?\s*(\d{1,2})(?:\s*[.):\-–—]+(?=\s|$)|(?=\s*$)|(?=\s+[A-Z]))\s*/i

const PICTURE = String.raw`(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200d\ufe0f])`
const LEADING = new RegExp(`^(?:${PICTURE}+\\s*)+`, 'u')
const PICTURES = new RegExp(PICTURE, 'gu')

/** Without the pictures that some put before it; a digit in a box is a number. A heading of nothing else stays as it is. */
export const undecorated = (heading: string): string =>
  heading.replace(LEADING, '').replace(/^(\d)\ufe0f?\u20e3/, '$1.') || heading

/** Pictures and blanks, and nothing else. */
export const isDecoration = (words: string): boolean => words.trim() !== '' && words.replace(LEADING, '').trim() === ''

/** The number that a heading begins with, and the rest of it. */
export function numbered(heading: string): { number: number | undefined; rest: string } {
  const found = NUMBER.exec(heading)
  if (found === null) return { number: undefined, rest: heading }
  return { number: Number(found[1]), rest: heading.slice(found[0].length) }
}

/** Lower case, one blank between words, without brackets and their content, and without marks at the end. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(PICTURES, ' ')
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ')
    .replace(/[&+]|\s\/\s/g, ' and ')
    .replace(/[\s:.!?*_`'’"-]+/g, ' ')
    .trim()

/** Which section this heading or label opens, if it is one's. */
export function findSection(heading: string): SectionName | undefined {
  if (heading.length > 100) return undefined
  const { number, rest } = numbered(heading.trim())
  const words = plain(rest)
  for (const { id, clear, vague } of WORDINGS) {
    const isClear = clear.test(words)
    if (!isClear && !vague?.test(words)) continue
    // `**Returns** (error)` is about errors.
    const meant = id === 'output' && OF_FAILURE.test(rest) ? 'errors' : id
    return { id: meant, clear: isClear || number !== undefined, by: 'name' }
  }
  const idempotency = /^idempoten(cy|t)\s*[:–—-]/i.test(rest)
  if (idempotency) return { id: 'idempotency', clear: true, by: 'name' }
  const id = words === '' && number !== undefined ? SECTIONS[number - 1] : undefined
  return id === undefined ? undefined : { id, clear: true, by: 'number' }
}

export const isOutside = (heading: string): boolean =>
  heading.length <= 100 && OUTSIDE.test(plain(numbered(heading).rest))

const FACTS = [
  ['version', /^((current|tool) )?version( number)?$/],
  ['title', /^((display|human readable) )?(title|display name)$/],
  ['name', /^((tool )?invocation name|tool name|canonical name|name)$/],
  [
    'destructive',
    /^(changes state|destructive|is destructive|side effects?|modifies state|state changing|mutating|writes)$/,
  ],
  ['readOnly', /^(is )?(read only|readonly|safe)$/],
  ['idempotent', /^(is )?(idempotent|idempotency)$/],
  ['timeout', /^(time ?out|time limit|deadline)( ms| in ms| milliseconds)?$/],
  ['limit', /^(rate )?limits?$|^rate limit(ing)?$/],
  ['cacheTtl', /^(definition may be kept for|cache( ttl| for| time)?|ttl|cacheable for)$/],
  ['task', /^(runs as a task|task|task support|long running)$/],
  ['keyed', /^(is )?keyed$/],
  ['undo', /^(can be undone|undo(able)?|reversible)$/],
  ['dryRun', /^((has a|supports) )?dry runs?$/],
  ['text', /^returns a text$/],
  ['openWorld', /^open world$/],
  ['icons', /^listed icons$/],
  ['meta', /^listed metadata$/],
  ['deprecatedIn', /^deprecated( in| since)?( version)?$/],
  ['replacedBy', /^(replaced by|replacement|superseded by|use instead)$/],
  // Read so that they are no part of a description.
  [
    'other',
    /^(categor(y|ies)|tags?|trust( level)?|module|namespace|status|source|since|added in|author|owner|last updated)$/,
  ],
] as const satisfies readonly (readonly [string, RegExp])[]

export type FactId = (typeof FACTS)[number][0]

export function findFact(label: string): FactId | undefined {
  if (label.length > 60) return undefined
  const words = plain(label)
  return FACTS.find(([, pattern]) => pattern.test(words))?.[0]
}
