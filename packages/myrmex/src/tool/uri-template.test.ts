import { expect, test } from 'vitest'
import { compileTemplate, foreignTemplate } from './uri-template.ts'

test.each([
  ['shop://orders/{id}', 'shop://orders/1042', { id: '1042' }],
  ['shop://orders/{id}', 'shop://orders/a%20b', { id: 'a b' }],
  ['shop://orders/{id}', 'shop://orders/1/2', undefined],
  ['shop://orders/{id}', 'shop://orders/', undefined],
  ['shop://orders/{id}', 'shop://orders/%ff', undefined],
  ['test://t/{id}/data', 'test://t/7/data', { id: '7' }],
  ['file:///{+path}', 'file:///a/b.txt', { path: 'a/b.txt' }],
  ['x://{a}-{b}', 'x://1-2', { a: '1', b: '2' }],
  ['x://a.b/{c}', 'x://aXb/1', undefined],
])('%s on %s', (template, uri, variables) => {
  expect(compileTemplate(template).match(uri)).toEqual(variables)
})

test.each([['x://no-variables'], ['x://{a'], ['x://{?q}']])('%s is refused', (template) => {
  expect(() => compileTemplate(template)).toThrow(/not a URI template/)
})

const fits = (template: string, uri: string): boolean => foreignTemplate(template).match(uri) !== undefined

test('a URI matches the foreign template that it could have been made from', () => {
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

test('a URI that a caller wrote to be slow ends for a template of our own too', () => {
  const files = compileTemplate('files://{+a}/{+b}/{+c}/{+d}.txt')
  const slashes = '/x'.repeat(2000)
  expect(files.match(`files://x${slashes}`)).toBeUndefined()
  expect(files.match(`files://x${slashes}.txt`)).toMatchObject({ a: 'x', b: 'x', c: 'x' })
})

test('a foreign template written to be slow ends, which a backtracking engine would not', () => {
  expect(fits(`x://${'{+a}'.repeat(2000)}!`, `x://${'a'.repeat(20_000)}`)).toBe(false)
  expect(fits(`x://${'{+a}'.repeat(20)}!`, `x://${'a'.repeat(2000)}`)).toBe(false)
})
