/**
 * The server under test: every fixture, over HTTP on 127.0.0.1. `node conformance/server.ts [PORT]`; without a port it
 * takes a free one. Its only line on stdout is its URL. Started with an IPC channel, it ends when its parent does.
 * `--stdio` serves stdin and stdout instead, for a host.
 */
import { claimStdout, createServer, listenHttp, serveStdio } from 'myrmex'
import { askingTools } from './fixtures/asking.ts'
import { changingTools } from './fixtures/changes.ts'
import { contentTools } from './fixtures/content.ts'
import { prompts } from './fixtures/prompts.ts'
import { resources } from './fixtures/resources.ts'
import { roundTools } from './fixtures/rounds.ts'
import { schemaTools } from './fixtures/schemas.ts'
import { streamingTools } from './fixtures/streaming.ts'
import { taskTools } from './fixtures/tasks.ts'

const isStdio = process.argv[2] === '--stdio'
const output = isStdio ? claimStdout() : undefined
const server = createServer({
  name: 'myrmex-conformance',
  version: '1.0.0',
  tools: [...contentTools, ...streamingTools, ...askingTools, ...roundTools, ...taskTools, ...schemaTools],
  resources,
  prompts,
})
for (const tool of changingTools(server)) server.registry.register(tool)

if (output !== undefined) {
  await serveStdio(server, { output }).done
  process.exit()
}
const { url } = await listenHttp(server, { port: Number(process.argv[2] ?? 0) })
process.on('disconnect', () => process.exit())
process.stdout.write(`${url}\n`)
