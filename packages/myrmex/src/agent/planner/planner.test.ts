/** Plans that people can read: the shop's tools and small fleets made for one rule each. */

import { listOf, objectOf, oneOf, SHOP, text, view } from '@myrmex/testing/agent/shop-tools'
import { describe, expect, test } from 'vitest'
import type { ToolView } from '../fleet/tool-view.ts'
import { checkPlan } from '../plan/check.ts'
import type { Plan, PlanContext } from '../plan/plan.ts'
import { planByRules } from './planner.ts'

const TODAY = '2026-11-16'

const planFor = (goal: string, context: PlanContext = {}, tools: readonly ToolView[] = SHOP): Plan =>
  planByRules({ goal, context, tools })

/** One line a step: its tool, its arguments, what it needs. */
const linesOf = (plan: Plan): string[] =>
  plan.steps.map(({ id, tool, arguments: args, needs }) =>
    `${id} ${tool} ${JSON.stringify(args)} ${needs.join(' ')}`.trim(),
  )

const inputsOf = (plan: Plan): string[] => plan.questions.map(({ input }) => input)

const from = (step: string, path: string): string => `{"$from":"${step}","path":"${path}"}`

test.each<[string, string, PlanContext, string[], string[]]>([
  [
    'a supplier and a price',
    'Find a supplier for product p-1 and negotiate',
    {},
    [
      's1 supplier.find_suppliers {"product_id":"p-1"}',
      `s2 supplier.negotiate_price {"supplier_id":${from('s1', '/suppliers/0/supplier_id')}} s1`,
    ],
    ['target_price'],
  ],
  ['a stock', 'check the inventory of sku RED-CHAIR', {}, ['s1 operations.check_inventory {"sku":"RED-CHAIR"}'], []],
  [
    'days counted back from today',
    'Report on the last 30 days',
    { today: TODAY },
    ['s1 analytics.generate_report {"date_range":{"from":"2026-10-18","to":"2026-11-16"}}'],
    [],
  ],
  ['no day to count from', 'Report on the last 30 days', {}, ['s1 analytics.generate_report {}'], ['date_range']],
  ['a month', 'Forecast the sales for month 2026-12', {}, ['s1 analytics.predict_sales {"month":"2026-12"}'], []],
  [
    'a month by name',
    'Predict sales in March',
    { today: TODAY },
    ['s1 analytics.predict_sales {"month":"2027-03"}'],
    [],
  ],
  ['an order', 'Fulfil order 1042', {}, ['s1 operations.fulfill_order {"order_id":"1042"}'], ['address']],
  [
    'a tone that is one of the values, and a name in quotes',
    'Write a friendly copy for the product "Espresso One"',
    {},
    ['s1 marketing.write_copy {"product_name":"Espresso One","tone":"friendly"}'],
    [],
  ],
  [
    'a bound in words',
    'Find suppliers for product p-7 with a rating of at least 4.5',
    {},
    ['s1 supplier.find_suppliers {"product_id":"p-7","min_rating":4.5}'],
    [],
  ],
  [
    'a list',
    'optimise the seo of page pg-7 with keywords coffee, beans and espresso',
    {},
    ['s1 store_build.optimize_seo {"page_id":"pg-7","keywords":["coffee","beans","espresso"]}'],
    [],
  ],
  [
    'a subject that nothing else explains',
    'Analyse the niche of yoga mats',
    {},
    ['s1 product_research.analyze_niche {"niche":"yoga mats"}'],
    [],
  ],
  [
    'another word for the same',
    'What is in stock for sku A-1?',
    {},
    ['s1 operations.check_inventory {"sku":"A-1"}'],
    [],
  ],
  [
    'known values take precedence over the text',
    'handle ticket 7',
    { known: { ticket_id: 't-9' } },
    ['s1 customer_service.handle_ticket {"ticket_id":"t-9"}'],
    [],
  ],
])('the shop: %s', (_, goal, context, lines, questions) => {
  const plan = planFor(goal, context)
  expect(linesOf(plan)).toEqual(lines)
  expect(inputsOf(plan)).toEqual(questions)
  if (questions.length === 0) expect(checkPlan(plan, SHOP)).toMatchObject({ ok: true })
})

