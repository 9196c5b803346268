/** `inherit_env` of myrmex.json: which variables of a real host reach the process of a real server. */
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { connect } from 'myrmex/client'
import { expect, test } from 'vitest'

const OWN = {
  AWS_REGION: 'eu-north-1',
  AWS_SECRET_KEY: 'of another server',
  HTTPS_PROXY: 'http://proxy.example',
  PLAIN: 'plain',
  FUNCTION: '() { echo; }',
  MYRMEX_API_TOKEN: 'T'.repeat(40),
  NOTIFY_SOCKET: '/run/notify',
}

test('a server gets the variables that are named for it, and never those of Myrmex or a secret of another server', async () => {
  const { write, start } = hostFolder()
  const server = (inherit_env?: unknown): object => ({
    ...gatedServer('ping'),
    ...(inherit_env !== undefined && { inherit_env }),
  })
  write('project/myrmex.json', {
    mcpServers: {
      none: server(),
      some: server(['AWS_*', 'HTTPS_PROXY', 'NOT_SET']),
      all: server(true),
      named: server(['AWS_SECRET_KEY', 'MYRMEX_*']),
      vault: { ...gatedServer('ping'), env: { KEY: { from_env: 'AWS_SECRET_KEY' } } },
    },
  })
  const host = start(['--http', '0'], OWN)
  const connection = await connect({ url: await host.says(/tools at (http:\S+)/) })
  const inherited = async (name: string): Promise<string[]> => {
    const { data } = await connection.call(`${name}.ping`, {})
    const [{ text }] = (data as { content: [{ text: string }] }).content
    const { env } = JSON.parse(text) as { env: Record<string, string> }
    return Object.keys(OWN)
      .filter((key) => env[key] !== undefined)
      .sort()
  }
  expect(await inherited('none')).toEqual([])
  expect(await inherited('some')).toEqual(['AWS_REGION', 'HTTPS_PROXY'])
  expect(await inherited('all')).toEqual(['AWS_REGION', 'HTTPS_PROXY', 'PLAIN'])
  expect(await inherited('named')).toEqual(['AWS_SECRET_KEY'])
  await connection.close()
})
