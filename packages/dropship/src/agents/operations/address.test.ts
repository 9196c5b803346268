import { smallShop } from '@myrmex/testing/shop/test-shops'
import { describe, expect, test } from 'vitest'
import { COUNTRIES, postalCodeExample } from '../../countries.ts'
import type { Address } from '../../ports.ts'
import { fieldProblems, readOrderFields } from '../../storefront/checkout/order-form.ts'
import { resolveAddress } from './address.ts'

const OWN: Address = {
  name: 'Felix Winter',
  street: '123 Main St',
  city: 'Stuttgart',
  postal_code: '70134',
  country: 'DE',
}
const parts = (address: Address): string => Object.values(address).join(' | ')

describe('one line', () => {
  test.each([
    ['123 Main St', 'Felix Winter | 123 Main St | Stuttgart | 70134 | DE'],
    ['123 main street, stuttgart', 'Felix Winter | 123 Main St | Stuttgart | 70134 | DE'],
    ['123 Main St, 70134 Stuttgart, Germany', 'Felix Winter | 123 Main St | Stuttgart | 70134 | DE'],
    ['Ada Byron, 12 Rue de Rivoli, 75001 Paris, France', 'Ada Byron | 12 Rue de Rivoli | Paris | 75001 | FR'],
    ['10 Downing Street, London SW1A 2AA, UK', 'Felix Winter | 10 Downing Street | London | SW1A 2AA | GB'],
    [
      '1600 Pennsylvania Ave, Washington DC 20500, USA',
      'Felix Winter | 1600 Pennsylvania Ave | Washington DC | 20500 | US',
    ],
    ['Bob, Damrak 1, 1012 LG Amsterdam, NL', 'Bob | Damrak 1 | Amsterdam | 1012 LG | NL'],
    ['Bob\n1 High St\nLeeds\nLS1 4AP\nUnited Kingdom', 'Bob | 1 High St | Leeds | LS1 4AP | GB'],
    ['Ola, Karl Johans gate 1, 0154 Oslo, Norway', 'Ola | Karl Johans gate 1 | Oslo | 0154 | NO'],
    ['124 Main St', 'Felix Winter | 124 Main St | Stuttgart | 70134 | DE'],
    ['124 Main St, Apt 4', 'Felix Winter | 124 Main St, Apt 4 | Stuttgart | 70134 | DE'],
    ['Ada Byron, Ringstr. 7', 'Ada Byron | Ringstr. 7 | Stuttgart | 70134 | DE'],
    ['124 Main St, Germany', 'Felix Winter | 124 Main St | Stuttgart | 70134 | DE'],
    ['124 Main St, stuttgart', 'Felix Winter | 124 Main St | Stuttgart | 70134 | DE'],
    ['124 Main St, 70134', 'Felix Winter | 124 Main St | Stuttgart | 70134 | DE'],
    ['124 Main St, 70180 Stuttgart', 'Felix Winter | 124 Main St | Stuttgart | 70180 | DE'],
  ])('%j is read as %s', (line, expected) => {
    expect(parts(resolveAddress(line, OWN).address)).toBe(expected)
  })

  test.each([
    ['124 Main St, Berlin', /the postal code is missing; the country is missing/],
    ['124 Main St, Austria', /the city is missing; the postal code is missing/],
    ['124 Main St, 10115', /the city is missing; the country is missing/],
    ['124 Main St, 10115 Berlin', /the country is missing/],
    ['124 Main St, Stuttgart, Atlantis', /the postal code is missing; the country is missing/],
    ['124 Main St, Stuttgart, USA', /the postal code is missing/],
    ['somewhere', /no house number/],
    ['', /the street is missing/],
    ['Main Street, 10115 Berlin, Germany', /no house number/],
    ['Hauptstr. 5, 1011 Berlin, Germany', /"1011" is not a postal code of DE, which looks like 10115/],
    ['<b>1 Main St</b>, 10115 Berlin, DE', /the street has characters/],
    ['1 Main St\u202e, 10115 Berlin, DE', /the street has characters/],
    ['{{ 7 }} Main St, 10115 Berlin, DE', /the street has characters/],
    ['1 Main St, 10115 Berlin, Atlantis', /the country is missing/],
  ])('%j is rejected, and the error states why', (line, said) => {
    expect(() => resolveAddress(line, OWN)).toThrow(said)
    expect(() => resolveAddress(line, OWN)).toThrow(expect.objectContaining({ error_type: 'InvalidAddress' }))
  })
})

