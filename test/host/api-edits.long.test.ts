/**
 * The operator's API edits the configuration and the clients of the machine, as the commands do: a real host, a home of its own, and
 * every answer as the OpenAPI document says.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { operatorClient } from '@myrmex/testing/operator-api'
import { expect, test } from 'vitest'

const TOKEN = 'ghp_0123456789abcdef'

async function running() {
  const place = hostFolder()
  place.write('project/myrmex.json', '{\n  // ours\n  "mcpServers": {\n  }\n}\n')
  const host = place.start(['--http', '0'])
  await host.says(/API is at (\S+);/)
  const { url, token } = host.api()
  return { ...place, host, api: operatorClient(new URL(url).origin, token) }
}

test('a server is added with its secret in a file of its own, runs at once, and is switched and removed', async () => {
  const { project, read, api } = await running()
  const before = read('project/myrmex.json')
  const entry = { ...gatedServer('ping'), env: { GITHUB_TOKEN: TOKEN } }
  const added = await api.post('/api/servers', { name: 'My Server', entry, trust: 'verified' })
  expect(added.status, JSON.stringify(added.json)).toBe(200)
  expect(added.json).toMatchObject({
    file: join(project, 'myrmex.json'),
    backup: expect.stringContaining('.backup'),
    servers: [{ name: 'my_server', status: { state: 'ready', tools: 1 } }],
    secrets: ['GITHUB_TOKEN'],
  })
  expect(read('project/myrmex.json')).toContain('// ours')
  expect(read('project/myrmex.json')).not.toContain(TOKEN)
  expect(await api.post('/api/servers', { name: 'my_server', entry })).toMatchObject({ status: 409 })
  const wrong = await api.post('/api/servers', { name: 'other', entry: { command: 'x', url: 'https://x.y' } })
  expect([wrong.status, wrong.json.error_message]).toEqual([400, expect.stringContaining('must have exactly one of')])
  expect(await api.post('/api/servers/my_server/disable')).toMatchObject({ status: 200, json: { status: null } })
  expect((await api.get('/api/servers')).json.servers).toEqual([])
  expect(await api.post('/api/servers/my_server/enable')).toMatchObject({ json: { status: { state: 'ready' } } })
  expect(await api.post('/api/servers/my_server/enable')).toMatchObject({ json: { backup: null } })
  expect(await api.post('/api/servers/my_server/remove')).toMatchObject({ json: { status: null } })
  expect(read('project/myrmex.json').replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''))
  expect(await api.post('/api/servers/my_server/remove')).toMatchObject({ status: 404 })
})

test('servers of clients are shown without their secrets, imported, and taken over with an undo', async () => {
  const { home, write, read, api, host } = await running()
  const servers = { GitHub: { ...gatedServer('gh'), env: { KEY: TOKEN } }, Other: gatedServer('other') }
  const text = `{\n  // mine\n  "mcpServers": ${JSON.stringify(servers)}\n}\n`
  write('home/.cursor/mcp.json', text)
  const { json: known } = await api.get('/api/clients')
  expect(JSON.stringify(known)).not.toContain(TOKEN)
  expect(known.clients.map(({ id }: { id: string }) => id)).toContain('goose')
  const cursorOf = (clients: { id: string }[]) => clients.find(({ id }) => id === 'cursor')
  expect(cursorOf(known.clients)).toMatchObject({
    can_undo: false,
    files: [
      {
        path: join(home, '.cursor/mcp.json'),
        servers: [
          { name: 'GitHub', as: 'github', status: 'new', secrets: 1, endpoint: expect.stringContaining('gated') },
          { name: 'Other', as: 'other', status: 'new', secrets: 0 },
        ],
      },
    ],
  })
  expect(await api.post('/api/servers/import', { names: ['nobody'] })).toMatchObject({ status: 404 })
  const imported = await api.post('/api/servers/import', { names: ['other'], trust: 'verified' })
  expect(imported.json.servers).toMatchObject([{ name: 'other', status: { state: 'ready' } }])
  expect(read('home/.cursor/mcp.json')).toBe(text)

  const preview = await api.post('/api/clients/cursor/install', { take_over: true, dry_run: true })
  expect(preview.json).toMatchObject({ applied: false, backup: null })
  expect(JSON.stringify(preview.json)).not.toContain(TOKEN)
  expect(read('home/.cursor/mcp.json')).toBe(text)
  const done = await api.post('/api/clients/cursor/install', { take_over: true })
  expect(done.json).toMatchObject({
    applied: true,
    moved: [
      { name: 'GitHub', as: 'github', new: true },
      { name: 'Other', as: 'other', new: false },
    ],
  })
  expect(readFileSync(done.json.backup, 'utf8')).toBe(text)
  const file = read('home/.cursor/mcp.json')
  expect(file).toContain(`"url": "${new URL('/mcp', host.api().url).href}"`)
  expect(file).not.toContain('GitHub')
  expect((await api.get('/api/servers/github')).json.state).toBe('ready')
  expect(cursorOf((await api.get('/api/clients')).json.clients)).toMatchObject({ can_undo: true })

  const undone = await api.post('/api/clients/cursor/undo', {})
  expect(undone.json).toMatchObject({ applied: true, removed: ['github'], kept: [] })
  expect(JSON.stringify(undone.json)).not.toContain(TOKEN)
  expect(read('home/.cursor/mcp.json')).toBe(text)
  expect(await api.get('/api/servers/github')).toMatchObject({ status: 404 })
  expect(await api.post('/api/clients/cursor/undo', {})).toMatchObject({ status: 404 })

  await api.post('/api/clients/cursor/install', { via: 'program', as: 'tools' })
  expect(JSON.parse(read('home/.cursor/mcp.json').replace('// mine', '')).mcpServers.tools.args).toContain('--stdio')
  expect(await api.post('/api/clients/cursor/uninstall', { as: 'tools' })).toMatchObject({ json: { applied: true } })
  expect(read('home/.cursor/mcp.json')).toBe(text)
  expect(await api.post('/api/clients/cursor/uninstall', { as: 'tools' })).toMatchObject({ json: { applied: false } })
  expect(await api.post('/api/clients/nobody/install', {})).toMatchObject({ status: 404 })
})
