/** `store_build.optimize_seo`: audits a page's real HTML, mends what the product's facts allow, and audits it again. */
import { answer, type Tool, ToolError, tool, unchanged } from 'myrmex'
import * as z from 'zod'
import type { Listing, Page, PageContent, Product, PublishedPage, Shop, ShopSource } from '../../ports.ts'
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
  keywords: z.array(keyword).max(20).meta({
    type_id: 'keywords',
    description: 'What the page is to be found by, the most important first.',
  }),
  version: z.number().int().min(1).optional().meta({ description: 'Only if the page still has this version.' }),
})

const previousPage = z.object(searchFields).meta({ description: 'What the page had before, to put it back.' })

const output = z.object({
  page_id: pageId,
  version: z.number().int().meta({ description: 'Of the page as it is now.' }),
  before: score.meta({ description: 'Score of the page as it was, 0 to 100.' }),
  after: score.meta({ description: 'Score of the page as it is now, by the same checks.' }),
  checks: z
    .array(
      z.object({
        check: z.string().max(40).meta({ description: 'Name of the check.' }),
        weight: z.number().meta({ description: 'What it is worth.' }),
        before: z.number().min(0).max(1).meta({ description: 'How well the page did, 0 to 1.' }),
        after: z.number().min(0).max(1).meta({ description: 'How well it does now.' }),
        found: z.string().max(500).meta({ description: 'What was seen before.' }),
        now: z.string().max(500).meta({ description: 'What is seen now.' }),
      }),
    )
    .max(50)
    .meta({ description: 'Every check, before and after.' }),
  changed: z.array(z.string().max(40)).max(10).meta({ description: 'What of the page was changed.' }),
  not_used: z
    .array(
      z.object({
        keyword: keyword.meta({ description: 'The keyword.' }),
        why: z.string().max(300).meta({ description: 'Why it was not written.' }),
      }),
    )
    .max(20)
    .meta({ description: 'Keywords that were not written, since the data of the product does not bear them out.' }),
  meta_title: z.string().max(300).meta({ description: 'Title for search engines now.' }),
  meta_description: z.string().max(1000).meta({ description: 'Description for search engines now.' }),
  url: z.string().max(300).meta({ description: 'Where the page opens.' }),
  previous: previousPage.nullable().meta({ description: 'What the page had before; null: nothing was changed.' }),
})

type Output = z.infer<typeof output>

export const optimizeSeo = (source: ShopSource): Tool =>
  tool({
    name: 'store_build.optimize_seo',
    version: '1.0.0',
    title: 'Optimise a page for search',
    description:
      'Audits the HTML of a product page by named checks with weights, mends title, description, headings, alternative texts and text from the facts ' +
      'of the product, and audits it again. Says per check what changed. Writes no claim that the data lacks: a keyword it does not bear out is not used.',
    input,
    output,
    errors: {
      UnknownPage: 'There is no page of this id, or it was withdrawn.',
      PageChanged: 'The page has another version than the one given, or was changed meanwhile.',
      NoKeywords: 'No keyword has a word in it.',
      KeywordUnrelated: 'None of the keywords has to do with the product.',
    },
    idempotent: true,
    destructive: true,
    keyed: true,
    security:
      '- Injection: keywords are data. They are written into the page as escaped text, and cannot become HTML or Liquid.\n' +
      '- Claims: only keywords are written whose every word is in the data of the product; a fact that says no lends no words.\n' +
      '- Undo puts the version before back, unless somebody changed the page since.',
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
      if (page.version !== version) throw changed(page, version)
      await shop.storefront.withdraw(page_id, { page: previous }, ctx.idempotencyKey)
    },
    run: async (asked, ctx) => {
      const shop = await source()
      const done = await shop.storefront.findRecorded(ctx.idempotencyKey, { page_id: asked.page_id })
      const made = done !== undefined && isSameRequest(asked, done) ? done : undefined
      const work = await optimise(shop, asked, made)
      const { page, mended, better, before } = work
      if (!better) {
        return unchanged(outputOf(work, page.version), {
          explanation: `The page ${page.page_id} scores ${before.score}; there is nothing to mend.`,
        })
      }
      const { slug: _slug, title: _title, price: _price, ...content } = mended.content
      const now = made ?? (await shop.storefront.update(page.page_id, page.version, content, ctx.idempotencyKey))
      return answer(outputOf(work, now.page.version), {
        explanation: `The page ${page.page_id} scored ${before.score} and scores ${mended.audit.score} now.`,
      })
    },
  })

