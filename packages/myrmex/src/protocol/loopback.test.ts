import { expect, test } from 'vitest'
import { isLoopback, isSafeUrl } from './loopback.ts'

test.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '::1'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true)
})

test.each([
  '127.0.0.1.evil.example',
  '127.evil.example',
  'localhost.evil.example',
  'evil.localhost.example',
  '128.0.0.1',
  '[::2]',
  '',
])('%s is not', (host) => {
  expect(isLoopback(host)).toBe(false)
  expect(URL.canParse(`http://${host}/`) && isSafeUrl(new URL(`http://${host}/`))).toBe(false)
})

test('https is safe everywhere', () => {
  expect(isSafeUrl(new URL('https://example.com/'))).toBe(true)
  expect(isSafeUrl(new URL('ftp://localhost/'))).toBe(false)
})
