import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { refusePortInUse } from './port-check.ts'

/** A server on a port of its own that answers `/healthz` late. */
async function answering(name: string, afterMs: number): Promise<number> {
  const server = createServer(async (_request, response) => {
    await wait(afterMs)
    response.end(JSON.stringify({ name }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a shop that is busy is recognised, although it answers late', async () => {
  const port = await answering('fleet', 1500)
  await expect(refusePortInUse('127.0.0.1', port)).rejects.toThrow(
    `The shop is already running: http://127.0.0.1:${port}/`,
  )
})

test('another program on the port is called one, with the next port to try', async () => {
  const port = await answering('other', 0)
  await expect(refusePortInUse('127.0.0.1', port)).rejects.toThrow(
    `Port ${port} is in use by another program. Choose another: npm start -- --port ${port + 1}`,
  )
})
