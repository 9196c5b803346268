/** Finds the product that a question is about, and answers from its known facts only. */
import { stem } from 'myrmex/english'
import { capitalise } from 'myrmex/text'
import type { Listing, Order, Product } from '../../ports.ts'
import { wordsOf } from '../reading/words.ts'
import { type Answerer, answer, requirePolicy } from './ticket-case.ts'

/** Patterns of fact names, with the words that ask for such a fact. */
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

const stemsOf = (text: string): string[] => wordsOf(text.toLowerCase()).map(stem)

/** The product that a question is about: the one whose full title is in the text, else the only item of the order. */
export function matchProduct(
  products: readonly Product[],
  text: string,
  order: Order | undefined,
): Product | undefined {
  const words = new Set(stemsOf(text))
  const named = products
    .map((product) => ({ product, stems: stemsOf(product.title) }))
    .filter(({ stems }) => stems.length > 0 && stems.every((part) => words.has(part)))
    .sort((a, b) => b.stems.length - a.stems.length)
  const [longest, next] = named
  if (longest !== undefined && longest.stems.length !== next?.stems.length) return longest.product
  if (named.length > 0 || order?.lines.length !== 1) return undefined
  return products.find(({ sku }) => sku === order.lines[0]?.sku)
}

export const productQuestion: Answerer = (ticket) => {
  const policy = requirePolicy(ticket, 'contact')
  const { facts } = ticket
  if (ticket.product === undefined) {
    const sentence = 'I am not sure which of our products you mean. Please send us its name as shown on its page.'
    return answer(policy, [sentence], [], 'it is not certain which product it is about')
  }
  const { product, listing } = ticket.product
  const title = facts.text('product', product.title, 'product')
  const question = withoutTitle(ticket.text, product.title)
  const sentences = askedFacts(listing?.facts ?? {}, question).map(
    ([name, value]) =>
      `${capitalise(name.replaceAll('_', ' '))} of the ${title}: ${facts.text(name, value, 'listing')}.`,
  )
  if (IN_STOCK.test(question)) sentences.push(stockSentence(product, title))
  if (WARRANTY.test(question)) {
    const months = facts.count(requirePolicy(ticket, 'warranty'), 'warranty_months', 'month')
    sentences.push(`All our products have the legal warranty of ${months}.`)
  }
  if (sentences.length > 0) return answer(policy, sentences)
  return answer(
    policy,
    [
      `I do not know the answer to your question about the ${title}, and I do not want to guess. A colleague will find out and write to you.`,
    ],
    [{ action: 'escalate', detail: `a question about ${product.sku} that its facts do not answer` }],
    "the product's known facts do not answer the question",
  )
}

/** "Is the Black Steel Pot heavy?" asks for no colour and no material. */
function withoutTitle(text: string, title: string): string {
  const named = new Set(stemsOf(title))
  return text.replace(/[a-z]+/g, (word) => (named.has(stem(word)) ? '' : word)).replace(/ +/g, ' ')
}

function stockSentence({ status, on_hand, reserved }: Product, title: string): string {
  if (status === 'paused') return `We are not selling the ${title} at the moment.`
  return on_hand > reserved
    ? `The ${title} is in stock.`
    : `The ${title} is not in stock here, but you can order it: our supplier sends it to you.`
}

/** The facts that the text asks for, by the usual words or by the fact's own name. */
function askedFacts(facts: Listing['facts'], text: string): (readonly [string, string])[] {
  const stems = new Set(stemsOf(text))
  return Object.entries(facts).filter(
    ([name]) =>
      ASKS.some(([fact, asked]) => fact.test(name.toLowerCase()) && asked.test(text)) ||
      stemsOf(name).every((word) => stems.has(word)),
  )
}
