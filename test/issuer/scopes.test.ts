/** Which scopes clients are offered, and what the tools that search need of them. */

import { gatedServer } from '@myrmex/testing/host/host-folder'
import { post, postModern } from '@myrmex/testing/http-server'
import { peopleHost } from '@myrmex/testing/issuer/people-host'
import { twoServers } from '@myrmex/testing/profiles/two-servers'
import { RawOAuth } from '@myrmex/testing/raw-oauth'
import { SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { PASSPHRASE } from '@myrmex/testing/signed-in-host'
import { expect, test } from 'vitest'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a caller with scopes can search, and finds and calls only what they cover', async () => {
  const { ledger, url, origin } = await twoServers({}, { list: 'search' })
  const { token } = await ledger.tokens.create('ci', { scopes: ['ants.*'] }, 'ada')
  const call = async (name: string, args: object) =>
    (await postModern(url, 'tools/call', { name, arguments: args }, bearer(token))).json.result
  const { json } = await postModern(url, 'tools/list', {}, bearer(token))
  expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual([
    'myrmex_call_tool',
    'myrmex_search_tools',
  ])
  const found = await call('myrmex_search_tools', { query: 'secret plan read' })
  expect(JSON.stringify(found)).toContain('read_ants')
  expect(JSON.stringify(found)).not.toContain('read_bees')
  expect(await call('myrmex_call_tool', { name: 'read_ants' })).toMatchObject({
    structuredContent: { name: 'read_ants' },
  })
  const refused = await postModern(
    url,
    'tools/call',
    { name: 'myrmex_call_tool', arguments: { name: 'bees.read_bees' } },
    bearer(token),
  )
  expect(JSON.stringify(refused.json)).toContain('the scope bees.read_bees (or bees.*) is missing')
  const direct = await post(`${origin}/call`, { tool_name: 'bees.read_bees', arguments: {} }, bearer(token))
  expect(direct.json.error.error_type).toBe('PermissionError')
})

test('the scopes of a server are offered before it has listed anything, and its user gets them', async () => {
  const host = await peopleHost({ mcpServers: { slow: gatedServer('dig', '/nowhere/to/be/found') } })
  await host.open()
  const metadata = await fetch(`${host.origin}/.well-known/oauth-protected-resource/mcp`)
  expect(await metadata.json()).toMatchObject({ scopes_supported: ['ants.*', 'bees.*', 'slow.*'] })
  await host.invite('ada', '--scopes', '*')
  const client = new RawOAuth(host.origin)
  // A client that names no scope wants what there is.
  const { scope } = await client.tokens(new SignInBrowser(), 'ada', { scope: undefined })
  expect(scope?.split(' ').sort()).toEqual(['ants.*', 'bees.*', 'slow.*'])
})

test('what a user may not use is named on the page that asks, and is not given', async () => {
  const host = await peopleHost()
  await host.open()
  await host.invite('ada', '--scopes', 'ants.dig')
  const browser = new SignInBrowser()
  const client = new RawOAuth(host.origin)
  await client.register()
  const login = await browser.open(client.authorizeUrl({ scope: 'ants.* bees.*' }))
  if (login instanceof URL) throw new Error('nothing was asked')
  const consent = await browser.submit(login, { user: 'ada', passphrase: PASSPHRASE })
  if (consent instanceof URL) throw new Error('nothing was asked')
  expect(textOf(consent)).toContain('Not included, because you may not use it: bees.*.')
  expect(consent.html).not.toContain('myrmex.')
})
