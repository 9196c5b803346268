/** `store_build.create_product_page`: publishes a product of the marketplace with its own page. */
import { answer, type Tool, tool } from 'myrmex'
import * as z from 'zod'
import { rounded } from '../../figures.ts'
import { paymentFee, toAmount } from '../../money.ts'
import type { PublishedPage, ShopSource } from '../../ports.ts'
import * as details from '../error-details.ts'
import * as field from '../field-types.ts'
import { landedCost, quoteUsed } from './cost.ts'
import { html, keyword, pageId, price, productName, score, sku } from './fields.ts'
import { allSlugsTaken, draftPage, MAX_SLUGS, pageRequest, planPage, publishPage } from './page-plan.ts'
import { fromPreviousState, previousState, toPreviousState } from './previous-state.ts'
import { slugCandidates } from './slug.ts'

const output = z.object({
  page_id: pageId,
  sku,
  product_id: field.text(100, 'Id of the product on the marketplace.', 'product_id'),
  product_name: productName.meta({ type_id: 'product_name', description: 'Title of the page.' }),
  url: field.text(300, 'Path of the page.'),
  price: price.meta({ type_id: 'price', description: "Price of a unit, in the shop's currency." }),
  price_before: field.nullable('Previous price; null if it was not on sale.', price),
  replaced: previousState.meta({ description: 'The previous state, for undo.' }),
  images: field.list(8, 'Image addresses of the page.', field.text(2000), 'images'),
  keywords: field.list(20, 'Keywords of the first audit.', keyword, 'keywords'),
  margin: field.object("Margin of a sale, in the shop's currency.", {
    landed_cost: field.number('Unit cost with shipping.'),
    fee: field.number('Payment fee.'),
    amount: field.number('Margin of a sale, before advertising.'),
    share: field.share('Margin as a share of the price.'),
  }),
  supplier_id: field.text(100, 'Supplier.', 'supplier_id'),
  quote_id: field.nullable('The quote used; null for the list price of an offer.', field.text(40)),
  seo_score: score.meta({ description: 'Score of the first audit, for the keywords of the product.' }),
  template: html.meta({ description: 'The Liquid template.' }),
  html: html.meta({ description: 'The rendered document.' }),
})

type Output = z.infer<typeof output>