test('the shop: a brand is launched with a page and a campaign, made from the best product, and only the platform is asked', () => {
  const plan = planFor('Launch a new coffee brand', { budget: { money: 5000 } })
  expect(linesOf(plan)).toEqual([
    's1 product_research.find_winning_products {"category":"coffee"}',
    `s2 marketing.write_copy {"product_name":${from('s1', '/products/0/product_name')}} s1`,
    `s3 store_build.create_product_page {"title":${from('s1', '/products/0/title')},"price":${from('s1', '/products/0/price')},"images":${from('s1', '/products/0/images')}} s1`,
    `s4 marketing.create_ad_campaign {"creative_id":${from('s2', '/creative_id')},"budget":5000} s2`,
  ])
  expect(inputsOf(plan)).toEqual(['platform'])
  expect(plan.questions[0]?.question).toContain('one of tiktok, facebook, instagram')
  expect(plan.steps.map(({ why }) => why)).toEqual([
    'Finds winning products, because write_copy needs a product_name and create_product_page needs a product_title, a price and images.',
    'Writes copy, because create_ad_campaign needs a creative_id.',
    'Creates product page, because the goal asks for it.',
    'Creates ad campaign, because the goal asks for it.',
  ])
  expect(plan.assumptions).toEqual([
    'Understood the goal as asking for marketing.create_ad_campaign (launch) and store_build.create_product_page (launch).',
    'Took "coffee", which nothing else in the goal explains, as category.',
    'Takes the first of products that product_research.find_winning_products gives.',
    'marketing.write_copy changes state and is there only because later steps need what it gives; no other way to it was found.',
    'Took budget = 5000 for marketing.create_ad_campaign from the budget.',
  ])
  const answered = planFor('Launch a new coffee brand', { budget: { money: 5000 }, known: { platform: 'tiktok' } })
  expect(answered.questions).toEqual([])
  expect(checkPlan(answered, SHOP)).toMatchObject({ ok: true, cost: 5000, levels: [['s1'], ['s2', 's3'], ['s4']] })
})

describe('a library', () => {
  const change = (description: string): Partial<ToolView> => ({ description, destructive: true })
  const books = listOf(objectOf({ isbn: text(), title: text() }))
  const isbn = { type: 'string', description: 'ISBN of the book.' }
  const LIBRARY = [
    view('lib.search_catalogue', { 'title?': text() }, { books }, { description: 'Searches the catalogue for books.' }),
    view('lib.find_member', { email: { type: 'string', format: 'email' } }, { member_id: text() }),
    view('lib.overdue', {}, { overdue: listOf(objectOf({ member_id: text(), isbn: text() })) }),
    view('lib.lend_book', { isbn, member_id: text() }, { loan_id: text() }, change('Lends a book to a member.')),
    view('lib.delete_member', { member_id: text() }, { gone: text() }, change('Deletes a member.')),
    view('lib.send_letter', { body: text() }, { sent: text() }, change('Sends a letter to all members.')),
    view('lib.place_order', { isbn, copies: { type: 'integer' } }, { order_id: text() }, change('Orders books.')),
    view('lib.cancel_order', { order_id: text() }, { done: text() }, change('Cancels an order.')),
    view('lib.renew_card', { member_id: text(), card_number: text() }, {}, change('Renews a card.')),
  ]
  const toolsFor = (goal: string): string[] => planFor(goal, {}, LIBRARY).steps.map(({ tool }) => tool)

  test.each([
    'Is member 42 deleted?',
    'Show the deleted members',
    'Do not send a letter',
    'Never delete member 42',
    'Delete nobody',
    'Send no letter to member 42',
    'Which members got a letter?',
    'Tell me about the members',
    'Should we cancel order 7?',
    'Have we sent the letter?',
  ])('nothing is changed for %j', (goal) => {
    const changing = new Set(LIBRARY.filter(({ destructive }) => destructive).map(({ name }) => name))
    expect(toolsFor(goal).filter((tool) => changing.has(tool))).toEqual([])
  })

  test.each([
    ['Can you delete member 42?', ['lib.delete_member']],
    ['Do not forget to cancel order 7', ['lib.cancel_order']],
    ['Cancel order no 7 no later than Monday', ['lib.cancel_order']],
    ['Is it late? Delete member 42.', ['lib.delete_member']],
    ['Do not delete member 42, cancel order 7', ['lib.cancel_order']],
    ['Order 12 copies of the book 978-3', ['lib.place_order']],
    ['Find books', ['lib.search_catalogue']],
  ])('%j asks for %j', (goal, tools) => {
    expect(toolsFor(goal)).toEqual(tools)
  })

  test('an address goes where one is taken, and a code to what it is called after, before the first of a list', () => {
    const plan = planFor('Lend the book 978-3-16 to anna@example.org', {}, LIBRARY)
    expect(linesOf(plan)).toEqual([
      's1 lib.find_member {"email":"anna@example.org"}',
      `s2 lib.lend_book {"isbn":"978-3-16","member_id":${from('s1', '/member_id')}} s1`,
    ])
    expect(plan.questions).toEqual([])
  })

  test('nothing is changed for the first of a list while the goal names one that no step uses', () => {
    const plan = planFor('Lend "The Dispossessed" to member 42', {}, LIBRARY)
    expect(inputsOf(plan)).toEqual(['isbn'])
    expect(plan.questions[0]?.question).toContain('The goal names "The Dispossessed", which no step uses')
    expect(plan.assumptions).toContain('No step uses "The Dispossessed" of the goal.')
    const told = { known: { isbn: '978-3-16' } }
    expect(inputsOf(planFor('Lend "The Dispossessed" to member 42', told, LIBRARY))).toEqual([])
  })

  test('a code that the text calls by the name of another input is not taken for an id', () => {
    const plan = planFor('Delete the member with the card B072', {}, LIBRARY)
    expect(plan.steps.at(-1)?.arguments.member_id).not.toBe('B072')
    expect(plan.questions).not.toEqual([])
  })
})

