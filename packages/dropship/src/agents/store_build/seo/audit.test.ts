import { expect, test } from 'vitest'
import { type Audit, audit } from './audit.ts'
import { readingEase } from './text.ts'

const PRODUCT = {
  '@type': 'Product',
  name: 'Oak Desk Lamp',
  image: ['/shop/images/1.svg'],
  description: 'A lamp.',
  sku: 'oak-desk-lamp',
  offers: {
    price: '49.90',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    url: '/shop/products/oak-desk-lamp',
  },
}

const GOOD = `<!DOCTYPE html><html lang="en"><head><title>Oak Desk Lamp | Lighting for your desk</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Oak Desk Lamp, made of oak, with a warm light of 300 lm. Delivery is included.">
<link rel="canonical" href="/shop/products/oak-desk-lamp">
<script type="application/ld+json">${JSON.stringify(PRODUCT)}</script></head>
<body><main><h1>Oak Desk Lamp</h1><img src="a.svg" alt="Oak Desk Lamp"><p class="lead">The desk lamp is made of oak and gives a warm light to read by.</p>
<h2>Details</h2><p>${'It stands on a small foot, so there is room for a book and a cup. '.repeat(7)}</p>
<a href="/shop/">Shop</a> <a href="/shop/policies">Returns</a> <a href="/shop/?category=Office">Office</a></main></body></html>`

const SUBJECT = { keywords: ['desk lamp', 'oak'], slug: 'oak-desk-lamp' }

const scoreOf = ({ checks }: Audit, name: string): number | undefined =>
  checks.find(({ check }) => check === name)?.score

test('a page with nothing against it has all hundred points', async () => {
  const { score, checks } = await audit(GOOD, SUBJECT)
  expect(checks.filter((check) => check.score < 1)).toEqual([])
  expect(score).toBe(100)
})

const BROKEN: readonly (readonly [check: string, from: string | RegExp, to: string])[] = [
  ['title_length', 'Oak Desk Lamp | Lighting for your desk', 'Desk lamp'],
  ['title_keyword', 'Oak Desk Lamp | Lighting for your desk', 'Something for your home and for your office'],
  ['description_length', ' Delivery is included.', ' Delivery is included.'.repeat(8)],
  [
    'description_keyword',
    /content="Oak Desk Lamp, made of oak/,
    'content="A thing that we have in our shop, made of wood',
  ],
  ['one_h1', '<h2>Details</h2>', '<h1>Details</h1>'],
  ['h1_keyword', '<h1>Oak Desk Lamp</h1>', '<h1>Welcome</h1>'],
  ['first_paragraph_keyword', 'The desk lamp is made of oak', 'This one here is made of wood'],
  ['keywords_covered', / ?oak/gi, ''],
  ['keyword_density', '<h2>Details</h2>', `<h2>${'desk lamp '.repeat(20)}</h2>`],
  ['image_alt', 'alt="Oak Desk Lamp"', 'alt=""'],
  ['canonical', 'href="/shop/products/oak-desk-lamp"', 'href="/shop/products/other"'],
  ['indexable', '<link', '<meta name="robots" content="noindex"><link'],
  ['structured_data', '"price":"49.90",', ''],
  ['structured_data', '"@type":"Product"', '"@type":'],
  ['heading_order', '<h2>Details</h2>', '<h4>Details</h4>'],
  ['internal_links', '<a href="/shop/">', '<a href="https://elsewhere.example/">'],
  ['text_length', /It stands[^<]*/, 'Short.'],
  [
    'readability',
    /It stands[^<]*/,
    'Incomprehensibly multisyllabic characterisations notwithstanding, organisational considerations necessitate verification. '.repeat(
      6,
    ),
  ],
  ['lang', ' lang="en"', ''],
  ['viewport', 'width=device-width, ', ''],
]

test.each(BROKEN)('%s sees what is broken (%s)', async (check, from, to) => {
  const html = GOOD.replace(from, to)
  expect(html).not.toBe(GOOD)
  const found = await audit(html, SUBJECT)
  expect(scoreOf(found, check)).toBeLessThan(1)
  expect(found.score).toBeLessThan(100)
})

test('slug sees an address that says nothing', async () => {
  expect(scoreOf(await audit(GOOD, { ...SUBJECT, slug: 'x-17' }), 'slug')).toBe(0.5)
  expect(scoreOf(await audit(GOOD, { ...SUBJECT, slug: 'Item_17' }), 'slug')).toBe(0)
})

test('reading ease is what the formula of Flesch gives', () => {
  // 12 words of one syllable in 2 sentences: 206.835 - 1.015 * 6 - 84.6 * 1
  expect(readingEase('The cat sat on the mat. The dog ran to the door.')).toBeCloseTo(116.145, 3)
  expect(readingEase('Too short.')).toBeUndefined()
})
