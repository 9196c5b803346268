/**
 * Attacker: a web page on another site
 * Attack: calls the server from its visitor's browser: with an origin that begins like a named one, with several, with `null`, or with a
 * preflight that needs no token.
 * Stopped by: an origin is compared as a whole with those that the operator named. Every other gets 403 and no header that lets a page
 * read the answer, and patterns, `*` and `null` cannot be named.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { add } from '@myrmex/testing/sample-tools'
import { createServer, type HttpListener, listenHttp } from 'myrmex'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const PAGE = 'https://console.example'
let open: HttpListener
let guarded: HttpListener
beforeAll(async () => {
  const server = () => createServer({ name: 'pages', version: '1.0.0', tools: [add] })
  open = await listenHttp(server(), { allowedOrigins: [PAGE] })
  guarded = await listenHttp(server(), { allowedOrigins: [PAGE], token: 'secret' })
})
afterAll(async () => {
  await open.close()
  await guarded.close()
})

/** The headers as they are, byte by byte, so that some can be there twice. */
async function answerTo(
  port: number,
  method: string,
  headers: readonly string[],
): Promise<{ status: number; text: string }> {
  const socket = connect(port, '127.0.0.1')
  const body = '{"tool_name":"math.add","arguments":{"a":1,"b":2}}'
  let text = ''
  socket.setEncoding('latin1').on('data', (part) => (text += part))
  const head = [
    `${method} /call HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: close',
    'Content-Type: application/json',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${method === 'POST' ? body.length : 0}\r\n\r\n`)
  if (method === 'POST') socket.write(body)
  await once(socket, 'close')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text }
}

const FOREIGN: [string, string[]][] = [
  ['another site', ['Origin: https://evil.example']],
  ['null, as sandboxed frames and files have', ['Origin: null']],
  ['a site that begins like the named one', ['Origin: https://console.example.evil.example']],
  ['a site that ends like the named one', ['Origin: https://evil-console.example']],
  ['the named one over plain HTTP', ['Origin: http://console.example']],
  ['the named one on another port', ['Origin: https://console.example:8443']],
  ['the named one with a path', ['Origin: https://console.example/']],
  ['the named one in capitals', ['Origin: https://CONSOLE.example']],
  ['the named one with a user', ['Origin: https://console.example@evil.example']],
  ['two origins in one header', [`Origin: ${PAGE} https://evil.example`]],
  ['a list of origins', [`Origin: ${PAGE}, https://evil.example`]],
  ['two headers', [`Origin: ${PAGE}`, 'Origin: https://evil.example']],
  ['two headers, the named one last', ['Origin: https://evil.example', `Origin: ${PAGE}`]],
  ['the named one twice', [`Origin: ${PAGE}`, `Origin: ${PAGE}`]],
  ['nothing', ['Origin: ']],
  ['loopback in the name of a site', ['Origin: http://localhost.evil.example']],
  ['loopback as a user of a site', ['Origin: http://127.0.0.1@evil.example']],
]

describe('a page of another origin calls, or reads what the server answers', () => {
  test.each(FOREIGN)('with the origin of %s', async (_what, headers) => {
    for (const { port } of [open, guarded]) {
      for (const [method, more] of [
        ['POST', []],
        ['OPTIONS', ['Access-Control-Request-Method: POST']],
      ] as const) {
        const { status, text } = await answerTo(port, method, [...headers, ...more])
        expect([method, status]).toEqual([method, 403])
        expect(text).not.toMatch(/access-control/i)
        expect(text).not.toContain('"sum"')
      }
    }
  })

  test('the named one calls', async () => {
    const { status, text } = await answerTo(open.port, 'POST', [`Origin: ${PAGE}`])
    expect(status).toBe(200)
    expect(text).toMatch(/access-control-allow-origin: https:\/\/console\.example\r/i)
  })
})

describe('a preflight is more than a preflight', () => {
  test('the answer is empty and runs nothing, and the request itself needs the token', async () => {
    const headers = [`Origin: ${PAGE}`, 'Access-Control-Request-Method: POST']
    const { status, text } = await answerTo(guarded.port, 'OPTIONS', headers)
    expect(status).toBe(204)
    expect(text).toMatch(/\r\n\r\n$/)
    expect((await answerTo(guarded.port, 'POST', headers)).status).toBe(401)
    expect((await answerTo(guarded.port, 'OPTIONS', [`Origin: ${PAGE}`])).status).toBe(401)
  })

  test('no answer allows every origin, or cookies', async () => {
    for (const method of ['POST', 'OPTIONS']) {
      const { text } = await answerTo(open.port, method, [`Origin: ${PAGE}`, 'Access-Control-Request-Method: POST'])
      expect(text).not.toMatch(/access-control-allow-origin: \*|access-control-allow-credentials/i)
    }
  })
})
