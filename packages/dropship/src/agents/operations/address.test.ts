import { smallShop } from '@myrmex/testing/shop/test-shops'
import { describe, expect, test } from 'vitest'
import type { Address } from '../../ports.ts'
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
  ])('%j is read as %s', (line, expected) => {
    expect(parts(resolveAddress(line, OWN))).toBe(expected)
  })

  test.each([
    ['124 Main St', /the city is missing; the postal code is missing; the country is missing/],
    ['123 Main St, Berlin', /the postal code is missing; the country is missing/],
    ['somewhere', /no house number/],
    ['', /the street is missing/],
    ['Main Street, 10115 Berlin, Germany', /no house number/],
    ['Hauptstr. 5, 1011 Berlin, Germany', /"1011" is not a postal code of DE, which looks like 99999/],
    ['<b>1 Main St</b>, 10115 Berlin, DE', /the street has characters/],
    ['1 Main St\u202e, 10115 Berlin, DE', /the street has characters/],
    ['{{ 7 }} Main St, 10115 Berlin, DE', /the street has characters/],
    ['1 Main St, 10115 Berlin, Atlantis', /the country is missing/],
  ])('%j is rejected, and the error states why', (line, said) => {
    expect(() => resolveAddress(line, OWN)).toThrow(said)
    expect(() => resolveAddress(line, OWN)).toThrow(expect.objectContaining({ error_type: 'InvalidAddress' }))
  })
})

test('parts are taken as they are, a country by its name too, and who it is for from the order', () => {
  const given = { street: 'Ringstr. 7', city: 'Wien', postal_code: '1010', country: 'Austria' }
  expect(parts(resolveAddress(given, OWN))).toBe('Felix Winter | Ringstr. 7 | Wien | 1010 | AT')
  expect(() => resolveAddress({ ...given, postal_code: '10100' }, OWN)).toThrow(/not a postal code of AT/)
  expect(() => resolveAddress({ ...given, country: 'ZZ' }, OWN)).toThrow(/"ZZ" is not a country/)
  expect(() => resolveAddress({ ...given, city: '12' }, OWN)).toThrow(/the city is not a name/)
})

test('every address that shoppers of a seeded world gave can be delivered to, whole or by its street', async () => {
  const shop = await smallShop()
  const own = (await shop.orders.orders()).map(({ address }) => address)
  await shop.close()
  expect(own.length).toBeGreaterThan(50)
  expect(own.map((address) => resolveAddress(undefined, address))).toEqual(own)
  expect(own.map((address) => resolveAddress(address.street, address))).toEqual(own)
})
