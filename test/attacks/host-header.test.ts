/**
 * Attacker: a web page on another site
 * Attack: resolves its name to 127.0.0.1 (DNS rebinding) and sends Host headers that a careless parser takes for loopback.
 * Stopped by: the Host header is parsed as RFC 9110 defines it, and the whole host must be one that is served.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { type HttpServerUnderTest, serveHttp } from '@myrmex/testing/http-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let served: HttpServerUnderTest
beforeAll(async () => {
  served = await serveHttp({ allowedHosts: ['tools.example'] })
})
afterAll(() => served.close())

/** The status for a Host header sent byte by byte as it is. */
async function statusFor(port: number, host: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', (text) => (answer += text))
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1')
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

describe('a Host header that only looks like loopback is accepted', () => {
  test.each([
    '[::1].evil.com',
    '[::1]evil.com',
    '[::1]:80.evil.com',
    '[::1]:x',
    '[::1',
    '[::1]]',
    '[::1]@evil.com',
    'localhost:80@evil.com',
    'localhost@evil.com',
    'user:pw@localhost',
    'localhost:80:80',
    'localhost:evil.com',
    'localhost:',
    'localhost:123456',
    'localhost:-1',
    'localhost.evil.com',
    'localhost.',
    'localhost/evil.com',
    'localhost?evil.com',
    'localhost#evil.com',
    'localhost\\evil.com',
    'localhost, evil.com',
    'localhost evil.com',
    'localhost%2eevil.com',
    '127.0.0.1.evil.com',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::1%lo]',
    '::1',
    'tools.example.evil.com',
    'evil.tools.example',
    'tools.example.',
    '',
  ])('Host: %s', async (host) => {
    expect([400, 403]).toContain(await statusFor(served.port, host))
  })

  test.each([
    'localhost',
    'LOCALHOST:7350',
    '127.0.0.1',
    '127.0.0.1:80',
    '[::1]',
    '[::1]:7350',
    'tools.example',
    'Tools.Example:443',
  ])('Host: %s is served', async (host) => {
    expect(await statusFor(served.port, host)).toBe(200)
  })

  test('another address of the loopback network is served under its own name only', async () => {
    const other = await serveHttp({ host: '127.0.0.2' })
    const socket = connect(other.port, '127.0.0.2')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => (answer += text))
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.2\r\nConnection: close\r\n\r\n')
    await once(socket, 'close')
    await other.close()
    expect(answer).toMatch(/^HTTP\/1\.1 200/)
    expect(await statusFor(served.port, '127.0.0.2')).toBe(403)
  })
})
