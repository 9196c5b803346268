/** Improves title, description, heading and text of a page from the facts of its product. */
import { capitalise } from 'myrmex/text'
import type { Page } from '../../../ports.ts'
import { pageTemplate } from '../../../storefront/pages/page-template.ts'
import { descriptionParagraphs, type ListingFacts, metaDescriptionOf } from '../describe.ts'
import type { PageDraft } from '../render.ts'
import type { PageHtml } from './read-html.ts'
import { covers, words } from './text.ts'

const TITLE = { shortest: 30, longest: 60 }
const DESCRIPTION = { shortest: 70, longest: 155 }

/** The best title: with the first keyword and of the right length, the shorter the better. */
export function bestTitle(
  title: string,
  { niche, category }: Pick<ListingFacts, 'niche' | 'category'>,
  keywords: readonly string[],
): string {
  const parts = [...keywords.slice(0, 1), niche, category].map(capitalise).filter((part) => !covers(title, part))
  const candidates = [title, ...combinations(parts).map((some) => [title, ...some].join(' | '))]
  const worth = (text: string): number =>
    (keywords[0] !== undefined && covers(text, keywords[0]) ? 10 : 0) +
    (text.length <= TITLE.longest ? 6 : 6 - (text.length - TITLE.longest) / 10) +
    (text.length >= TITLE.shortest ? 0 : (text.length - TITLE.shortest) / 5)
  return best(candidates, worth).slice(0, 200)
}

const best = (candidates: readonly string[], worth: (text: string) => number): string =>
  candidates.reduce((one, two) =>
    worth(two) > worth(one) || (worth(two) === worth(one) && two.length < one.length) ? two : one,
  )

/** Each part alone, and each pair of different parts. */
const combinations = (parts: readonly string[]): string[][] => {
  const distinct = parts.filter((part, at) => part !== '' && parts.findIndex((other) => covers(other, part)) === at)
  return [
    ...distinct.map((part) => [part]),
    ...distinct.flatMap((one, at) => distinct.slice(at + 1).map((two) => [one, two])),
  ]
}

function bestDescription(page: Page, known: ListingFacts, keyword: string | undefined): string {
  const made = metaDescriptionOf(page.title, known, DESCRIPTION.longest)
  const opened = keyword === undefined ? [] : [`${capitalise(keyword)}: `, `${capitalise(keyword)}. `]
  const candidates = [
    page.meta_description,
    made,
    ...opened.map((start) => start + metaDescriptionOf(page.title, known, DESCRIPTION.longest - start.length)),
  ]
  const fits = ({ length }: string): boolean => length >= DESCRIPTION.shortest && length <= DESCRIPTION.longest
  const worth = (text: string): number =>
    (keyword !== undefined && covers(text, keyword) ? 6 : 0) + (fits(text) ? 6 : 0)
  // The first of the best: the current description stays if it is as good.
  return candidates.reduce((one, two) => (worth(two) > worth(one) ? two : one))
}

/** Paragraphs written for the page; those of the shop are part of every template. */
const ownParagraphs = ({ paragraphs }: PageHtml): string[] =>
  paragraphs.filter(({ text, kind }) => text !== '' && !/\bquiet\b|\bnotice\b/.test(kind)).map(({ text }) => text)

const LONG_ENOUGH = 40

function paragraphsOf(page: Page, now: PageHtml, listing: ListingFacts, keywords: readonly string[]): string[] {
  const [keyword] = keywords
  const kept = ownParagraphs(now).filter((text) => text.length >= LONG_ENOUGH || words(text).length > 3)
  const own = descriptionParagraphs(page.title, listing).filter((text) => !kept.includes(text))
  const text = [...kept, ...own]
  const lead = text[0] ?? page.title
  if (keyword !== undefined && !covers(lead, keyword)) text[0] = `${capitalise(keyword)}: ${lead}`
  const there = [page.title, listing.category, listing.niche, ...Object.values(listing.facts), ...text].join(' ')
  const missing = keywords.filter((one) => !covers(there, one))
  return missing.length === 0 ? text : [...text, `Also found under: ${missing.join(', ')}.`]
}

export interface ImprovementInput {
  readonly page: Page
  /** the parsed HTML of the page */
  readonly now: PageHtml
  readonly listing: ListingFacts
  /** keywords that the product's data supports and that may be used */
  readonly grounded: readonly string[]
}

export function improvePage({ page, now, listing, grounded }: ImprovementInput): PageDraft {
  const [keyword] = grounded
  const { slug, title, price, images } = page
  const currentTitleFits = now.title.length >= TITLE.shortest && now.title.length <= TITLE.longest
  const titleIsGood = currentTitleFits && (keyword === undefined || covers(now.title, keyword))
  return {
    slug,
    title,
    price,
    images,
    // Shoppers search these too, so only supported keywords are kept.
    keywords: grounded.length > 0 ? grounded : page.keywords,
    meta_title: titleIsGood ? now.title : bestTitle(title, listing, grounded),
    meta_description: bestDescription(page, listing, keyword),
    template: pageTemplate({
      paragraphs: paragraphsOf(page, now, listing, grounded),
      subtitle: keyword === undefined || covers(title, keyword) ? '' : keyword,
    }),
  }
}
