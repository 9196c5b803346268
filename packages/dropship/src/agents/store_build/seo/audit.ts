/**
 * The SEO audit: named, weighted checks of a page's HTML, each with its finding. The weights are our choice: most for what search
 * engines read first (title, heading, structured data).
 */
import { plural } from 'myrmex/text'
import { percent, ratio, rounded, sum } from '../../../figures.ts'
import { type PageHtml, readHtml } from './read-html.ts'
import { missingFields } from './structured-data.ts'
import { countPhrase, covers, readingEase, stems, words } from './text.ts'

export interface AuditSubject {
  /** the first is the most important one */
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

/** 1 inside the bounds, falling to 0 at 0 and at twice the upper bound. */
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

const check = (weight: number, run: Check) => ({ weight, run })

const CHECKS = {
  title_length: check(6, ({ title }) => characters(title, 30, 60)),
  title_keyword: check(10, ({ title }, subject) => keywordIn(title, subject)),
  description_length: check(6, ({ meta }) => characters(meta.get('description') ?? '', 70, 155)),
  description_keyword: check(6, ({ meta }, subject) => keywordIn(meta.get('description') ?? '', subject)),
  one_h1: check(6, ({ headings }) => {
    const count = headings.filter(({ level }) => level === 1).length
    return [count === 1 ? 1 : 0, plural(count, 'first-level heading')]
  }),
  h1_keyword: check(8, ({ headings }, subject) =>
    keywordIn(headings.find(({ level }) => level === 1)?.text ?? '', subject),
  ),
  first_paragraph_keyword: check(6, ({ paragraphs }, subject) =>
    keywordIn(paragraphs.find(({ text }) => text.length >= LONG_ENOUGH)?.text ?? '', subject),
  ),
  keywords_covered: check(6, ({ text }, { keywords }) => {
    const found = keywords.filter((keyword) => covers(text, keyword)).length
    return [keywords.length === 0 ? 1 : found / keywords.length, `${found} of ${keywords.length} keywords in the text`]
  }),
  keyword_density: check(5, density),
  image_alt: check(6, ({ images }) => {
    const described = images.filter(({ alt }) => alt !== undefined && alt.length >= 3 && alt.length <= 150).length
    return [ratio(described, images.length), `${described} of ${images.length} images described`]
  }),
  canonical: check(5, ({ canonical }, { slug }) =>
    yes(canonical?.endsWith(`/shop/products/${slug}`) === true, 'its canonical address'),
  ),
  indexable: check(4, ({ meta }) => yes(!/noindex/i.test(meta.get('robots') ?? ''), 'permission to be indexed')),
  structured_data: check(10, ({ structured }) => {
    const { missing, of } = missingFields(structured)
    return [1 - missing.length / of, missing.length === 0 ? 'complete' : `lacks ${missing.join(', ')}`]
  }),
  heading_order: check(4, ({ headings }) => {
    const jumps = headings.filter(({ level }, at) => level - (headings[at - 1]?.level ?? 0) > 1).length
    const skipped = `${plural(headings.length, 'heading')}, ${plural(jumps, 'level')} skipped`
    return [headings.length > 0 && jumps === 0 ? 1 : 0, skipped]
  }),
  internal_links: check(4, ({ links }) => [
    Math.min(1, links.length / 3),
    `${plural(links.length, 'link')} to other pages; 3 are enough`,
  ]),
  text_length: check(7, ({ text }) => {
    const count = words(text).length
    return [Math.min(1, count / 100), `${plural(count, 'word')}; 100 are enough`]
  }),
  readability: check(5, ({ paragraphs }) => {
    const ease = readingEase(paragraphs.map(({ text }) => text).join(' '))
    if (ease === undefined) return [0, 'not enough text to measure']
    return [Math.min(1, Math.max(0, ease / 50)), `Flesch reading ease ${Math.round(ease)}; 50 and above reads easily`]
  }),
  slug: check(4, (_page, { slug, keywords }) => {
    const isWellFormed = /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) && slug.length <= 70
    const own = new Set(stems(slug.replaceAll('-', ' ')))
    const isOnTopic = keywords.some((keyword) => stems(keyword).some((word) => own.has(word)))
    return [
      (isWellFormed ? 0.5 : 0) + (isOnTopic ? 0.5 : 0),
      `${isWellFormed ? 'well formed' : 'badly formed'}, ${isOnTopic ? 'contains' : 'does not contain'} a keyword`,
    ]
  }),
  lang: check(3, ({ lang }) => yes(/^[a-z]{2}(-|$)/i.test(lang), 'its language')),
  viewport: check(3, ({ meta }) =>
    yes((meta.get('viewport') ?? '').includes('width=device-width'), 'a viewport for phones'),
  ),
}

/** Search engines penalise keyword stuffing. */
function density({ text }: PageHtml, subject: AuditSubject): readonly [number, string] {
  const all = stems(text)
  const phrase = stems(primary(subject))
  const share = all.length === 0 ? 0 : (countPhrase(all, phrase) * phrase.length) / all.length
  const shown = `"${primary(subject)}" is ${percent(share, 1)} of the words; up to 6 % reads naturally`
  return [share <= 0.06 ? 1 : Math.max(0, 1 - (share - 0.06) / 0.06), shown]
}

export async function audit(html: string, subject: AuditSubject): Promise<Audit> {
  const page = await readHtml(html)
  const checks = Object.entries(CHECKS).map(([name, { weight, run }]) => {
    const [score, says] = run(page, subject)
    return { check: name, weight, score: rounded(score, 3), says }
  })
  const reached = sum(checks, ({ weight, score }) => weight * score)
  return { score: rounded((100 * reached) / sum(checks, ({ weight }) => weight), 1), checks }
}