interface Optimisation {
  readonly page: Page
  readonly before: Audit
  readonly mended: RenderedPage
  readonly better: boolean
  readonly notUsed: Output['not_used']
}

/** `made`: what this call wrote already, before it was made again. Then it is measured as it was then. */
async function optimise(
  shop: Shop,
  { page_id, keywords, version }: z.infer<typeof input>,
  made?: PublishedPage,
): Promise<Optimisation> {
  const wanted = usableKeywords(keywords)
  if (wanted.length === 0)
    throw new ToolError(
      'NoKeywords',
      'Say what the page is to be found by: one keyword or more, each with a word in it.',
    )
  const page = made === undefined ? await readPage(shop, page_id) : pageBefore(made)
  if (version !== undefined && page.version !== version) throw changed(page, version)
  const { product, listing } = await productOnPage(shop, page)
  const { grounded, related, notUsed } = sortKeywords(wanted, page, listing)
  const subject = grounded.length > 0 ? grounded : related
  // Audited as it is served: rendered from its template, with the facts of today.
  const current = await renderDraft(shop, page, product, listing, subject)
  const before = current.audit
  const now = await readHtml(current.content.html)
  const known = listing ?? { category: '', niche: '', facts: {} }
  const images = page.images.length > 0 || listing === undefined ? page.images : [listing.image]
  const draft = made?.page ?? improvePage({ page: { ...page, images }, now, listing: known, grounded })
  const rendered = await renderDraft(shop, draft, product, listing, subject)
  const better = made !== undefined || rendered.audit.score > before.score
  return { page, before, mended: rendered, better, notUsed }
}

const usableKeywords = (keywords: readonly string[]): string[] =>
  [...new Set(keywords.map((one) => one.replace(/\s+/g, ' ').trim()))].filter((one) => contentStems(one).length > 0)

/** What is another request under the same key, the shop refuses. */
function isSameRequest({ page_id, keywords }: z.infer<typeof input>, { page, before }: PublishedPage): boolean {
  const known = new Set([...usableKeywords(keywords), ...(before.page?.keywords ?? [])])
  return page.page_id === page_id && page.keywords.every((one) => known.has(one))
}

const pageBefore = ({ page, before }: PublishedPage): Page => ({ ...page, ...before.page, version: page.version - 1 })

async function readPage(shop: Shop, page_id: string): Promise<Page> {
  const [page] = await shop.storefront.pages({ page_id })
  if (page?.status === 'published') return page
  const why = page === undefined ? `There is no page ${JSON.stringify(page_id)}.` : `The page ${page_id} was withdrawn.`
  throw new ToolError('UnknownPage', `${why} shop://pages lists those there are.`, { page_id })
}

const changed = ({ page_id, version }: Page, expected: number): ToolError =>
  new ToolError(
    'PageChanged',
    `The page ${page_id} has version ${version} by now, not ${expected}. Read it again, then decide.`,
    {
      page_id,
      version,
      expected,
    },
  )

async function productOnPage(shop: Shop, page: Page): Promise<{ product: Product; listing: Listing | undefined }> {
  const [product] = await shop.storefront.products({ sku: page.sku })
  if (product === undefined)
    throw new ToolError(
      'UnknownPage',
      `The page ${page.page_id} shows the sku ${page.sku}, which the shop does not have.`,
    )
  const [listing] = await shop.marketplace.listings({ product_id: product.product_id })
  return { product, listing }
}

/** Grounded: every word is in the product's data. Related: some are; the others would be claims. */
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
      `None of the keywords has to do with ${page.title}: ${keywords.join(', ')}. Its own are: ${(listing?.keywords ?? page.keywords).join(', ')}.`,
      { keywords: [...keywords], own: [...(listing?.keywords ?? page.keywords)] },
    )
  }
  const notUsed = judged
    .filter(({ lacking }) => lacking.length > 0)
    .map(({ keyword, lacking }) => ({
      keyword,
      why: `The data of the product does not say ${lacking.join(', ')}.`.slice(0, 300),
    }))
  return { grounded, related, notUsed }
}

const CHANGEABLE = ['meta_title', 'meta_description', 'template', 'keywords', 'images'] as const

function outputOf({ page, before, mended, better, notUsed }: Optimisation, version: number): Output {
  const after = better ? mended.audit : before
  const { content } = mended
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
    previous: better ? previousOf(page) : null,
  }
}

const previousOf = ({
  meta_title,
  meta_description,
  images,
  keywords,
  seo_score,
  template,
  html,
}: Page): Output['previous'] => ({
  meta_title,
  meta_description,
  images: [...images],
  keywords: [...keywords],
  seo_score,
  template,
  html,
})
