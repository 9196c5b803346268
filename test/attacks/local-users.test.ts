/**
 * A process of another user needs root, so these tests are skipped if they run as anybody else, or not on Linux.
 *
 * Attacker: another local user
 * Attack: calls over HTTP on loopback, where no token is configured and every caller was the principal `local`.
 * Stopped by: on Linux the kernel's table of sockets says which user opened a connection. Only the user of the server, and root,
 * are `local`.
 */
import { spawn } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { add } from '@myrmex/testing/fixtures/all.tools'
import { post } from '@myrmex/testing/http-server'
import { createServer, type HttpListener, type HttpOptions, listenHttp } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'

const OTHER = 65_534
const CALL = { tool_name: 'all.add', arguments: { a: 1, b: 2 } }
const isRoot = process.platform === 'linux' && process.getuid?.() === 0

async function served(options: HttpOptions = {}, tool = add): Promise<HttpListener> {
  const server = createServer({ name: 'local', version: '1.0.0', tools: [tool], observe: () => {} })
  const listener = await listenHttp(server, options)
  onTestFinished(() => listener.close())
  return listener
}

/** Runs a program of Node's as another user, and returns what it printed. */
function asOtherUser(code: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      uid: OTHER,
      gid: OTHER,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text))
    child.on('error', reject).on('close', () => resolve(printed))
  })
}

const callAt = (url: string, path: string, headers: object = {}): string => `
  const response = await fetch(${JSON.stringify(new URL(path, url).href)}, {
    method: ${path === '/healthz' ? "'GET'" : "'POST'"},
    headers: ${JSON.stringify({ 'content-type': 'application/json', ...headers })},
    ${path === '/healthz' ? '' : `body: ${JSON.stringify(JSON.stringify(CALL))},`}
  })
  console.log(response.status, await response.text())`

describe.runIf(isRoot)('another user of this machine calls without a token', () => {
  test.each(['127.0.0.1', '::1'])('on %s every path but the health check is refused', async (host) => {
    const { url } = await served({ host })
    for (const path of ['/call', '/mcp', '/batch', '/metrics']) {
      const printed = await asOtherUser(callAt(url, path))
      expect(printed, path).toMatch(/^403 .*another user of this machine.*MYRMEX_TOKEN/)
    }
    expect(await asOtherUser(callAt(url, '/healthz'))).toMatch(/^200 /)
    expect(await post(new URL('/call', url).href, CALL)).toMatchObject({ status: 200, json: { data: { sum: 3 } } })
  })

  test('a socket of the other address family does not hide who opened it', async () => {
    const { port } = await served()
    const printed = await asOtherUser(`
      import { connect } from 'node:net'
      const socket = connect(${port}, '::ffff:127.0.0.1')
      socket.setEncoding('utf8').on('data', (text) => console.log(text))
      socket.write('POST /call HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\nContent-Type: application/json\\r\\nContent-Length: ${JSON.stringify(CALL).length}\\r\\n\\r\\n' + ${JSON.stringify(JSON.stringify(CALL))})`)
    expect(printed).toMatch(/^HTTP\/1\.1 403/)
  })

  test('a connection that is closed at once, for which the kernel reports root, calls nothing', async () => {
    const calls: string[] = []
    const counted = { ...add, run: (input: { a: number; b: number }) => ({ sum: calls.push('run') + input.a }) }
    const { port, url } = await served({}, counted as typeof add)
    await asOtherUser(`
      import { connect } from 'node:net'
      import { once } from 'node:events'
      const body = ${JSON.stringify(JSON.stringify(CALL))}
      for (let i = 0; i < 200; i++) {
        const socket = connect(${port}, '127.0.0.1').on('error', () => {})
        socket.write('POST /call HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body, () => socket.destroy())
        await once(socket, 'close')
      }`)
    expect(calls).toEqual([])
    expect(await post(new URL('/call', url).href, CALL)).toMatchObject({ status: 200 })
    expect(calls).toEqual(['run'])
  })

  test('pages that are served beside the callers are for the same users', async () => {
    const pages = {
      has: (path: string) => path === '/runs',
      serve: async (_: unknown, response: ServerResponse) => void response.end('a private run'),
    }
    const { url } = await served({ pages })
    expect(await asOtherUser(callAt(url, '/runs'))).toMatch(/^403/)
    expect(await (await fetch(new URL('/runs', url))).text()).toBe('a private run')
  })

  test('with a token everybody who has it is let in, and nobody else', async () => {
    const { url } = await served({ token: 'for-both-of-us' })
    expect(await asOtherUser(callAt(url, '/call'))).toMatch(/^401/)
    expect(await asOtherUser(callAt(url, '/call', { authorization: 'Bearer for-both-of-us' }))).toMatch(/^200/)
  })

  test('the operator can open the port to all users of the machine', async () => {
    const { url } = await served({ localUsers: 'all' })
    expect(await asOtherUser(callAt(url, '/call'))).toMatch(/^200/)
  })
})
