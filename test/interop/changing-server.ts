/**
 * A program with a server that changes while it runs, in small pages: what a tools file cannot do, since tools get no
 * handle on their server. Serves stdio, or HTTP with `--http 0`, in the way of `myrmex serve`.
 */
import { claimStdout, createServer, listenHttp, prompt, resource, serveStdio, tool } from 'myrmex'
import * as z from 'zod'
import { plain } from './interop.tools.ts'

const output = process.argv.includes('--http') ? undefined : claimStdout()
let count = 0

const named = (name: string) =>
  tool({
    ...plain,
    name: `living.${name}`,
    description: 'One of many.',
    input: z.object({}),
    output: z.object({ name: z.string() }),
    run: () => ({ name }),
  })
const note = (name: string) => resource({ uri: `living://${name}`, name, read: () => name })
const word = (name: string) => prompt({ name, get: () => name })
const COUNTER = 'living://counter'

const server = createServer({
  name: 'living',
  version: '1.0.0',
  pageSize: 2,
  instructions: 'Change me.',
  tools: ['a', 'b', 'c', 'd', 'e'].map(named),
  resources: [
    ...['a', 'b', 'c', 'd'].map(note),
    resource({ uri: COUNTER, name: 'counter', read: () => String(count) }),
    ...['x', 'y', 'z'].map((name) => resource({ uriTemplate: `living://${name}/{id}`, name, read: (uri) => uri })),
  ],
  prompts: ['a', 'b', 'c'].map(word),
})

server.registry.register(
  tool({
    ...plain,
    name: 'living.grow',
    description: 'Adds a tool, a resource and a prompt.',
    destructive: true,
    input: z.object({ name: z.string() }),
    output: z.null(),
    run: ({ name }) => {
      server.registry.register(named(name))
      server.resources.add(note(name))
      server.prompts.add(word(name))
    },
  }),
)
server.registry.register(
  tool({
    ...plain,
    name: 'living.touch',
    description: 'Counts one up, and notifies subscribers.',
    idempotent: false,
    destructive: true,
    input: z.object({}),
    output: z.object({ count: z.int() }),
    run: () => {
      count++
      server.resourceUpdated(COUNTER)
      return { count }
    },
  }),
)

for (const changing of [...server.registry].filter((one) => one.destructive))
  await server.ledger.trustTool(changing, 'the test')

if (output !== undefined) {
  const { done, stop } = serveStdio(server, { output })
  process.on('SIGTERM', stop)
  await done
  process.exit(0)
}
const listening = await listenHttp(server)
process.stderr.write(`living: ${server.registry.size} tools at ${listening.url}\n`)
process.on('SIGTERM', async () => {
  await listening.close()
  process.exit(0)
})
