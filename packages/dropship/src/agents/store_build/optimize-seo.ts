/** `store_build.optimize_seo`: audits a page's HTML, improves what the product's facts allow, and audits it again. */
import { answer, type Tool, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'
import { pageChanged } from '../../ports/shop-errors.ts'
import type { Listing, Page, PageContent, Product, PublishedPage, Shop, ShopSource } from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { allowedWords } from './describe.ts'
import { keyword, pageId, score } from './fields.ts'
import { searchFields } from './previous-state.ts'
import { type RenderedPage, renderDraft } from './render.ts'
import type { Audit } from './seo/audit.ts'
import { improvePage } from './seo/improve.ts'
import { readHtml } from './seo/read-html.ts'
import { contentStems } from './seo/text.ts'

const input = z.object({
  page_id: pageId,
  keywords: field.list(20, 'Keywords for the page, the most important first.', keyword, 'keywords'),
  version: z.number().int().min(1).describe('Change the page only if it still has this version.').optional(),
})

const previousPage = field.object('The previous state of the page, for undo.', searchFields)

const output = z.object({
  page_id: pageId,
  version: field.integer('Version of the page now.'),
  before: score.meta({ description: 'Score before, 0 to 100.' }),
  after: score.meta({ description: 'Score now, by the same checks.' }),
  checks: field.list(
    50,
    'Every check, before and after.',
    z.object({
      check: field.text(40, 'Name of the check.'),
      weight: field.number('Weight of the check.'),
      before: field.share('Result before, 0 to 1.'),
      after: field.share('Result now, 0 to 1.'),
      found: field.text(500, 'Finding before.'),
      now: field.text(500, 'Finding now.'),
    }),
  ),
  changed: field.list(10, 'Changed parts of the page.', field.text(40)),
  not_used: field.list(
    20,
    'Keywords that were not used because the data of the product does not support them.',
    z.object({
      keyword: keyword.meta({ description: 'The keyword.' }),
      why: field.text(300, 'Reason.'),
    }),
  ),
  meta_title: field.text(300, 'Current title for search engines.'),
  meta_description: field.text(1000, 'Current description for search engines.'),
  url: field.text(300, 'Path of the page.'),
  previous: field.nullable('The previous state; null if nothing was changed.', previousPage),
})

type Output = z.infer<typeof output>

export const optimizeSeo = (source: ShopSource): Tool =>
  tool({
    name: 'store_build.optimize_seo',
    version: '1.1.0',
    title: 'Optimise a page for search',
    description:
      'Audits the HTML of a product page by named checks with weights, improves title, description, headings, alternative texts and text from the ' +
      'facts of the product, and audits it again. Reports the change per check. A keyword that the data of the product does not support is not used.',
    input,
    output,
    errors: {
      UnknownPage: details.failure('There is no page with this id, or it was withdrawn.', {
        page_id: details.text('Id of the page.'),
      }),
      PageChanged: details.failure('The page has another version than the given one, or was changed meanwhile.', {
        page_id: details.text('Id of the page.'),
        version: details.integer('The version that it has.'),
        expected: details.integer('The version that was expected.'),
      }),
      NoKeywords: 'No keyword contains a word.',
      KeywordUnrelated: details.failure('None of the keywords is related to the product.', {
        keywords: details.texts('The keywords that were given.'),
        own: details.texts('Keywords of the product.'),
      }),
    },
    idempotent: true,
    destructive: true,
    keyed: true,
    security:
      '- Injection: keywords are data. They are written into the page as escaped text, and cannot become HTML or Liquid.\n' +
      '- Claims: a keyword is used only if every word of it is in the data of the product. A fact with the value no does not count.\n' +
      '- Undo restores the previous version, unless the page was changed since.',
    examples: [
      { title: 'A page and two words', arguments: { page_id: 'p_1', keywords: ['chair', 'office'] } },
      { title: 'No such page', arguments: { page_id: 'p_0', keywords: ['chair'] }, error: 'UnknownPage' },
      { title: 'No keywords', arguments: { page_id: 'p_1', keywords: [] }, error: 'NoKeywords' },
    ],
    dryRun: async (asked) => {
      const shop = await source()
      const work = await optimise(shop, asked)
      const { page_id, version } = work.page
      const data = outputOf(work, version)
      return work.better
        ? answer(data, { explanation: `Would change ${page_id}; nothing was written.` })
        : unchanged(data)
    },
    undo: async (_asked, { page_id, version, previous }, ctx) => {
      if (previous === null) return
      const shop = await source()
      const page = await readPage(shop, page_id)
      if (page.template === previous.template && page.html === previous.html) return
      if (page.version !== version) throw pageChanged(page_id, version, page.version)
      await shop.storefront.withdraw(page_id, { page: previous }, ctx.idempotencyKey)
    },
    run: async (asked, ctx) => {
      const shop = await source()
      const done = await shop.storefront.findRecorded(ctx.idempotencyKey, { page_id: asked.page_id })
      const made = done !== undefined && isSameRequest(asked, done) ? done : undefined
      const work = await optimise(shop, asked, made)
      const { page, improved, better, before } = work
      if (!better) {
        return unchanged(outputOf(work, page.version), {
          explanation: `The page ${page.page_id} scores ${before.score}; there is nothing to improve.`,
        })
      }
      const { slug: _slug, title: _title, price: _price, ...content } = improved.content
      const now = made ?? (await shop.storefront.update(page.page_id, page.version, content, ctx.idempotencyKey))
      return answer(outputOf(work, now.page.version), {
        explanation: `The page ${page.page_id} scored ${before.score} and scores ${improved.audit.score} now.`,
      })
    },
  })

interface Optimisation {
  readonly page: Page
  readonly before: Audit
  readonly improved: RenderedPage
  readonly better: boolean
  readonly notUsed: Output['not_used']
}

/** `made`: what a repeated call already wrote. The page is then measured as it was before. */
async function optimise(
  shop: Shop,
  { page_id, keywords, version }: z.infer<typeof input>,
  made?: PublishedPage,
): Promise<Optimisation> {
  const wanted = usableKeywords(keywords)
  if (wanted.length === 0) throw new ToolError('NoKeywords', 'Give at least one keyword that contains a word.')
  const page = made === undefined ? await readPage(shop, page_id) : pageBefore(made)
  if (version !== undefined && page.version !== version) throw pageChanged(page_id, version, page.version)
  const { product, listing } = await productOnPage(shop, page)
  const { grounded, related, notUsed } = sortKeywords(wanted, page, listing)
  const subject = grounded.length > 0 ? grounded : related
  // Audited as it is served: rendered from its template with the current facts.
  const current = await renderDraft(shop, page, product, listing, subject)
  const before = current.audit
  const now = await readHtml(current.content.html)
  const known = listing ?? { category: '', niche: '', facts: {} }
  const images = page.images.length > 0 || listing === undefined ? page.images : [listing.image]
  const draft = made?.page ?? improvePage({ page: { ...page, images }, now, listing: known, grounded })
  const rendered = await renderDraft(shop, draft, product, listing, subject)
  const better = made !== undefined || rendered.audit.score > before.score
  return { page, before, improved: rendered, better, notUsed }
}

const usableKeywords = (keywords: readonly string[]): string[] =>
  [...new Set(keywords.map((one) => one.replace(/\s+/g, ' ').trim()))].filter((one) => contentStems(one).length > 0)

/** The shop rejects a different request under the same key. */
function isSameRequest({ page_id, keywords }: z.infer<typeof input>, { page, before }: PublishedPage): boolean {
  const known = new Set([...usableKeywords(keywords), ...(before.page?.keywords ?? [])])
  return page.page_id === page_id && page.keywords.every((one) => known.has(one))
}

const pageBefore = ({ page, before }: PublishedPage): Page => ({ ...page, ...before.page, version: page.version - 1 })

async function readPage(shop: Shop, page_id: string): Promise<Page> {
  const [page] = await shop.storefront.pages({ page_id })
  if (page?.status === 'published') return page
  const why = page === undefined ? `There is no page ${JSON.stringify(page_id)}.` : `The page ${page_id} was withdrawn.`
  throw new ToolError('UnknownPage', `${why} shop://pages lists all pages.`, { page_id })
}

async function productOnPage(shop: Shop, page: Page): Promise<{ product: Product; listing: Listing | undefined }> {
  const [product] = await shop.storefront.products({ sku: page.sku })
  if (product === undefined)
    throw new ToolError(
      'UnknownPage',
      `The page ${page.page_id} shows the SKU ${page.sku}, which is not in the shop.`,
      {
        page_id: page.page_id,
      },
    )
  const [listing] = await shop.marketplace.listings({ product_id: product.product_id })
  return { product, listing }
}

/** Grounded: every word is in the product's data. Related: only some are, so it is not used. */
function sortKeywords(keywords: readonly string[], page: Page, listing: Listing | undefined) {
  const known = new Set(contentStems(`${page.title} ${listing === undefined ? '' : allowedWords(listing)}`))
  const judged = keywords.map((one) => ({
    keyword: one,
    lacking: contentStems(one).filter((word) => !known.has(word)),
  }))
  const grounded = judged.filter(({ lacking }) => lacking.length === 0).map(({ keyword }) => keyword)
  const related = judged
    .filter(({ keyword, lacking }) => lacking.length > 0 && lacking.length < contentStems(keyword).length)
    .map(({ keyword }) => keyword)
  if (grounded.length + related.length === 0) {
    throw new ToolError(
      'KeywordUnrelated',
      `None of the keywords is related to ${page.title}: ${keywords.join(', ')}. Its own keywords: ${(listing?.keywords ?? page.keywords).join(', ')}.`,
      { keywords: [...keywords], own: [...(listing?.keywords ?? page.keywords)] },
    )
  }
  const notUsed = judged
    .filter(({ lacking }) => lacking.length > 0)
    .map(({ keyword, lacking }) => ({
      keyword,
      why: `The data of the product does not contain ${lacking.join(', ')}.`.slice(0, 300),
    }))
  return { grounded, related, notUsed }
}

const CHANGEABLE = ['meta_title', 'meta_description', 'template', 'keywords', 'images'] as const

function outputOf({ page, before, improved, better, notUsed }: Optimisation, version: number): Output {
  const after = better ? improved.audit : before
  const { content } = improved
  const now: Pick<PageContent, (typeof CHANGEABLE)[number]> = better ? content : page
  return {
    page_id: page.page_id,
    version,
    before: before.score,
    after: after.score,
    checks: before.checks.map(({ check, weight, score, says }, at) => ({
      check,
      weight,
      before: score,
      after: after.checks[at]?.score ?? score,
      found: says.slice(0, 500),
      now: (after.checks[at]?.says ?? says).slice(0, 500),
    })),
    changed: CHANGEABLE.filter((name) => JSON.stringify(page[name]) !== JSON.stringify(now[name])),
    not_used: notUsed,
    meta_title: now.meta_title,
    meta_description: now.meta_description,
    url: `/shop/products/${page.slug}`,
    previous: better ? previousPage.parse(page) : null,
  }
}
