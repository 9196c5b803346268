/** The pages and creatives that the shop starts with: plain, honest, and with room for improvement. */
import { escapeHtml } from 'myrmex/text'
import { PLATFORMS } from '../../ports.ts'
import { type Dice, pick } from '../random.ts'
import type { DrawnListing } from './draw-world.ts'

const TEMPLATE = `<article class="product">
  <h1>{{ page.title | escape }}</h1>
  <img src="{{ page.images[0] | escape }}" alt="">
  <p class="price">{{ page.price }}</p>
  <ul>
  {%- for fact in product.facts %}
    <li>{{ fact[0] | escape }}: {{ fact[1] | escape }}</li>
  {%- endfor %}
  </ul>
</article>`

export const firstPage = ({ title, image, facts, niche }: DrawnListing, price: number) => {
  const known = Object.entries(facts).map(([name, value]) => `    <li>${escapeHtml(name)}: ${escapeHtml(value)}</li>`)
  const html = [
    '<article class="product">',
    `  <h1>${escapeHtml(title)}</h1>`,
    `  <img src="${escapeHtml(image)}" alt="">`,
    `  <p class="price">${(price / 100).toFixed(2)}</p>`,
    '  <ul>',
    ...known,
    '  </ul>',
    '</article>',
  ].join('\n')
  return { template: TEMPLATE, html, meta_title: title, meta_description: `${title}, ${niche.niche}.` }
}

const HEADLINES = ['{title} for your home', 'Meet the {title}', '{title}, now in our shop', 'New: {title}']
const CALLS = ['See it now', 'Shop now', 'Have a look', 'Order today']

export const firstCreative = (dice: Dice, { title, facts, niche }: DrawnListing) => ({
  tone: pick(dice, ['friendly', 'plain', 'playful']),
  channel: pick(dice, PLATFORMS),
  headline: pick(dice, HEADLINES).replace('{title}', title),
  body: `${title} in ${facts.colour ?? 'many colours'}, ${facts.material ?? 'well made'}. From our range of ${niche.niche.toLowerCase()}.`,
  call_to_action: pick(dice, CALLS),
})
