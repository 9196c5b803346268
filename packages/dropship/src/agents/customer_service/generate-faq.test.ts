import { serviceDesk } from '@myrmex/testing/shop/service-desk'
import { defaultShop } from '@myrmex/testing/shop/test-shops'
import { expect, test } from 'vitest'
import { generateFaq } from './generate-faq.ts'

interface Told {
  tickets: number
  of: number
  covered: number
  share: number
  faq: { question: string; answer: string; tickets: number; share: number; policies: string[]; intent: string }[]
}

const asked = async (shop: Parameters<typeof generateFaq>[0], topic: string, most = 10) =>
  ((await generateFaq(shop).run({ topic, most }, {} as never)) as { data: Told }).data

test('what is asked about shipping is counted, ordered, and answered in the words of the policies', async () => {
  const shop = await defaultShop()
  try {
    const { tickets, of, covered, share, faq } = await asked(async () => shop, 'shipping')
    expect(of).toBe((await shop.helpdesk.tickets()).length)
    expect(faq.reduce((sum, one) => sum + one.tickets, 0)).toBe(covered)
    expect(share).toBeCloseTo(covered / tickets, 3)
    expect(share).toBeGreaterThan(0.8)
    const counts = faq.map((one) => one.tickets)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
    expect(new Set(faq.map(({ question }) => question)).size).toBe(faq.length)
    const policies = await shop.helpdesk.policies()
    for (const one of faq) {
      const [used] = policies.filter(({ policy_id }) => one.policies.includes(policy_id))
      expect(used?.text).toContain(one.answer.split(/(?<=[.!?])\s/)[0])
      expect(one.share).toBeCloseTo(one.tickets / tickets, 3)
    }
  } finally {
    await shop.close()
  }
})

test('nothing that a customer wrote, and nobody of them, is in the answers', async () => {
  const { shop, ticket } = await serviceDesk()
  for (let at = 0; at < 5; at++)
    ticket(`Please cancel order 12345, I am Zebulon Quartermain, see https://evil.example <b>${at}</b>`)
  const told = JSON.stringify(await asked(async () => shop, 'cancellation'))
  for (const secret of ['Zebulon', 'Quartermain', 'evil', '12345', '<b>']) expect(told).not.toContain(secret)
})

test('a topic that names no intent is searched in the tickets', async () => {
  const { shop, ticket } = await serviceDesk()
  ticket('Where is my zeppelin? It has not arrived yet.')
  ticket('When will the zeppelins arrive? I still have no tracking number.')
  ticket('I would like to return the rug.')
  const { tickets, faq } = await asked(async () => shop, 'zeppelin')
  expect(tickets).toBe(2)
  expect(faq.map(({ intent }) => intent)).toEqual(['where_is_my_order'])
})

test('no more questions than were wanted, and the share says what they leave out', async () => {
  const { shop, ticket } = await serviceDesk()
  for (let at = 0; at < 4; at++) ticket('Please change the delivery address of my order, I moved.')
  const all = await asked(async () => shop, 'shipping')
  expect(all.faq.length).toBeGreaterThan(1)
  const one = await asked(async () => shop, 'shipping', 1)
  expect(one.faq).toEqual(all.faq.slice(0, 1))
  expect(one.covered).toBe(all.faq[0]?.tickets)
  expect(one.share).toBeLessThan(all.share)
})