test.each([
  ['from 1 December 2026 to 4 December 2026', { from: '2026-12-01', to: '2026-12-04' }],
  ['on December 4th, 2026', { from: '2026-12-04', to: '2026-12-04' }],
  ['in December 2026', { from: '2026-12-01', to: '2026-12-31' }],
  ['picked up 2026-12-01, back 2026-12-05', {}],
  ['on 31 November 2026', {}],
  ['on the 4th of March', {}],
])('days in words are those days, and which of two is meant is not guessed: %s', (said, days) => {
  const day = { type: 'string', format: 'date' }
  const tool = view('m.find_cars', { from: day, to: day }, {})
  expect(planFor(`find cars ${said}`, { today: TODAY }, [tool]).steps[0]?.arguments).toEqual(days)
})

test('a goal that fits nothing gives no steps and a question that says what the fleet can do', () => {
  const plan = planFor('Bake a cake')
  expect(plan.steps).toEqual([])
  expect(inputsOf(plan)).toEqual(['want'])
  for (const { name } of SHOP) expect(plan.questions[0]?.question).toContain(name)
})

test('a word that fits more tools than anybody would want asks which is meant', () => {
  const tools = ['a', 'b', 'c', 'd', 'e'].map((name) => view(`m.sort_${name}x`, {}, { done: text() }))
  const plan = planFor('sort', {}, tools)
  expect(plan.steps).toEqual([])
  expect(plan.questions[0]?.question).toContain('m.sort_ax, m.sort_bx')
})

test('a wanted thing comes from the tool that gives it, and a want that nothing gives is a question', () => {
  const plan = planFor('', { want: ['supplier_id', 'moon_rock'], known: { product_id: 'p' } })
  expect(linesOf(plan)).toEqual(['s1 supplier.find_suppliers {"product_id":"p"}'])
  expect(plan.steps[0]?.why).toBe('Finds suppliers, because the goal asks for supplier_id.')
  expect(inputsOf(plan)).toEqual(['moon_rock'])
  expect(planFor('', { want: ['product_id'], known: { product_id: 'p' } })).toMatchObject({ steps: [], questions: [] })
})

