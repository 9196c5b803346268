/** Questions about a product, answered from what is known of it and from nothing else. */

import { stem } from 'myrmex/english'
import { wordsOf } from '../reading/words.ts'
import { type Answerer, requirePolicy, type TicketCase } from './ticket-case.ts'

/** Words that ask for a fact, by a piece of the fact's name. */
const ASKS: readonly (readonly [fact: RegExp, asked: RegExp])[] = [
  [
    /material|fabric/,
    /\b(?:material|made (?:of|from|out)|fabric|leather|cotton|wood\w*|steel|plastic|metal|glass|ceramic|vegan)\b/,
  ],
  [/colou?r/, /\b(?:colou?rs?|black|white|red|blue|green|grey)\b/],
  [
    /dimension|size|length|width|height|diameter/,
    /\b(?:dimensions?|size|big|large|tall|wide|long is|high|deep|measurements?|length|width|height|space|fits?|thick)\b/,
  ],
  [/weight/, /\b(?:weigh\w*|heavy|kilos?|kg)\b/],
  [/load|capacity|holds/, /\b(?:capacity|hold|holds|carry|litres?|liters?|volume|ml|load)\b/],
  [/care|wash|clean/, /\b(?:wash\w*|clean\w*|dishwasher|care|machine)\b/],
  [/warranty|guarantee/, /\b(?:warranty|guarantee)\b/],
  [/battery|power|volt|watt/, /\b(?:batter(?:y|ies)|power|volts?|watts?|charge|plug|long does (?:it|the battery))\b/],
  [/water/, /\b(?:waterproof|rain|water)\b/],
  [/includ|content|pieces|set/, /\b(?:includ\w*|come with|comes with|contain\w*|pieces|set)\b/],
  [/origin|made_in|country/, /\b(?:made in|origin|where .{0,20}made|come from)\b/],
]

const IN_STOCK = /\b(?:stock|available|availability|sold out|any left|many (?:are |do you have )?left)\b/
const WARRANTY = /\b(?:warranty|guarantee)\b/

export const productQuestion: Answerer = (about) => {
  const policy = requirePolicy(about, 'contact')
  const { product, facts } = about
  if (product === undefined) return unknownProduct(about)
  const title = facts.text('product', product.product.title, 'product')
  const asked = withoutTitle(about.said, product.product.title)
  const says: string[] = []
  for (const [name, value] of askedFacts(about, asked)) {
    says.push(`${sentenceCase(name)} of the ${title}: ${facts.text(name, value, 'listing')}.`)
  }
  if (IN_STOCK.test(asked)) says.push(stockLine(about, title))
  if (WARRANTY.test(asked)) {
    const warranty = requirePolicy(about, 'warranty')
    says.push(`All goods have the legal warranty of ${facts.count(warranty, 'warranty_months', 'month')}.`)
  }
  if (says.length > 0) return { says, actions: [], policy }
  return {
    says: [
      `I do not have the answer to your question about the ${title} at hand, and I do not want to guess. A colleague finds it out and writes to you.`,
    ],
    actions: [{ action: 'escalate', detail: `a question about ${product.product.sku} that its facts do not answer` }],
    policy,
    human: 'what is known of the product does not answer the question',
  }
}

/** "Is the Black Steel Pot heavy?" asks for no colour and no material. */
function withoutTitle(said: string, title: string): string {
  const named = new Set(wordsOf(title.toLowerCase()).map(stem))
  return said.replace(/[a-z]+/g, (word) => (named.has(stem(word)) ? '' : word)).replace(/ +/g, ' ')
}

function stockLine(about: TicketCase, title: string): string {
  const { product } = about
  const free = product === undefined ? 0 : product.product.on_hand - product.product.reserved
  if (product?.product.status === 'paused') return `We are not selling the ${title} at the moment.`
  return free > 0
    ? `The ${title} is in stock.`
    : `The ${title} is not on our shelf, but can be ordered: our supplier sends it.`
}

/** Facts that the text asks for: by the usual words, or by the fact's own name. */
function askedFacts({ product }: TicketCase, said: string): (readonly [string, string])[] {
  const stems = new Set(wordsOf(said).map(stem))
  return Object.entries(product?.listing?.facts ?? {}).filter(
    ([name]) =>
      ASKS.some(([fact, asked]) => fact.test(name.toLowerCase()) && asked.test(said)) ||
      wordsOf(name.toLowerCase()).every((word) => stems.has(stem(word))),
  )
}

const sentenceCase = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const unknownProduct = (about: TicketCase): ReturnType<Answerer> => ({
  says: ['I am not sure which of our products you mean. Please send us its name as it stands on its page.'],
  actions: [],
  policy: requirePolicy(about, 'contact'),
  human: 'which product it is about is not certain',
})
