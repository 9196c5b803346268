/**
 * The audit: named checks over a page's real HTML, each worth so much, each with what it saw. The weights are ours: most for what
 * search engines say they read first (title, heading, structured data), little for what they can do without.
 */
import { type PageHtml, readHtml } from './read-html.ts'
import { missingFields } from './structured-data.ts'
import { countPhrase, covers, readingEase, stems, words } from './text.ts'

export interface AuditSubject {
  /** the first is what the page is to be found by */
  readonly keywords: readonly string[]
  readonly slug: string
}

export interface CheckResult {
  readonly check: string
  readonly weight: number
  /** 0 to 1 */
  readonly score: number
  readonly says: string
}

export interface Audit {
  /** 0 to 100 */
  readonly score: number
  readonly checks: readonly CheckResult[]
}

type Check = (page: PageHtml, subject: AuditSubject) => readonly [score: number, says: string]

/** 1 within, and less the farther outside, 0 at twice the upper or none of the lower bound. */
const within = (value: number, low: number, high: number): number =>
  value < low ? value / low : value <= high ? 1 : Math.max(0, 1 - (value - high) / high)

const characters = (text: string, low: number, high: number): readonly [number, string] => [
  within(text.length, low, high),
  `${text.length} characters; ${low} to ${high} are shown whole`,
]

const primary = ({ keywords }: AuditSubject): string => keywords[0] ?? ''

function keywordIn(text: string, subject: AuditSubject): readonly [number, string] {
  const wanted = primary(subject)
  if (covers(text, wanted)) return [1, `has "${wanted}"`]
  const other = subject.keywords.find((keyword) => covers(text, keyword))
  return other === undefined ? [0, `lacks "${wanted}"`] : [0.5, `has "${other}", not "${wanted}"`]
}

const yes = (holds: boolean, what: string): readonly [number, string] => [
  holds ? 1 : 0,
  holds ? `has ${what}` : `lacks ${what}`,
]

const LONG_ENOUGH = 40

const CHECKS: readonly (readonly [name: string, weight: number, judge: Check])[] = [
  ['title_length', 6, ({ title }) => characters(title, 30, 60)],
  ['title_keyword', 10, ({ title }, subject) => keywordIn(title, subject)],
  ['description_length', 6, ({ meta }) => characters(meta.get('description') ?? '', 70, 155)],
  ['description_keyword', 6, ({ meta }, subject) => keywordIn(meta.get('description') ?? '', subject)],
  [
    'one_h1',
    6,
    ({ headings }) => {
      const count = headings.filter(({ level }) => level === 1).length
      return [count === 1 ? 1 : 0, `${count} headings of the first level`]
    },
  ],
  [
    'h1_keyword',
    8,
    ({ headings }, subject) => keywordIn(headings.find(({ level }) => level === 1)?.text ?? '', subject),
  ],
  [
    'first_paragraph_keyword',
    6,
    ({ paragraphs }, subject) =>
      keywordIn(paragraphs.find(({ text }) => text.length >= LONG_ENOUGH)?.text ?? '', subject),
  ],
  [
    'keywords_covered',
    6,
    ({ text }, { keywords }) => {
      const found = keywords.filter((keyword) => covers(text, keyword)).length
      return [
        keywords.length === 0 ? 1 : found / keywords.length,
        `${found} of ${keywords.length} keywords in the text`,
      ]
    },
  ],
  ['keyword_density', 5, density],
  [
    'image_alt',
    6,
    ({ images }) => {
      const described = images.filter(({ alt }) => alt !== undefined && alt.length >= 3 && alt.length <= 150).length
      return [images.length === 0 ? 0 : described / images.length, `${described} of ${images.length} images described`]
    },
  ],
  [
    'canonical',
    5,
    ({ canonical }, { slug }) => yes(canonical?.endsWith(`/shop/products/${slug}`) === true, 'its canonical address'),
  ],
  ['indexable', 4, ({ meta }) => yes(!/noindex/i.test(meta.get('robots') ?? ''), 'leave to be indexed')],
  [
    'structured_data',
    10,
    ({ structured }) => {
      const { missing, of } = missingFields(structured)
      return [1 - missing.length / of, missing.length === 0 ? 'complete' : `lacks ${missing.join(', ')}`]
    },
  ],
  [
    'heading_order',
    4,
    ({ headings }) => {
      const jumps = headings.filter(({ level }, at) => level - (headings[at - 1]?.level ?? 0) > 1).length
      return [headings.length > 0 && jumps === 0 ? 1 : 0, `${headings.length} headings, ${jumps} levels skipped`]
    },
  ],
  [
    'internal_links',
    4,
    ({ links }) => [Math.min(1, links.length / 3), `${links.length} links to other pages; 3 are enough`],
  ],
  [
    'text_length',
    7,
    ({ text }) => {
      const count = words(text).length
      return [Math.min(1, count / 100), `${count} words; 100 are enough`]
    },
  ],
  [
    'readability',
    5,
    ({ paragraphs }) => {
      const ease = readingEase(paragraphs.map(({ text }) => text).join(' '))
      if (ease === undefined) return [0, 'too little text to judge']
      return [Math.min(1, Math.max(0, ease / 50)), `Flesch reading ease ${Math.round(ease)}; 50 and above reads easily`]
    },
  ],
  [
    'slug',
    4,
    (_page, { slug, keywords }) => {
      const form = /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) && slug.length <= 70
      const spoken = new Set(stems(slug.replaceAll('-', ' ')))
      const told = keywords.some((keyword) => stems(keyword).some((word) => spoken.has(word)))
      return [
        (form ? 0.5 : 0) + (told ? 0.5 : 0),
        `${form ? 'well formed' : 'badly formed'}, ${told ? 'says' : 'does not say'} what the page is about`,
      ]
    },
  ],
  ['lang', 3, ({ lang }) => yes(/^[a-z]{2}(-|$)/i.test(lang), 'its language')],
  [
    'viewport',
    3,
    ({ meta }) => yes((meta.get('viewport') ?? '').includes('width=device-width'), 'a viewport for phones'),
  ],
]

/** A keyword that is half of all words was put there for machines: search engines mark that down. */
function density({ text }: PageHtml, subject: AuditSubject): readonly [number, string] {
  const all = stems(text)
  const phrase = stems(primary(subject))
  const share = all.length === 0 ? 0 : (countPhrase(all, phrase) * phrase.length) / all.length
  const shown = `"${primary(subject)}" is ${(share * 100).toFixed(1)} % of the words; up to 6 % reads naturally`
  return [share <= 0.06 ? 1 : Math.max(0, 1 - (share - 0.06) / 0.06), shown]
}

export async function audit(html: string, subject: AuditSubject): Promise<Audit> {
  const page = await readHtml(html)
  const checks = CHECKS.map(([check, weight, judge]) => {
    const [score, says] = judge(page, subject)
    return { check, weight, score: Math.round(score * 1000) / 1000, says }
  })
  const most = checks.reduce((sum, { weight }) => sum + weight, 0)
  const reached = checks.reduce((sum, { weight, score }) => sum + weight * score, 0)
  return { score: Math.round((reached / most) * 1000) / 10, checks }
}