test('parts that are missing are those of the order, and it is said which', () => {
  expect(resolveAddress({ street: '1 High St' }, OWN)).toEqual({
    address: { ...OWN, street: '1 High St' },
    completed: ['city', 'postal_code', 'country'],
  })
  expect(resolveAddress({ street: '1 High St', city: 'Stuttgart', postal_code: '70180' }, OWN).completed).toEqual([
    'country',
  ])
  expect(() => resolveAddress({ street: '1 High St', city: 'Berlin' }, OWN)).toThrow(/the postal code is missing/)
  expect(() => resolveAddress({ street: '1 High St', country: 'AT' }, OWN)).toThrow(/the city is missing/)
})

test('parts are taken as they are, a country by its name too, and who it is for from the order', () => {
  const given = { street: 'Ringstr. 7', city: 'Wien', postal_code: '1010', country: 'Austria' }
  expect(parts(resolveAddress(given, OWN).address)).toBe('Felix Winter | Ringstr. 7 | Wien | 1010 | AT')
  expect(() => resolveAddress({ ...given, postal_code: '10100' }, OWN)).toThrow(/not a postal code of AT/)
  expect(() => resolveAddress({ ...given, country: 'ZZ' }, OWN)).toThrow(/"ZZ" is not a country/)
  expect(() => resolveAddress({ ...given, city: '12' }, OWN)).toThrow(/the city is not a name/)
})

test('every address that shoppers of a seeded world gave can be delivered to, whole or by its street', async () => {
  const shop = await smallShop()
  const own = (await shop.orders.orders()).map(({ address }) => address)
  await shop.close()
  expect(own.length).toBeGreaterThan(50)
  expect(own.map((address) => resolveAddress(undefined, address).address)).toEqual(own)
  expect(own.map((address) => resolveAddress(address.street, address).address)).toEqual(own)
})

test.each([
  ['IE', 'D02AF30', 'D02 AF30'],
  ['IE', 'd6w f4e2', 'D6W F4E2'],
  ['PL', '00001', '00-001'],
  ['PT', '1000001', '1000-001'],
  ['GB', 'sw1a1aa', 'SW1A 1AA'],
  ['NL', '1012ab', '1012 AB'],
  ['SE', '11120', '111 20'],
  ['CZ', '11000', '110 00'],
  ['JP', '1000001', '100-0001'],
  ['US', '100011234', '10001-1234'],
  ['LV', 'lv1010', 'LV-1010'],
  ['DE', '10115', '10115'],
  ['SG', '018956', '018956'],
])('an order from %s with the postal code %s can be fulfilled, to %s', (country, typed, expected) => {
  const form = { ...OWN, email: 'felix@example.com', postal_code: typed, country }
  const filled = readOrderFields(new URLSearchParams(form))
  expect(fieldProblems(filled)).toEqual({})
  expect(filled.postal_code).toBe(expected)
  expect(resolveAddress({ ...OWN, postal_code: typed, country }, OWN).address.postal_code).toBe(expected)
})

test.each([
  ['DE', '101 15'],
  ['DE', '1011'],
  ['GR', '1055'],
  ['IE', 'D2 AF30'],
  ['PL', '0-0001'],
  ['US', '1000-11234'],
  ['US', '10001-'],
  ['LV', '-1010'],
  ['SG', '!'],
])('neither the checkout nor fulfilment accepts, for %s, the postal code %s', (country, typed) => {
  const form = { ...OWN, email: 'felix@example.com', postal_code: typed, country }
  expect(Object.keys(fieldProblems(readOrderFields(new URLSearchParams(form))))).toEqual(['postal_code'])
  expect(() => resolveAddress({ ...OWN, postal_code: typed, country }, OWN)).toThrow(/is not a postal code of/)
})

test('a parcel can be sent to every country that can be ordered from', () => {
  for (const { code } of COUNTRIES) {
    const postal_code = postalCodeExample(code) ?? '1000'
    expect(resolveAddress({ ...OWN, postal_code, country: code }, OWN).address).toMatchObject({
      postal_code,
      country: code,
    })
  }
})
