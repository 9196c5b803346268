/** MCP tools in the hands of a model: `generateText` of the `ai` package calls them and reads what comes back. */
import { generateText, stepCountIs, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { open } from './clients/ai-sdk.ts'
import { PIXEL } from './interop.tools.ts'
import { startTapped, type TappedServer, TOOLS_SERVER, TRANSPORTS } from './tapped-server.ts'

const CASES = TRANSPORTS.flatMap((transport) => (['legacy', 'modern'] as const).map((era) => ({ transport, era })))

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that calls these tools in its first step and says "done" in its second. */
const modelThatCalls = (calls: Record<string, object>) =>
  new MockLanguageModelV4({
    doGenerate: [
      {
        content: Object.entries(calls).map(([toolName, input]) => ({
          type: 'tool-call',
          toolCallId: `call-${toolName}`,
          toolName,
          input: JSON.stringify(input),
        })),
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage: USAGE,
        warnings: [],
      },
      {
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: USAGE,
        warnings: [],
      },
    ],
  })

describe.each(CASES)('a model with our tools over $transport, $era', ({ transport, era }) => {
  let server: TappedServer
  let client: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    server = await startTapped(TOOLS_SERVER, transport)
    client = await open(server.target, era)
  })
  afterAll(async () => {
    await client.close()
    await server.close()
  })

  test('calls several, and reads data, failures and pictures', async () => {
    const model = modelThatCalls({ greet: { name: 'Ada' }, sell: { sku: 'CO-17' }, show: {} })
    const { text } = await generateText({
      model,
      tools: (await client.tools()) as ToolSet,
      prompt: 'Greet Ada, sell a coffee, show me something.',
      stopWhen: stepCountIs(2),
    })
    const shown = model.doGenerateCalls[1]
    expect(text).toBe('done')
    expect(shown?.tools?.find(({ name }) => name === 'greet')).toMatchObject({
      description: 'Greets somebody by name.',
      inputSchema: { properties: { name: { type: 'string' } }, required: ['name'] },
    })
    const results = shown?.prompt.at(-1)?.content
    expect(results).toMatchObject([
      { toolName: 'greet', output: { value: [{ type: 'text', text: '{"greeting":"Hello, Ada!"}' }] } },
      { toolName: 'sell', output: { value: [{ type: 'text', text: 'OutOfStock: CO-17 is sold out' }] } },
      { toolName: 'show' },
    ])
    expect(JSON.stringify(results)).toContain(PIXEL)
  })

  test('was sent nothing but messages of the official schemas', async () => {
    await client.close()
    await server.close()
    expect(server.judge.faults).toEqual([])
  })
})

test('a call that is aborted over HTTP in the modern era stops the tool', async () => {
  const server = await startTapped(TOOLS_SERVER, 'http')
  const client = await open(server.target, 'modern')
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  const stop = new AbortController()
  const call = client.callTool({ name: 'wait', arguments: { key: 'k' }, options: { signal: stop.signal } })
  const rejected = expect(call).rejects.toThrow('aborted')
  await client.callTool({ name: 'waiting', arguments: { key: 'k' } })
  stop.abort()
  await rejected
  expect(await client.callTool({ name: 'aborted', arguments: { key: 'k' } })).toMatchObject({
    structuredContent: { reason: expect.stringContaining('closed the stream') },
  })
  await client.close()
  await server.close()
  expect(server.judge.faults).toEqual([])
})
