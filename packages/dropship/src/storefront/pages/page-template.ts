/**
 * The Liquid template of a product page, as the store builder writes it. Facts, price and stock are variables, so that the page
 * stays correct when they change. Only the copy that was written for the page is literal text.
 */

import { templateLiteral } from './templates.ts'
import { BUY_FORM } from './views/parts.ts'

export interface PageWords {
  /** the first is below the title, the others are in a section of their own */
  readonly paragraphs: readonly string[]
  /** the search term for the product, below the title; empty: none */
  readonly subtitle: string
}

export function pageTemplate({ paragraphs, subtitle }: PageWords): string {
  const [lead = '', ...more] = paragraphs
  return `<article class="product" aria-labelledby="product-title">
<div class="gallery">
{%- for image in images %}
<img src="{{ image.src }}" alt="{{ image.alt }}" width="800" height="800"{% unless forloop.first %} loading="lazy"{% endunless %}>
{%- endfor %}
</div>
<div>
<h1 id="product-title">{{ title }}${subtitle === '' ? '' : ` <span class="niche">${templateLiteral(subtitle)}</span>`}</h1>
{%- if rating %}
<div class="stars"><span>Rated {{ rating }} of 5</span> <span>{{ reviews }} reviews on the marketplace</span></div>
{%- endif %}
<p class="lead">${templateLiteral(lead)}</p>
<div class="price">{{ price }}</div>
<div class="stock {{ stock_kind }}">{{ stock }}</div>
${BUY_FORM}
{%- if facts.size > 0 %}
<h2>Details</h2>
<dl class="facts">
{%- for fact in facts %}
<dt>{{ fact.name }}</dt><dd>{{ fact.value }}</dd>
{%- endfor %}
</dl>
{%- endif %}
${more.length === 0 ? '' : `<h2>Good to know</h2>\n${more.map((text) => `<p>${templateLiteral(text)}</p>`).join('\n')}\n`}<p class="quiet">Delivery is included in the price. How long it takes and how to send something back: <a href="/shop/policies">delivery and returns</a>.</p>
</div>
</article>
`
}

/** For a page without a template. */
export const PLAIN_TEMPLATE = pageTemplate({ paragraphs: [], subtitle: '' }).replace(
  '<p class="lead"></p>',
  '<p class="lead">{{ description }}</p>',
)
