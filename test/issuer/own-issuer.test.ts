/** A real host with an issuer of the operator's own, by the policy: official clients sign in there, and scopes of the token map to tools. */

import { freePort } from '@myrmex/testing/free-port'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { LONG } from '@myrmex/testing/long'
import { OAUTH_CLIENTS, OAuthMemory } from '@myrmex/testing/oauth-clients'
import { CLIENT_ID, oauthIssuer } from '@myrmex/testing/oauth-issuer'
import { expect, onTestFinished, test } from 'vitest'

async function hostOf(host: object = {}) {
  const issuer = await oauthIssuer(['tools:ants.*', 'tools:bees.*'])
  onTestFinished(() => issuer.close())
  const port = await freePort()
  const url = new URL(`http://127.0.0.1:${port}/mcp`)
  const folder = hostFolder()
  folder.write('project/myrmex.json', {
    mcpServers: { ants: gatedServer('dig'), bees: gatedServer('hum') },
    host: { port, ...host },
  })
  folder.write('project/myrmex.policy.json', {
    jwt: { issuer: issuer.issuer, audience: url.href, jwks_url: issuer.jwksUrl, scope_prefix: 'tools:' },
  })
  return { issuer, url, folder }
}

/** `npm test` has all of them with a server in this process: test/interop/oauth.test.ts. */
const CLIENTS = Object.entries(OAUTH_CLIENTS).filter(([name]) => LONG || name === 'SDK 2.x, modern')

test.each(CLIENTS)('%s signs in and uses what its token covers', async (_name, clientFor) => {
  const { issuer, url, folder } = await hostOf()
  const host = folder.start([])
  await expect.poll(() => host.said().match(/ready, 1 tool/g)?.length).toBe(2)
  const memory = new OAuthMemory((at) => {
    // The user agrees to one of both.
    at.searchParams.set('scope', 'tools:ants.*')
    at.searchParams.delete('prompt')
    return issuer.authorise(at)
  })
  const registered = { client_id: CLIENT_ID, issuer: issuer.issuer }
  memory.client = registered
  const client = clientFor(url, memory)
  await client.connect()
  expect(memory.opened[0]?.origin).toBe(issuer.issuer)
  expect(await client.tools()).toEqual(['ants_dig', 'myrmex_call_tool', 'myrmex_search_tools'])
  await client.call('ants.dig', {})
  await expect(client.call('bees.hum', {})).rejects.toThrow()
  const { body } = (await host.request('/api/calls')) as { body: { calls: object[] } }
  const principal = `jwt:${new URL(issuer.issuer).host}:ada`
  expect(body.calls).toContainEqual(expect.objectContaining({ tool: 'ants.dig', principal, outcome: 'success' }))
  expect(body.calls).not.toContainEqual(expect.objectContaining({ tool: 'bees.hum', outcome: 'success' }))
})

test('a host has one issuer: with another one in the policy it does not start', async () => {
  const { folder } = await hostOf({ sign_in: { issuer: 'embedded' } })
  const { code, stderr } = await folder.run([])
  expect([code, stderr]).toEqual([1, expect.stringContaining('A host has one issuer: remove one of them.')])
})
