import { expect, test } from 'vitest'
import { compileTemplate } from './uri-template.ts'

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
