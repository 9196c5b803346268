import { expect, test } from 'vitest'
import { foreignTemplate } from './foreign-template.ts'

const fits = (template: string, uri: string): boolean => foreignTemplate(template).match(uri) !== undefined

test('a URI belongs to the template that it could have been made from', () => {
  expect(fits('test://template/{id}/data', 'test://template/7/data')).toBe(true)
  expect(fits('test://template/{id}/data', 'test://template/data/data')).toBe(true)
  expect(fits('test://template/{id}/data', 'test://template/7/8/data')).toBe(false)
  expect(fits('test://template/{id}/data', 'test://template//data')).toBe(false)
  expect(fits('test://template/{id}/data', 'test://template/7/data/x')).toBe(false)
  expect(fits('file:///{+path}', 'file:///a/b/c')).toBe(true)
  expect(fits('db://{table}{?limit,offset*}', 'db://users?limit=3')).toBe(true)
  expect(fits('db://{table}{?limit}', 'db://users')).toBe(true)
  expect(fits('x://{a}', 'y://1')).toBe(false)
})

test('variables are named as RFC 6570 writes them', () => {
  expect(foreignTemplate('x://{a}{/b*}{?c,d:3}{#e}').variables).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a template written to be slow is not', () => {
  const begun = performance.now()
  expect(fits(`x://${'{+a}'.repeat(2000)}!`, `x://${'a'.repeat(20_000)}`)).toBe(false)
  expect(performance.now() - begun).toBeLessThan(1000)
})
