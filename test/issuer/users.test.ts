/** The operator decides about people who sign in, with the command line and the API, while the host runs. */

import { peopleHost } from '@myrmex/testing/issuer/people-host'
import { longTest } from '@myrmex/testing/long'
import { callWith, RawOAuth } from '@myrmex/testing/raw-oauth'
import { SignInBrowser } from '@myrmex/testing/sign-in-browser'
import { describe, expect, test } from 'vitest'

describe('myrmex users', () => {
  test('invites, shows, changes, disables, enables and removes a user, and the running host follows at once', async () => {
    const host = await peopleHost()
    await host.open()
    const invited = await host.users('invite', 'ada', '--scopes', 'bees.*, ants.dig', '--display-name', 'Ada Lovelace')
    expect(invited.stdout).toMatch(
      /^invited {2}ada may use bees\.\*, ants\.dig\n.*\/sign-in\/invitation\/i-[0-9a-f]{12}-[\w-]{43}\n$/,
    )
    expect(invited.stderr).toContain('send this link to ada; it works once, for 3 days, and is not shown again')
    expect((await host.users('list')).stdout).toBe(
      'NAME  STATE    PROFILE  SCOPES\nada   invited           bees.*, ants.dig\n',
    )
    await host.invite('ada')
    const shown = (await host.users('show', 'ada')).stdout
    for (const line of [
      /^ada$/m,
      /^state +active$/m,
      /^name shown +Ada Lovelace$/m,
      /^principal +user:ada$/m,
      /^signs in with +passphrase$/m,
    ])
      expect(shown).toMatch(line)

    const client = new RawOAuth(host.origin)
    const { access_token: token } = await client.tokens(new SignInBrowser(), 'ada', { scope: 'bees.* ants.*' })
    const call = async (tool: string) => {
      const { status, json } = await callWith(host.origin, token, tool)
      return json.error?.error_type ?? (status === 200 ? json.status : status)
    }
    await expect.poll(() => call('bees.hum')).toBe('success')
    expect((await host.users('scopes', 'ada', 'ants.*')).stdout).toMatch(/^changed {2}ada/)
    expect([await call('bees.hum'), await call('ants.dig')]).toEqual(['PermissionError', 'success'])
    expect((await host.users('disable', 'ada')).stdout).toBe(
      'disabled  ada: all its tokens have ended, and it cannot sign in\n',
    )
    expect(await call('ants.dig')).toBe('AuthenticationError')
    expect((await host.users('list')).stdout).toContain('disabled')
    expect((await host.users('enable', 'ada')).stdout).toBe('enabled  ada: it can sign in again\n')
    // The token of before does not come back.
    expect((await callWith(host.origin, token, 'ants.dig')).status).toBe(401)
    const again = await new RawOAuth(host.origin).tokens(new SignInBrowser(), 'ada', { scope: 'ants.*' })
    expect((await callWith(host.origin, again.access_token, 'ants.dig')).status).toBe(200)
    expect((await host.users('remove', 'ada')).code).toBe(0)
    expect((await callWith(host.origin, again.access_token, 'ants.dig')).status).toBe(401)
    expect((await host.users('list')).stderr).toContain('there are no users; to add one: npx myrmex users invite')
  })

  test('says what is wrong, and what to do', async () => {
    const host = await peopleHost({ profiles: { readers: { servers: ['bees'] } } })
    const fails = async (...args: string[]) => {
      const { code, stderr } = await host.users(...args)
      expect(code).toBe(1)
      return stderr
    }
    expect(await fails('invite', 'ada')).toContain("say what it may use, such as --scopes 'github.*'")
    expect(await fails('invite', 'Ada', '--scopes', '*')).toContain('is not a name for a user')
    expect(await fails('invite', 'ada', '--scopes', 'Git Hub')).toContain('"Git" is not a scope')
    expect(await fails('invite', 'ada', '--scopes', '*', '--profile', 'reader')).toContain(
      'Unknown profile "reader". Did you mean readers? Profiles: readers.',
    )
    expect(await fails('invite', 'ada', '--scopes', '*', '--expires', '90d')).toContain('at most 30 days')
    expect(await fails('invite', 'ada', '--scopes', '*', '--url', 'host')).toContain('is not a URL')
    expect((await host.users('invite', 'ada', '--scopes', '*', '--profile', 'readers')).code).toBe(0)
    expect(await fails('show', 'adda')).toContain('Unknown user "adda". Did you mean ada?')
    expect(await fails('scopes', 'ada')).toContain("npx myrmex users scopes ada 'github.*'")
    expect(await fails('scopes', 'ada', '--profile', 'nobody')).toContain('Unknown profile "nobody"')
    expect(await fails('enable', 'ada')).toContain('is not disabled')
    host.write('project/myrmex.json', { mcpServers: {} })
    expect(await fails('invite', 'bob', '--scopes', '*')).toContain('has no host.sign_in. Add to it:')
  })
})

longTest('the API does what the command does', async () => {
  const host = await peopleHost({ profiles: { readers: { servers: ['bees'] } } })
  const { request } = await host.open()
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const post = (path: string, body: object = {}): Promise<{ status: number; body: any }> => request(path, body)
  expect((await request('/api/users')).body).toEqual({ sign_in: { url: host.url.href }, users: [] })
  const made = await post('/api/invitations', {
    user: 'ada',
    scopes: ['bees.*'],
    profile: 'readers',
    expires_in_ms: 60_000,
  })
  expect(made).toMatchObject({
    status: 200,
    body: {
      link: expect.stringContaining(`${host.origin}/sign-in/invitation/`),
      user: { name: 'ada', principal: 'user:ada', profile: 'readers', scopes: ['bees.*'], signs_in_with: [] },
    },
  })
  const listed = (await request('/api/invitations')) as { body: { invitations: object[] } }
  expect(listed.body.invitations).toMatchObject([{ id: made.body.invitation.id, user: 'ada', used_at: null }])
  expect(JSON.stringify(listed)).not.toContain(made.body.link.slice(-43))
  expect((await fetch(made.body.link)).status).toBe(200)
  expect((await post(`/api/invitations/${made.body.invitation.id}/revoke`)).body).toEqual({ revoked: true })
  expect((await fetch(made.body.link)).status).toBe(404)
  expect((await post(`/api/invitations/${made.body.invitation.id}/revoke`)).status).toBe(404)
  const changed = await post('/api/users/ada/change', { scopes: ['*'], profile: null, display_name: 'Ada' })
  expect(changed.body).toMatchObject({ scopes: ['*'], profile: null, display_name: 'Ada' })
  expect((await post('/api/users/ada/disable')).body.status).toBe('disabled')
  expect((await post('/api/users/ada/enable')).body.status).toBe('active')
  expect((await post('/api/users/ada/remove')).body).toEqual({ removed: true })
  expect((await request('/api/users/ada')).status).toBe(404)

  expect((await post('/api/invitations', { user: 'bob', scopes: ['*'], profile: 'nobody' })).status).toBe(400)
  expect((await post('/api/invitations', { user: 'bob' })).status).toBe(400)
  expect((await post('/api/invitations', { user: 'Bob', scopes: ['*'] })).status).toBe(400)
  expect((await post('/api/users/nobody/disable')).status).toBe(404)
})