test('an explicit type goes before a name, even where the way is longer', () => {
  const tools = [
    view('m.use', { place: text('place_id') }, { done: text() }),
    view('m.guess', {}, { place: text() }),
    view('m.look', { hint: text('hint') }, { spot: text('place_id') }),
    view('m.hint', {}, { hint: text('hint') }),
    view('m.other', {}, { place: text('planet_id') }),
  ]
  expect(planFor('', { want: ['m.use'] }, tools).steps.map(({ tool }) => tool)).toEqual(['m.hint', 'm.look', 'm.use'])
  const byName = planFor('', { want: ['m.use'] }, tools.slice(0, 2))
  expect(linesOf(byName)).toEqual(['s1 m.guess {}', `s2 m.use {"place":${from('s1', '/place')}} s1`])
  expect(byName.assumptions).toContain(
    'Takes place of m.guess as place of m.use, because their names agree; no type says so.',
  )
  // A type that is said and differs is no match, whatever the name.
  expect(inputsOf(planFor('', { want: ['m.use'] }, [...tools.slice(0, 1), ...tools.slice(4)]))).toEqual(['place_id'])
})

test('names agree in the plural, inside of what they belong to, and only where the JSON types overlap', () => {
  const use = view('m.use', { supplier_id: text() }, { done: text() })
  const give = (output: Record<string, ToolView['input']>): ToolView => view('m.give', {}, output)
  const pathFor = (output: Record<string, ToolView['input']>): unknown =>
    planFor('', { want: ['m.use'] }, [use, give(output)]).steps.at(-1)?.arguments.supplier_id
  expect(pathFor({ suppliers: listOf(objectOf({ id: text() })) })).toEqual({ $from: 's1', path: '/suppliers/0/id' })
  expect(pathFor({ supplier: objectOf({ id: text() }) })).toEqual({ $from: 's1', path: '/supplier/id' })
  expect(pathFor({ supplierIds: listOf(text()) })).toEqual({ $from: 's1', path: '/supplierIds/0' })
  expect(pathFor({ supplier: objectOf({ id: { type: 'integer' } }) })).toBeUndefined()
  expect(pathFor({ order: objectOf({ id: text() }) })).toBeUndefined()
})

test('a need for a list takes the whole list, or wraps the one there is', () => {
  const use = view('m.use', { skus: listOf(text('sku')) }, { done: text() })
  const whole = planFor('', { want: ['m.use'] }, [use, view('m.all', {}, { found: listOf(text('sku')) })])
  expect(whole.steps[1]?.arguments).toEqual({ skus: { $from: 's1', path: '/found' } })
  const one = planFor('', { want: ['m.use'] }, [use, view('m.one', {}, { best: text('sku') })])
  expect(one.steps[1]?.arguments).toEqual({ skus: [{ $from: 's1', path: '/best' }] })
  expect(checkPlan(one, [use, view('m.one', {}, { best: text('sku') })])).toMatchObject({ ok: true })
})

