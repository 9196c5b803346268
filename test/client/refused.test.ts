/** A server that refuses a client: 401 is an AuthenticationError and 403 a PermissionError, when connecting and when calling, in both eras. */
import { createServer as createHttp } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HttpServerUnderTest, serveHttp } from '@myrmex/testing/http-server'
import { type Connection, connect } from 'myrmex/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let served: HttpServerUnderTest
beforeAll(async () => {
  served = await serveHttp({ token: 'right' })
})
afterAll(() => served.close())

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Another server, whose 401 has no JSON-RPC error in it. */
async function foreign(status: number, body: string): Promise<string> {
  const server = createHttp((_request, response) => void response.writeHead(status).end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

describe.each(['auto', 'legacy'] as const)('%s', (era) => {
  test.each([
    ['no token', {}, 'A valid bearer token is required in the Authorization header'],
    ['a wrong token', { token: 'wrong' }, 'Unknown token'],
  ])('connecting with %s', async (_what, credentials, reason) => {
    await expect(connect({ url: served.url, ...credentials }, { era })).rejects.toMatchObject({
      error_type: 'AuthenticationError',
      message: `${served.url}: the server requires authentication (HTTP 401): ${reason}. Send a valid token.`,
      error_details: { peer: served.url, status: 401 },
    })
  })

  test.each([
    [401, 'AuthenticationError'],
    [403, 'PermissionError'],
  ])('connecting to a foreign server that answers %i with a page', async (status, error_type) => {
    const url = await foreign(status, `<html>${'x'.repeat(10_000)}</html>`)
    const error = await connect({ url }, { era }).catch((thrown) => thrown)
    expect(error).toMatchObject({ error_type, error_details: { status } })
    expect(error.message).not.toContain('<html>')
    expect(error.message.length).toBeLessThan(300)
  })

  test('calling with a token that is no longer valid', async () => {
    const headers: Record<string, string> = { authorization: 'Bearer right' }
    const connection: Connection = await connect({ url: served.url, headers }, { era })
    open.push(connection)
    expect(await connection.call('all.add', { a: 1, b: 2 })).toMatchObject({ status: 'success' })
    const transport = connection.client.transport as unknown as { _requestInit: { headers: Record<string, string> } }
    transport._requestInit.headers.authorization = 'Bearer expired'
    const refused = { error_type: 'AuthenticationError', message: expect.stringContaining('HTTP 401') }
    await expect(connection.call('all.add', { a: 1, b: 2 })).rejects.toMatchObject(refused)
    await expect(connection.tools({ fresh: true })).rejects.toMatchObject(refused)
    await expect(connection.request('agent/plan', { goal: 'x' })).rejects.toMatchObject(refused)
  })
})
