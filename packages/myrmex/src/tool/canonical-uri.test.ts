import { expect, test } from 'vitest'
import { canonicalTemplate, canonicalUri, uriKey } from './canonical-uri.ts'

test.each([
  ['FILE:///a/./b/../c.txt#', 'file:///a/c.txt'],
  ['file://LOCALHOST/a', 'file:///a'],
  ['file:/a', 'file:///a'],
  ['file:\\\\\\a\\b', 'file:///a/b'],
  ['file:///%7Euser/%2fx%c3%a9', 'file:///~user/%2Fx%C3%A9'],
  ['file:///ü b', 'file:///%C3%BC%20b'],
  ['HTTPS://Me@Example.ORG.:0443?', 'https://Me@example.org/'],
  ['http://a:8080/..', 'http://a:8080/'],
  ['files+FILE://localhost/a/.', 'files+file:///a/'],
  ['repo://Owner/Name/../Other', 'repo://Owner/Other'],
  ['memo:a/../b', 'memo:a/../b'],
  ['memo://one?q=%41#%42', 'memo://one?q=A#B'],
  ['no scheme', 'no%20scheme'],
])('%s becomes %s, and stays so', (uri, canonical) => {
  expect(canonicalUri(uri)).toBe(canonical)
  expect(canonicalUri(canonical)).toBe(canonical)
  expect(uriKey(canonical)).toBe(uriKey(uri))
})

test('escapes are decoded once', () => {
  expect(canonicalUri('file:///%2561')).toBe('file:///%2561')
  expect(uriKey('file:///%2561')).not.toBe(uriKey('file:///a'))
})

test('keys ignore the case of an authority and escapes that divide nothing', () => {
  expect(uriKey('memo://ONE/a+b')).toBe(uriKey('memo://one/a%2Bb'))
  expect(uriKey('memo://one')).toBe(uriKey('memo://one/'))
  expect(uriKey('memo://one/a%2Fb')).not.toBe(uriKey('memo://one/a/b'))
  expect(uriKey('memo://one/A')).not.toBe(uriKey('memo://one/a'))
})

test('a template matches canonical URIs, and its expressions stay as they are', () => {
  expect(canonicalTemplate('FILE://Localhost/%61/{+Path}')).toBe('file:///a/{+Path}')
  expect(canonicalTemplate('Repo://{Owner}/{repo}')).toBe('repo://{Owner}/{repo}')
  expect(canonicalTemplate('{+any}')).toBe('{+any}')
})
