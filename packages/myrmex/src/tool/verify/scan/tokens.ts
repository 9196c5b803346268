/**
 * Splits a normalised text into words, with their sentence and whether they are quoted. One pass over the text with bounded
 * look-ahead: linear time for any input.
 */

export interface Token {
  /** in lower case */
  readonly text: string
  /** as written */
  readonly raw: string
  /** where it starts in the normalised text */
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'name' | 'url' | 'email' | 'path' | 'mark'
  readonly sentence: number
  /** Number of the quotation it is in, 0 outside. */
  readonly quotation: number
  /** first of its clause: after a full stop, colon, comma, bracket or dash */
  readonly opens: boolean
}

const TOKEN = new RegExp(
  [
    String.raw`(?<url>(?:https?|ftp|wss?|file):\/\/[^\s"'<>)\]]{1,300})`,
    String.raw`(?<email>[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,5})`,
    String.raw`(?<path>(?:~|\$[A-Za-z_]{1,30}|%[A-Za-z]{1,30}%|\.{1,2}|[A-Za-z]:)?(?:[\/\\][\w.@$*{}-]{1,64}){1,16}[\/\\]?|(?<![\w*])\.[a-z][\w.-]{1,40})`,
    String.raw`(?<name>[A-Za-z][A-Za-z0-9]{0,60}(?:[_.:-][A-Za-z0-9]{1,60}){1,12}(?:_\b)?(?:\(\))?)`,
    String.raw`(?<word>[\p{L}\p{M}\p{N}_@$]+(?:['’][\p{L}]+)*)`,
    String.raw`(?<mark>[^\s\p{L}\p{N}])`,
    String.raw`(?<gap>\n[ \t]{0,20}\n|\n(?=[ \t]{0,20}(?:[-*•\d#>]|[A-Z][\w ]{0,30}:|[\x60\w]{1,60}(?: ?\([^()\n]{0,60}\))?:)))`,
  ].join('|'),
  'gu',
)

/** Ends a sentence if space, a quote or nothing follows. */
const STOPS = new Set(['.', '!', '?', '。', '！', '？', '；'])
const OPENERS = new Set([':', ',', ';', '(', '[', '>', '-', '–', '—', '|', '*', '#', '•', '"', "'", '{', '}', ']', ')'])
const QUOTES = new Set(['"', '`', "'", '«', '»'])

/** `isName`: whether a word with hyphens is the name of a known tool, and not two words. */
export function tokenise(text: string, isName: (word: string) => boolean = () => false): Token[] {
  const tokens: Token[] = []
  const quotes = quotationsOf(text)
  let sentence = 0
  let opens = true
  for (const match of text.matchAll(TOKEN)) {
    const { groups = {}, index } = match
    if (groups.gap !== undefined) {
      sentence++
      opens = true
      continue
    }
    const kind = kindOf(groups)
    const raw = match[0]
    const parts = partsOf(text, raw, index, kind, isName)
    for (const part of parts) {
      const { start } = part
      const end = start + part.raw.length
      const quotation = quotes.get(start) ?? 0
      tokens.push({
        text: part.raw.toLowerCase(),
        raw: part.raw,
        start,
        end,
        kind: part.kind,
        sentence,
        quotation,
        opens,
      })
      opens = part.kind === 'mark' && OPENERS.has(part.raw)
    }
    if (kind === 'mark' && STOPS.has(raw) && endsHere(text, index + 1)) {
      sentence++
      opens = true
    }
  }
  return tokens
}

const kindOf = (groups: Record<string, string | undefined>): Token['kind'] =>
  groups.url !== undefined
    ? 'url'
    : groups.email !== undefined
      ? 'email'
      : groups.path !== undefined
        ? 'path'
        : groups.name !== undefined
          ? 'name'
          : groups.word !== undefined
            ? 'word'
            : 'mark'

const endsHere = (text: string, index: number): boolean => {
  const next = text.charAt(index)
  return next === '' || /[\s"'“”‘’»)\]<*_]/.test(next) || /[。！？；]/.test(text.charAt(index - 1))
}

/** A kind of content such as `text/csv`. */
const BEFORE_CONTENT_TYPE = /\b(?:application|audio|image|multipart|text|video)$/

function partsOf(
  text: string,
  raw: string,
  start: number,
  kind: Token['kind'],
  isName: (word: string) => boolean,
): readonly TokenPart[] {
  if (kind === 'name') return nameParts(raw, start, isName)
  // `read/write` and `text/csv` are no paths; `config/app.yml` is one.
  const isAfterWord = kind === 'path' && raw.startsWith('/') && /\w/.test(text.charAt(start - 1))
  if (!isAfterWord || raw.lastIndexOf('/') > 0) return [{ raw, start, kind }]
  if (raw.includes('.') && !BEFORE_CONTENT_TYPE.test(text.slice(Math.max(0, start - 12), start)))
    return [{ raw, start, kind }]
  return [
    { raw: '/', start, kind: 'mark' },
    { raw: raw.slice(1), start: start + 1, kind: 'word' },
  ]
}

interface TokenPart {
  readonly raw: string
  readonly start: number
  readonly kind: Token['kind']
}

/** `third-party` is two words and `e.g.` one mark; `read_file`, `a.b_c` and `tools:list` are names. */
function nameParts(raw: string, start: number, isName: (word: string) => boolean): TokenPart[] {
  if (isName(raw.toLowerCase())) return [{ raw, start, kind: 'name' }]
  if (/_|\(\)$/.test(raw) || /[a-z]\d*[.:][a-z]\w*[_.:]/i.test(raw)) return [{ raw, start, kind: 'name' }]
  const parts: TokenPart[] = []
  for (const { 0: part, index } of raw.matchAll(/[A-Za-z0-9]+|[_.:]|-/g)) {
    if (part !== '-') parts.push({ raw: part, start: start + index, kind: /\w/.test(part) ? 'word' : 'mark' })
  }
  return parts
}

const MAX_QUOTATION = 400

/** Start of each quoted character range, as a lookup by index. Apostrophes inside words do not open a quotation. */
function quotationsOf(text: string): { get(index: number): number | undefined } {
  const ranges: { from: number; to: number }[] = []
  const open = new Map<string, number>()
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (!QUOTES.has(character)) continue
    const isApostrophe = character === "'" && /\w/.test(text.charAt(index - 1)) && /\w/.test(text.charAt(index + 1))
    if (isApostrophe) continue
    const mark = character === '»' ? '«' : character
    const from = open.get(mark)
    if (from !== undefined && index - from <= MAX_QUOTATION && !/\s/.test(text.charAt(index - 1))) {
      ranges.push({ from, to: index })
      open.delete(mark)
    } else if (character === "'" && /\w/.test(text.charAt(index - 1))) open.delete(mark)
    else open.set(mark, index)
  }
  ranges.sort((a, b) => a.from - b.from)
  let next = 0
  // Asked in ascending order, so the ranges are passed once.
  return {
    get(index) {
      while (next < ranges.length && (ranges[next] as { to: number }).to < index) next++
      const range = ranges[next]
      return range !== undefined && range.from < index ? next + 1 : undefined
    },
  }
}
