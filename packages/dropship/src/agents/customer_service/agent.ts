/** The customer service agent: answers tickets from orders and policies, and writes FAQs. */
import { agent } from 'myrmex'
import type { ShopSource } from '../../ports.ts'
import { answerTicket } from './answer-ticket.ts'
import { generateFaq } from './generate-faq.ts'
import { handleTicket } from './handle-ticket.ts'
import { policies, tickets } from './resources.ts'

export const customerService = (shop: ShopSource) =>
  agent({
    name: 'customer_service',
    version: '1.0.0',
    description: 'Answers customer tickets and writes FAQs.',
    tools: [handleTicket(shop), generateFaq(shop)],
    resources: [tickets(shop), policies(shop)],
    prompts: [answerTicket(shop)],
  })
