/** `--allowed-hosts`, `--allowed-origins` and `--trust-proxy`: on every command that listens, from the command line to the socket. */
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { send } from '@myrmex/testing/http-server'
import { fixturePath } from '@myrmex/testing/paths'
import { add } from '@myrmex/testing/sample-tools'
import { addCommand } from 'myrmex-dropship/command'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hostCommand } from '../../packages/myrmex/src/cli/host/command.ts'
import { ceoCommand } from '../../packages/myrmex/src/cli/runs/command.ts'
import { serveCommand } from '../../packages/myrmex/src/cli/tools/command.ts'
import { EMPTY_POLICY } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { accessOptions } from '../../packages/myrmex/src/serve/options.ts'
import { listenWithToken } from '../../packages/myrmex/src/serve/serving.ts'
import { createServer } from '../../packages/myrmex/src/server/server.ts'

afterEach(() => vi.unstubAllEnvs())

const OPTIONS = ['--allowed-hosts', '--allowed-origins', '--trust-proxy']

type Command = ReturnType<typeof serveCommand>
const emptyCommand = (): Command => serveCommand().createCommand()

function shopCommand(): Command {
  const program = emptyCommand()
  addCommand(program)
  const dropship = program.commands[0] as Command
  return dropship.commands.find((command) => command.name() === 'start') as Command
}

test.each<[string, () => Command]>([
  ['serve', serveCommand],
  ['host', hostCommand],
  ['ceo', ceoCommand],
  ['dropship start', shopCommand],
])('myrmex %s has them', (_name, command) => {
  expect(command().options.map(({ long }) => long)).toEqual(expect.arrayContaining(OPTIONS))
})

describe('a server that listens with them', () => {
  async function serve(...args: string[]): Promise<string> {
    const options = accessOptions(emptyCommand()).parse(args, { from: 'user' }).opts()
    vi.stubEnv('MYRMEX_TOKEN', 'secret')
    const server = createServer({ name: 's', version: '1.0.0', tools: [add] })
    const listening = await listenWithToken(server, { host: '127.0.0.1', ...options }, EMPTY_POLICY)
    onTestFinished(() => listening.close())
    return `http://127.0.0.1:${listening.port}/healthz`
  }

  test('takes values separated by commas, and options that are repeated', async () => {
    const url = await serve('--allowed-hosts', 'a.example, b.example', '--allowed-hosts', 'c.example')
    for (const host of ['a.example', 'b.example', 'c.example'])
      expect((await send(url, 'GET', { host })).status).toBe(200)
    expect((await send(url, 'GET', { host: 'd.example' })).status).toBe(403)
  })

  test('serves the pages of named origins', async () => {
    const url = await serve('--allowed-origins', 'https://console.example')
    const got = await send(url, 'GET', { origin: 'https://console.example' })
    expect(got.headers['access-control-allow-origin']).toBe('https://console.example')
  })

  test('believes its proxies', async () => {
    const url = await serve('--allowed-hosts', 'tools.example', '--trust-proxy', 'loopback')
    const forwarded = { host: '192.0.2.1', 'x-forwarded-host': 'tools.example' }
    expect((await send(url, 'GET', forwarded)).status).toBe(200)
  })

  test('takes them from the environment', async () => {
    vi.stubEnv('MYRMEX_ALLOWED_HOSTS', 'a.example,b.example')
    const url = await serve()
    expect((await send(url, 'GET', { host: 'b.example' })).status).toBe(200)
  })
})

test('on stdio they have no effect, and the command says so', async () => {
  const args = ['serve', fixturePath('all.tools.ts'), '--allowed-hosts', 'tools.example', '--trust-proxy', 'loopback']
  const { code, stderr } = await runToEnd(args, { env: { ...process.env, MYRMEX_TOKEN: undefined } })
  expect(stderr).toContain('--allowed-hosts has no effect on stdio; to listen on a port, add --http 7350')
  expect(stderr).toContain('--trust-proxy has no effect on stdio')
  expect(code).toBe(0)
})

describe('a value that cannot be meant ends the command with what to do', () => {
  const env = { ...process.env, MYRMEX_TOKEN: undefined }
  test.each([
    [['--allowed-origins', '*'], /would let every page call\. Name each origin/],
    [['--trust-proxy', 'loopback'], /callers need a token: set MYRMEX_TOKEN/],
    [['--allowed-hosts', 'https://tools.example'], /is not a host name without a port/],
  ])('%j', async (args, says) => {
    const { code, stderr } = await runToEnd(['serve', fixturePath('all.tools.ts'), '--http', '0', ...args], { env })
    expect(stderr).toMatch(says)
    expect(code).toBe(1)
  })
})
