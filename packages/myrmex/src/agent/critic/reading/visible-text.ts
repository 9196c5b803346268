/**
 * A text as a reader sees it, so that no trick of encoding gets round a check: tags taken out, entities read, compatibility
 * forms and digits of all scripts made plain, unseen characters removed, quotes made straight. Linear in the text.
 */

const PLAIN = /^[ -~\t\n]*$/
/** Whatever takes no room on a page. Line ends and tabs stay. */
const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]--[\n\t\u0600-\u0605\u06dd\u070f]]/gv
/** Putting a long run of marks into order takes time that grows with its square, and no language stacks five. */
const STACKED = /(\p{M}{4})\p{M}+/gu
/** Two Arabic ligatures become 18 and 8 letters each; they stay as they are, or a text could grow twentyfold. */
const NOT_HUGE = /[^\ufdfa\ufdfb]+/g
const STRUCK = /(\p{Script=Latin})\p{Mn}+/gu

export function visibleText(text: string): string {
  const visible = withoutTags(text)
  if (PLAIN.test(visible)) return visible
  return visible
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(STACKED, '$1')
    .replace(NOT_HUGE, (part) => part.normalize('NFKC'))
    .replace(UNSEEN, '')
    .replace(STRUCK, '$1')
    .replace(/[\u2018\u2019\u201b\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb\u2033]/g, '"')
    .replace(/\p{Nd}/gu, plainDigit)
}

/** A script has its ten digits in a row, which begins after a code that is no digit, or ten codes after another row. */
function plainDigit(digit: string): string {
  if (digit <= '9') return digit
  const code = digit.codePointAt(0) as number
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  // Mathematical digits are five rows end to end, but NFKC has made those plain already.
  return String(code - zero)
}

const TAG = /<[/!]?[A-Za-z][^<>]*>/
const TAGS = /<([/!]?)([A-Za-z][A-Za-z0-9]*)[^<>]*>/g
/** Tags that stand within a line and part no words. */
const INLINE = new Set(['a', 'b', 'i', 'u', 's', 'em', 'strong', 'span', 'small', 'sup', 'sub', 'mark', 'code', 'wbr'])

function withoutTags(text: string): string {
  if (!TAG.test(text)) return text.includes('&') ? withoutEntities(text) : text
  const body = without(without(without(text, '<script', '</script'), '<style', '</style'), '<!--', '-->')
  return withoutEntities(body.replace(TAGS, (_tag, _end, name: string) => (INLINE.has(name.toLowerCase()) ? '' : '\n')))
}

/** Everything from `start` to `end`, as often as it is there. What is never closed stays: a page shows it. */
function without(text: string, start: string, end: string): string {
  const lower = text.toLowerCase()
  // Lower case has another length in a few languages; there the places would not fit.
  if (lower.length !== text.length) return text
  let kept = ''
  let from = 0
  for (let open = lower.indexOf(start); open !== -1; open = lower.indexOf(start, from)) {
    const close = lower.indexOf(end, open + start.length)
    if (close === -1) break
    kept += text.slice(from, open)
    from = close + end.length
  }
  return kept + text.slice(from)
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  euro: '€',
  pound: '£',
  ndash: '–',
  mdash: '—',
  hellip: '…',
}

const withoutEntities = (text: string): string =>
  text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
