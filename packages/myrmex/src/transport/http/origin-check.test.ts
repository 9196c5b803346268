import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { originCheck } from './origin-check.ts'

function asked(host: string, origin: string): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.headers = { host, origin }
  return request
}

test('a page that others can reach takes its own forms, and nobody else’s', () => {
  const pages = originCheck({ host: '0.0.0.0' }, { ownForms: true })
  expect(pages(asked('shop.example:7350', 'http://shop.example:7350'))).toBeUndefined()
  for (const origin of ['http://evil.example', 'http://shop.example:7351', 'null', 'http://127.0.0.1:7350'])
    expect(pages(asked('shop.example:7350', origin)), origin).toMatchObject({ status: 403 })
  expect(originCheck({ host: '0.0.0.0' })(asked('shop.example', 'http://shop.example'))).toMatchObject({ status: 403 })
})

test('on this machine only, a name that leads here is not believed for its origin', () => {
  const pages = originCheck({ host: '127.0.0.1' }, { ownForms: true })
  expect(pages(asked('127.0.0.1:7350', 'http://evil.example'))).toMatchObject({ status: 403 })
  expect(pages(asked('evil.example', 'http://evil.example'))).toMatchObject({ status: 403 })
})