export const createProductPage = (source: ShopSource): Tool =>
  tool({
    name: 'store_build.create_product_page',
    version: '1.1.0',
    title: 'Create a product page',
    description:
      'Puts a product of the marketplace on sale: a page with Liquid template and rendered HTML, escaped, accessible and with schema.org ' +
      'data, published at /shop/products/… Its text is based on the facts of the product. The price must cover the cost of a unit.',
    input: pageRequest,
    output,
    errors: {
      UnknownProduct: details.failure(
        'The marketplace has no product with this id or title. The error lists the nearest titles.',
        {
          nearest: z
            .array(z.object({ product_id: details.text('Id of the product.'), title: details.text('Its title.') }))
            .describe('The nearest products.'),
        },
      ),
      PriceBelowCost: details.failure(
        'The price does not cover goods, shipping and payment fee. The error states the lowest price that does.',
        {
          price: details.amount('The price that was given.'),
          lowest: details.amount('The lowest price that covers them.'),
          landed_cost: details.amount('Goods and shipping for one unit.'),
        },
      ),
      InvalidImage: details.failure('An image is neither an http or https address nor an image of this shop.', {
        image: details.text('The image that was given.'),
      }),
      UnknownQuote: details.failure('There is no quote with this id.', {
        quote_id: details.text('The id that was given.'),
      }),
      QuoteExpired: details.failure('The quote has expired.', {
        quote_id: details.text('Id of the quote.'),
        expires_on: details.text('The last day on which it was valid.'),
      }),
      QuoteOfAnotherProduct: details.failure('The quote is for another product.', {
        quote_id: details.text('Id of the quote.'),
        product_id: details.text('The product that it is for.'),
      }),
      NoSupplier: details.failure('No supplier offers the product now.', {
        product_id: details.text('Id of the product.'),
      }),
      SlugTaken: details.failure(`All ${MAX_SLUGS} addresses for this title are taken.`, {
        title: details.text('The title that was given.').optional(),
        slug: details.text('The address that is taken.').optional(),
      }),
    },
    idempotent: false,
    destructive: true,
    keyed: true,
    security:
      '- Injection: title, description and facts are data. They are escaped in HTML and JSON-LD, and cannot become Liquid. Images may be http, https or ' +
      'images of the shop; javascript: and data: are rejected.\n' +
      '- Money: the page sells at the given price. A price that loses money on every unit is rejected.\n' +
      '- Undo withdraws the page. A product that was on sale before gets its title, price, supplier and costs back, unless a newer page set ' +
      'others; a new product is paused.',
    examples: [
      { title: 'A chair', arguments: { title: 'Comfy Chair', price: 149, images: [], product_id: '123' } },
      {
        title: 'Too cheap',
        arguments: { title: 'Comfy Chair', price: 1, images: [], product_id: '123' },
        error: 'PriceBelowCost',
      },
      {
        title: 'An invalid image',
        arguments: { title: 'Comfy Chair', price: 149, images: ['javascript:alert(1)'], product_id: '123' },
        error: 'InvalidImage',
      },
      {
        title: 'An unknown product',
        arguments: { title: 'Flying Carpet', price: 149, images: [] },
        error: 'UnknownProduct',
      },
    ],
    dryRun: async (asked) => {
      const shop = await source()
      const plan = await planPage(shop, asked)
      for (const slug of slugCandidates(asked.title, MAX_SLUGS)) {
        const [taken] = await shop.storefront.pages({ slug })
        if (taken?.status === 'published') continue
        const { content, product } = await draftPage(shop, plan, slug)
        const page = { ...content, page_id: 'unpublished', sku: product.sku }
        const before = plan.existingProducts[0] === undefined ? {} : { product: plan.existingProducts[0] }
        const data = outputOf({ page, product, before }, plan.source.quote_id)
        return answer(data, { explanation: 'Rendered but not published.' })
      }
      throw allSlugsTaken(asked.title)
    },
    undo: async (_asked, { page_id, replaced }, ctx) => {
      const shop = await source()
      await shop.storefront.withdraw(page_id, fromPreviousState(replaced), ctx.idempotencyKey)
    },
    run: async (asked, ctx) => {
      const shop = await source()
      const made = await publishPage(shop, asked, ctx.idempotencyKey)
      const data = outputOf(made, await quoteUsed(shop, made.product, asked.quote_id))
      return answer(data, {
        explanation: `${data.product_name} is on sale at ${data.url} for ${data.price}; the margin after cost and fee is ${data.margin.amount}.`,
      })
    },
  })

type Made = Omit<PublishedPage, 'page'> & {
  readonly page: Omit<PublishedPage['page'], 'version' | 'status' | 'made_on'>
}

function outputOf({ page, product, before }: Made, quote_id: string | undefined): Output {
  const { price: cents } = page
  const left = cents - paymentFee(cents) - landedCost(product)
  const was = toPreviousState(before)
  return {
    page_id: page.page_id,
    sku: page.sku,
    product_id: product.product_id,
    product_name: page.title,
    url: `/shop/products/${page.slug}`,
    price: toAmount(cents),
    price_before: was.product?.status === 'active' ? was.product.price : null,
    replaced: was,
    images: [...page.images],
    keywords: [...page.keywords],
    margin: {
      landed_cost: toAmount(landedCost(product)),
      fee: toAmount(paymentFee(cents)),
      amount: toAmount(left),
      share: rounded(left / cents, 3),
    },
    supplier_id: product.supplier_id,
    quote_id: quote_id ?? null,
    seo_score: page.seo_score,
    template: page.template,
    html: page.html,
  }
}
