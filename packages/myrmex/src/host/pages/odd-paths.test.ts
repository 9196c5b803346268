/** Paths that a browser would have tidied up before sending them. */
import { request } from 'node:http'
import { serveHttp } from '@myrmex/testing/http-server'
import { expect, onTestFinished, test } from 'vitest'
import { callbackPages } from '../sign-in/callback-pages.ts'
import { listenForRedirect } from '../sign-in/redirect-listener.ts'
import { approvalPages } from './approval-pages.ts'
import { joinedPages } from './joined-pages.ts'

const finish = () => Promise.resolve({ server: 'notes' })

/** The path is sent as it is. */
const statusOf = (port: number, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, timeout: 2000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer at ${path}`)))
    sent.on('error', reject)
    sent.end()
  })

test('joined pages answer each path that they have', async () => {
  const { port, close } = await serveHttp({ pages: joinedPages(callbackPages(finish), approvalPages) })
  onTestFinished(close)
  expect(await statusOf(port, '/approvals/abcdefghjk')).toBe(200)
  expect(await statusOf(port, '/oauth/callback/notes?state=x')).toBe(200)
  expect(await statusOf(port, '/oauth/callback/../elsewhere')).toBe(200)
})

test('the listener for redirects survives every path', async () => {
  const { origin, close } = await listenForRedirect(0, finish)
  onTestFinished(close)
  const port = Number(new URL(origin).port)
  expect(await statusOf(port, '//')).toBe(404)
  expect(await statusOf(port, '/oauth/callback?state=x')).toBe(200)
})
