import { describe, expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const TOOLS = [
  'math.add',
  'operations.check_inventory',
  'operations.fulfill_order',
  'customer_service.handle_ticket',
  'customer_service.generate_faq',
  'shop.check_order',
]

describe('a name that is near is found', () => {
  test.each([
    ['a letter too few', 'math.ad', 'math.add'],
    ['a letter too many', 'operations.fulfilll_order', 'operations.fulfill_order'],
    ['swapped letters', 'maht.add', 'math.add'],
    ['swapped letters of a short name', 'math.dda', 'math.add'],
    ['other case', 'Math.Add', 'math.add'],
    ['without its module', 'chek_inventory', 'operations.check_inventory'],
    ['with another module', 'stock.check_inventory', 'operations.check_inventory'],
    ['flat', 'operations_chek_inventory', 'operations.check_inventory'],
    ['only its beginning', 'operations.check', 'operations.check_inventory'],
    ['something behind it', 'check_inventory_now', 'operations.check_inventory'],
  ])('%s', (_what, typed, meant) => {
    expect(nearest(typed, TOOLS)[0]).toBe(meant)
  })

  test('the nearest first, and no more than wanted', () => {
    const known = ['check_stock', 'check_stack', 'check_sock', 'check_socks']
    expect(nearest('check_stck', known)).toEqual(['check_sock', 'check_stack', 'check_stock'])
    expect(nearest('check_stoc', known, 1)).toEqual(['check_stock'])
  })
})

describe('an unrelated name is not', () => {
  test.each([
    'nobody',
    'weather',
    'x',
    '',
    // The module is the same, the tool is not.
    'customer_service.refund',
    'customer_service_refund',
    'math.multiply',
    'operations.cancel',
    'q'.repeat(10_000),
  ])('%s', (typed) => {
    expect(nearest(typed, TOOLS)).toEqual([])
  })

  test('one letter is not near another', () => {
    expect(nearest('a', ['b', 'c'])).toEqual([])
    expect(nearest('m.a', ['m.b', 'm.c'])).toEqual([])
  })
})
