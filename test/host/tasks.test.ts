/**
 * Tasks of 2025-11-25 through the host as its users start it: a server and a client of the SDK 1.x, which have them, and a host that is
 * killed meanwhile.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema, CreateTaskResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type HostFolder, hostFolder, type StartedHost } from '@myrmex/testing/host/host-folder'
import { longTest } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test, vi } from 'vitest'

async function connected(url: string, name = 'Ann'): Promise<Client> {
  const client = new Client({ name: 'tasks', version: '1' }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name } }))
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  await client.listTools()
  return client
}

function started({ folder, write, start }: HostFolder): StartedHost {
  write('project/myrmex.json', {
    mcpServers: {
      old: {
        command: process.execPath,
        args: [fixturePath('host/legacy-tasks-upstream.ts')],
        env: { NOTES: `${folder}/project/notes` },
        trust: 'verified',
      },
    },
  })
  return start(['--http', '0', '--open'])
}

async function streamed(client: Client, name: string, options = {}): Promise<{ kinds: string[]; last: unknown }> {
  const kinds: string[] = []
  let last: unknown
  const params = { name, arguments: { who: 'she' } }
  for await (const message of client.experimental.tasks.callToolStream(params, CallToolResultSchema, options)) {
    kinds.push(message.type)
    last = message.type === 'result' ? message.result.content : message
  }
  return { kinds, last }
}
const said = (text: string): object[] => [{ type: 'text', text }]

test('a client of the SDK 1.x runs tasks of a server of the SDK 1.x: progress, questions, list and cancellation', async () => {
  const host = started(hostFolder())
  const url = await host.says(/listening at (\S+);/)
  await host.says(/(old: ready)/)
  const client = await connected(url)
  expect(client.getServerCapabilities()?.tasks).toEqual({
    list: {},
    cancel: {},
    requests: { tools: { call: {} } },
  })
  const progress: number[] = []
  const reported = await streamed(client, 'reports', {
    onprogress: (one: { progress: number }) => void progress.push(one.progress),
  })
  expect(reported).toEqual({ kinds: expect.arrayContaining(['taskCreated', 'taskStatus']), last: said('done') })
  expect(progress).toEqual([1])
  expect((await streamed(client, 'asks')).last).toEqual(said('she is Ann'))
  const { tasks } = await client.experimental.tasks.listTasks()
  expect(tasks.map(({ status }) => status)).toEqual(['completed', 'completed'])
  const endless = await client.request(
    { method: 'tools/call', params: { name: 'endless', arguments: {}, task: {} } },
    CreateTaskResultSchema,
  )
  expect(await client.experimental.tasks.cancelTask(endless.task.taskId)).toMatchObject({ status: 'cancelled' })
  expect(await host.end()).toBe(0)
})

longTest(
  'a task that ran when the host was killed has failed for who asks the next host, and its tool may have had its effect',
  async () => {
    const folder = hostFolder()
    const first = started(folder)
    const url = await first.says(/listening at (\S+);/)
    await first.says(/(old: ready)/)
    const before = await connected(url)
    const { task } = await before.request(
      { method: 'tools/call', params: { name: 'endless', arguments: {}, task: {} } },
      CreateTaskResultSchema,
    )
    expect(task.status).toBe('working')
    await first.end('SIGKILL')
    const second = started(folder)
    const client = await connected(await second.says(/listening at (\S+);/))
    const { taskId } = task
    // The next host learns that the first is gone.
    await vi.waitFor(
      async () =>
        expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({
          status: 'failed',
          statusMessage: expect.stringContaining('Whether old.endless took effect is unknown'),
        }),
      { timeout: 20_000, interval: 100 },
    )
    expect((await client.experimental.tasks.listTasks()).tasks).toMatchObject([{ taskId, status: 'failed' }])
    await expect(client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toThrow(/is unknown/)
    expect(await second.end()).toBe(0)
  },
)
