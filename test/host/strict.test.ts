/** Arguments that do not fit the schema of a tool: its server judges them, unless the operator wants otherwise. */
import { rawClient } from '@myrmex/testing/host/raw-client'
import { enter, type StatefulHost, statefulHost, textOf, whereabouts } from '@myrmex/testing/host/stateful-server'
import { expect, onTestFinished, test } from 'vitest'

const open = async ({ host }: StatefulHost) => {
  const client = await rawClient(host.server, { era: 'legacy' })
  onTestFinished(() => client.close())
  return client
}
// The schema says that it is a string; the server makes one of anything.
const NUMBER = 5 as unknown as string

test('they are passed on as they are, and the log says so once', async () => {
  const server = await statefulHost('child')
  const client = await open(server)
  for (let times = 0; times < 3; times++) expect(await enter(client, NUMBER)).not.toHaveProperty('isError')
  expect((await whereabouts(client)).folder).toBe('5')
  expect(server.log.filter((line) => line.includes('passed on'))).toEqual([
    'warn git.enter: arguments that do not fit its schema are passed on: /folder must be a string',
  ])
})

test('with strict they are rejected, and the server hears nothing of them', async () => {
  const server = await statefulHost('child', { strict: true })
  const client = await open(server)
  const refused = (await enter(client, NUMBER)) as Record<string, unknown>
  expect(refused).toMatchObject({ isError: true, structuredContent: { error_type: 'SchemaError' } })
  expect(textOf(refused)).toContain('/folder: must be a string')
  expect((await whereabouts(client)).folder).toBe('/')
})