test('references, parts that hold together and branches are read', () => {
  const give: ToolView = {
    ...view('m.give', {}, {}),
    output: {
      type: 'object',
      properties: { best: { $ref: '#/$defs/offer' }, more: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/offer' }] } },
      required: ['best'],
      $defs: {
        offer: {
          allOf: [
            { type: 'object', properties: { seller: { type: 'string', type_id: 'seller_id' } }, required: ['seller'] },
          ],
        },
        loop: { $ref: '#/$defs/loop' },
      },
    },
  }
  const plan = planFor('', { want: ['m.use'] }, [
    give,
    view('m.use', { seller_id: text('seller_id') }, { done: text() }),
  ])
  expect(plan.steps[1]?.arguments).toEqual({ seller_id: { $from: 's1', path: '/best/seller' } })
})

test('no state is changed for an input that a tool which changes nothing gives, even by a longer way', () => {
  const tools = [
    view('m.use', { thing: text('thing') }, { done: text() }),
    view('m.buy', {}, { thing: text('thing') }, { destructive: true }),
    view('m.find', { place: text('place') }, { thing: text('thing') }),
    view('m.places', {}, { place: text('place') }),
  ]
  expect(planFor('', { want: ['m.use'] }, tools).steps.map(({ tool }) => tool)).toEqual(['m.places', 'm.find', 'm.use'])
  // Where it is wanted anyway it serves.
  expect(planFor('', { want: ['m.use', 'm.buy'] }, tools).steps.map(({ tool }) => tool)).toEqual(['m.buy', 'm.use'])
  expect(planFor('', { want: ['m.use'] }, tools.slice(0, 2)).steps.map(({ tool }) => tool)).toEqual(['m.buy', 'm.use'])
})

test('of tools that serve as well the cheaper is taken, then the more reliable, then the quicker, then the first by name', () => {
  const use = view('m.use', { thing: text('thing') }, { done: text() })
  const [a, b] = [view('m.a', {}, { thing: text('thing') }), view('m.b', {}, { thing: text('thing') })]
  const firstOf = (tools: ToolView[], learned: [string, number, number, number][] = []): string | undefined =>
    planByRules({
      goal: '',
      context: { want: ['m.use'] },
      tools: [use, ...tools],
      learned: new Map(learned.map(([name, calls, failures, mean_ms]) => [name, { calls, failures, mean_ms }])),
    }).steps[0]?.tool
  expect(firstOf([b, a])).toBe('m.a')
  expect(
    firstOf(
      [a, b],
      [
        ['m.a', 9, 0, 50],
        ['m.b', 9, 0, 20],
      ],
    ),
  ).toBe('m.b')
  expect(
    firstOf(
      [a, b],
      [
        ['m.a', 9, 3, 5],
        ['m.b', 9, 0, 20],
      ],
    ),
  ).toBe('m.b')
  expect(firstOf([{ ...a, input: { ...a.input, 'x-cost': 0.5 } }, b], [['m.b', 9, 9, 900]])).toBe('m.b')
})

test('optional inputs are filled from what is certain, and never bring in a step', () => {
  const tools = [
    view(
      'm.use',
      { 'a?': text('kind_a'), 'b?': text('kind_b'), 'c?': text(), 'd?': oneOf('red', 'blue'), need: text('kind_n') },
      {},
    ),
    view('m.give', {}, { x: text('kind_n'), y: text('kind_a'), c: text() }),
    view('m.far', {}, { z: text('kind_b') }),
  ]
  const plan = planFor('in blue', { want: ['m.use'] }, tools)
  expect(plan.steps[1]?.arguments).toEqual({
    need: { $from: 's1', path: '/x' },
    a: { $from: 's1', path: '/y' },
    d: 'blue',
  })
  expect(plan.steps).toHaveLength(2)
})

test('a default is used by leaving the argument out', () => {
  const tool = view('m.use', { 'size?': { type: 'number', default: 3 } }, {})
  expect(planFor('', { want: ['m.use'] }, [tool]).steps[0]?.arguments).toEqual({})
})

test('the budget is shared evenly among the steps that ask for it, and a plan that spends without one asks', () => {
  const spend = (name: string): ToolView =>
    view(name, { budget: { type: 'number', 'x-cost': true } }, {}, { destructive: true })
  const tools = [spend('m.ads'), spend('m.mail'), view('m.fee', {}, {}, { input: { ...objectOf({}), 'x-cost': 10 } })]
  const want = ['m.ads', 'm.mail', 'm.fee']
  const plan = planFor('', { want, budget: { money: 100 } }, tools)
  expect(plan.budget).toEqual({ money: 100 })
  expect(plan.steps.map(({ arguments: args }) => args)).toEqual([{ budget: 45 }, {}, { budget: 45 }])
  expect(plan.assumptions).toContain('Took budget = 45 for m.ads from an even share of the budget among 2.')
  expect(checkPlan(plan, tools)).toMatchObject({ ok: true, cost: 100 })
  expect(inputsOf(planFor('', { want }, tools))).toEqual(['budget'])
  expect(inputsOf(planFor('', { want: ['m.fee'] }, tools))).toEqual(['budget'])
  expect(planFor('with a budget of 60', { want }, tools)).toMatchObject({ budget: { money: 60 }, questions: [] })
  expect(planFor('', { want, known: { budget: 60 } }, tools)).toMatchObject({ budget: { money: 60 }, questions: [] })
})

test('the budget of the whole plan is not what a step spends a day', () => {
  const daily = { type: 'number', type_id: 'daily_budget', 'x-cost': { times: 'days' } }
  const tool = view(
    'm.advertise',
    { budget: daily, 'days?': { type: 'integer', default: 14 } },
    {},
    { destructive: true },
  )
  const want = ['m.advertise']
  for (const plan of [
    planFor('', { want, known: { budget: 500 } }, [tool]),
    planFor('with a budget of 500', { want }, [tool]),
  ]) {
    expect(plan.steps[0]?.arguments).toEqual({})
    expect(plan.budget).toEqual({ money: 500 })
    expect(inputsOf(plan)).toEqual(['daily_budget'])
  }
  const answered = planFor('', { want, budget: { money: 500 }, known: { budget: 20 } }, [tool])
  expect(answered.steps[0]?.arguments).toEqual({ budget: 20 })
})

test('an object is put together from its parts where somebody has one of them, and asked for as a whole where not', () => {
  const ship = view('m.ship', { to: objectOf({ city: text('city'), street: text() }) }, {})
  const city = view('m.city', {}, { name: text('city') })
  const plan = planFor('', { want: ['m.ship'] }, [ship, city])
  expect(plan.steps[1]?.arguments).toEqual({ to: { city: { $from: 's1', path: '/name' } } })
  expect(inputsOf(plan)).toEqual(['street'])
  expect(inputsOf(planFor('', { want: ['m.ship'] }, [ship]))).toEqual(['to'])
  const known = planFor('', { want: ['m.ship'], known: { street: 'High Street', city: 'York' } }, [ship])
  expect(known.steps[0]?.arguments).toEqual({ to: { city: 'York', street: 'High Street' } })
})

test('what several tools need and none gives is asked once', () => {
  const tools = [view('m.one', { sku: text('sku') }, {}), view('m.two', { item: text('sku') }, {})]
  const plan = planFor('', { want: ['m.one', 'm.two'] }, tools)
  expect(inputsOf(plan)).toEqual(['sku'])
  expect(plan.questions[0]?.question).toContain('m.one and m.two need it')
})

test('a tool that only changes what it is given does not count as a way to come by it', () => {
  const plan = planFor('optimise the seo', {})
  expect(linesOf(plan)).toEqual(['s1 store_build.optimize_seo {}'])
  expect(inputsOf(plan)).toEqual(['page_id'])
  expect(plan.questions[0]?.question).toContain('comes only from store_build.create_product_page')
  const look = view('store_build.view_page', { page_id: text('page_id') }, { page_id: text('page_id') })
  expect(linesOf(planFor('optimise the seo', {}, [...SHOP, look]))).toEqual(linesOf(plan))
})

test('secrets are no value to refer to', () => {
  const tools = [
    view('m.use', { token: text('token') }, {}),
    view('m.login', {}, { token: { type: 'string', type_id: 'token', 'x-secret': true } }),
  ]
  expect(inputsOf(planFor('', { want: ['m.use'] }, tools))).toEqual(['token'])
})

test('criteria come from the context, for the tool they are given for', () => {
  const criteria = {
    'marketing.write_copy': ['clarity', { name: 'length', min_words: 20 }],
    check_inventory: 'no list',
  }
  const plan = planFor('write copy for product name "Moka"', { criteria })
  expect(plan.steps[0]?.criteria).toEqual(['clarity', { name: 'length', min_words: 20 }])
  expect(planFor('check inventory of sku A-1', { criteria }).steps[0]).not.toHaveProperty('criteria')
})

test('what is known and does not fit is not used, and the caller keeps what it gave', () => {
  const known = { sku: { deep: [1] }, address: { name: 'A', street: 'B', city: 'C', country: 'D' } }
  expect(inputsOf(planFor('check inventory', { known }))).toEqual(['sku'])
  const plan = planFor('fulfil order 7', { known })
  expect(plan.steps[0]?.arguments.address).toEqual(known.address)
  expect(plan.steps[0]?.arguments.address).not.toBe(known.address)
})

test('no tools, no words and no end of words are all answered', () => {
  expect(planFor('anything', {}, [])).toMatchObject({ steps: [], questions: [{ input: 'want' }] })
  expect(planFor('')).toMatchObject({ steps: [], questions: [{ input: 'want' }] })
  expect(planFor('check '.repeat(20_000)).steps.map(({ tool }) => tool)).toEqual(['operations.check_inventory'])
})
