/** The Inspector's command line against both transports, in both eras. A process for every test: side by side they go. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { inspect } from './clients/inspector.ts'
import { startTapped, type TappedServer, TOOLS_SERVER, TRANSPORTS } from './tapped-server.ts'

const CASES = TRANSPORTS.flatMap((transport) => (['legacy', 'modern'] as const).map((era) => ({ transport, era })))

/** Its exit codes. */
const DONE = 0
const TOOL_ERROR = 5

describe.each(CASES)('the Inspector over $transport, $era', ({ transport, era }) => {
  let server: TappedServer

  beforeAll(async () => {
    server = await startTapped(TOOLS_SERVER, transport)
  })
  afterAll(() => server.close())

  const run = (method: string, ...options: string[]) => inspect(server.target, era, method, ...options)
  const call = (name: string, args: object) =>
    run('tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))

  test.concurrent('lists the tools and finds their schemas portable', async () => {
    const { code, result, error } = await run('tools/list', '--strict')
    expect({ code, error }).toEqual({ code: DONE, error: undefined })
    expect(result?.tools).toContainEqual(expect.objectContaining({ name: 'greet' }))
  })

  test.concurrent('calls a tool and exits 0', async () => {
    expect(await call('greet', { name: 'Ada 🐜' })).toMatchObject({
      code: DONE,
      result: { structuredContent: { greeting: 'Hello, Ada 🐜!' } },
    })
  })

  test.concurrent('calls a tool that fails, shows its error and exits 5', async () => {
    expect(await call('sell', { sku: 'CO-17' })).toMatchObject({
      code: TOOL_ERROR,
      result: { isError: true, structuredContent: { error_type: 'OutOfStock', error_details: { left: 0 } } },
      error: { code: 'tool_is_error' },
    })
  })

  test.concurrent('calls a tool with wrong arguments, shows which and exits 5', async () => {
    expect(await call('greet', { name: '' })).toMatchObject({
      code: TOOL_ERROR,
      result: { structuredContent: { error_type: 'SchemaError', error_details: { issues: [{ path: '/name' }] } } },
    })
  })

  test.concurrent('reads a resource', async () => {
    expect(await run('resources/read', '--uri', 'interop://items/flat%20white')).toMatchObject({
      code: DONE,
      result: { contents: [{ text: '{"name":"flat white"}' }] },
    })
  })

  test.concurrent('gets a prompt', async () => {
    expect(await run('prompts/get', '--prompt-name', 'write', '--prompt-args', 'what=poem', 'tone=free')).toMatchObject(
      {
        code: DONE,
        result: { messages: [{ content: { text: 'Write a free poem.' } }, {}, {}] },
      },
    )
  })

  test('was sent nothing but messages of the official schemas', async () => {
    await server.close()
    const { faults, judged, sent } = server.judge
    expect(faults).toEqual([])
    expect(judged).toBeGreaterThanOrEqual(12)
    expect([sent.has('initialize'), sent.has('server/discover')]).toEqual([era === 'legacy', era === 'modern'])
  })
})

test.concurrent.for(TRANSPORTS)('left to choose, the Inspector takes the modern era over %s', async (transport) => {
  const server = await startTapped(TOOLS_SERVER, transport)
  onTestFinished(() => server.close())
  const { code, result } = await inspect(server.target, 'auto', 'prompts/list')
  await server.close()
  expect({ code, result }).toMatchObject({ code: DONE, result: { prompts: [{ name: 'brief' }, { name: 'write' }] } })
  const { faults, sent } = server.judge
  expect(faults).toEqual([])
  expect([sent.has('initialize'), sent.has('server/discover')]).toEqual([false, true])
})
