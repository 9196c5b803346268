/** URIs that no server lists: they reach the one server whose they can be, or an error says which. */
import { changingServer, hostOf } from '@myrmex/testing/host/changing-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { expect, test } from 'vitest'

const listing = (...uris: string[]) => ({ resources: uris.map((uri) => ({ uri, name: uri })) })
const template = (uriTemplate: string) => ({ templates: [{ uriTemplate, name: uriTemplate }] })
/** Its capabilities have no resources. */
function withoutResources(name: string) {
  const { settings } = changingServer(name, {})
  const env = { FOLDER: (settings.endpoint as { cwd: string }).cwd, CAPABILITIES: JSON.stringify({ resources: null }) }
  return changingServer(name, {}, { endpoint: { ...settings.endpoint, env } as typeof settings.endpoint })
}

const reading = async (servers: Parameters<typeof hostOf>[0], scopes: readonly string[] = ['*']) => {
  const { server } = await hostOf(servers)
  const principal = { id: 'p', kind: 'bearer', scopes } as const
  const client = await rawClient(server, { era: 'legacy', principal })
  return (uri: string) => client.request('resources/read', { uri })
}

test.each([
  ['has URIs of the scheme', listing('k8s://default/pods')],
  ['has a template of the scheme', template('k8s://default/{kind}')],
])('one server %s: others of the scheme are tried there', async (_title, shape) => {
  const [k8s, notes] = [changingServer('k8s', shape), changingServer('notes', listing('note://a'))]
  const read = await reading([k8s, notes])
  await read('k8s://prod/nodes')
  expect(k8s.noted()).toEqual([{ read: 'k8s://prod/nodes' }])
  expect(notes.noted()).toEqual([])
})

test('one server has resources at all: it is asked', async () => {
  const [k8s, tools] = [changingServer('k8s', {}), withoutResources('tools')]
  const read = await reading([k8s, tools])
  await read('k8s://prod/nodes')
  expect(k8s.noted()).toEqual([{ read: 'k8s://prod/nodes' }])
})

test('several servers could have it: none is asked, and the error names them and how to ask for it', async () => {
  const [one, two] = [changingServer('k8s_one', listing('k8s://a/x')), changingServer('k8s_two', listing('k8s://b/x'))]
  const read = await reading([one, two])
  await expect(read('k8s://prod/nodes')).rejects.toMatchObject({
    code: -32002,
    message:
      'Resource not found: k8s://prod/nodes. It may be a resource of k8s_one or k8s_two. ' +
      'Ask for k8s-one+k8s://prod/nodes or k8s-two+k8s://prod/nodes.',
  })
  await read('k8s-two+k8s://prod/nodes')
  expect([one.noted(), two.noted()]).toEqual([[], [{ read: 'k8s://prod/nodes' }]])
})

test('the error names no server of which the caller may read nothing', async () => {
  const servers = ['one', 'two'].map((name) => changingServer(name, listing(`k8s://${name}/x`)))
  const read = await reading(servers, ['resource:two'])
  await expect(read('k8s://prod/nodes')).rejects.toMatchObject({
    message: expect.stringMatching(/It may be a resource of two\. Ask for two\+k8s:\/\/prod\/nodes\.$/),
  })
})

test('a caller whose profile hides one of the servers gets no hint', async () => {
  const servers = ['one', 'two', 'three'].map((name) => changingServer(name, listing(`k8s://${name}/x`)))
  const { server } = await hostOf(servers)
  server.pipeline.profiles.replace([
    { name: 'some', servers: ['one', 'two'], readOnly: false },
    { name: 'whole', readOnly: false },
  ])
  const read = async (profile: string, uri: string) => {
    const client = await rawClient(server, {
      era: 'legacy',
      principal: { id: 'p', kind: 'bearer', scopes: ['*'], profile },
    })
    return await client.request('resources/read', { uri }).catch((error: unknown) => error)
  }
  for (const uri of ['k8s://prod/nodes', 'k8s://three/x', 'nobody://x'])
    expect(await read('some', uri)).toMatchObject({ message: `Resource not found: ${uri}` })
  expect(await read('whole', 'k8s://prod/nodes')).toMatchObject({
    message: expect.stringContaining('one or three or two'),
  })
})

test('the name of a machine is not the business of another: files and web addresses are not tried by scheme', async () => {
  const [web, other] = [
    changingServer('web', listing('https://a.example/x')),
    changingServer('other', listing('memo://a')),
  ]
  const read = await reading([web, other])
  await expect(read('https://b.example/secret')).rejects.toMatchObject({ code: -32002 })
  expect(web.noted()).toEqual([])
})

test('a URI that a server lists stays with it, even if others have the scheme as well', async () => {
  const [mine, other] = [
    changingServer('mine', listing('k8s://prod/nodes')),
    changingServer('other', listing('k8s://b/x')),
  ]
  const read = await reading([mine, other])
  await read('k8s://prod/nodes')
  await read('k8s://prod/others')
  expect(mine.noted()).toEqual([{ read: 'k8s://prod/nodes' }, { read: 'k8s://prod/others' }])
  expect(other.noted()).toEqual([])
})

test('it is judged as a resource that is not listed', async () => {
  const k8s = changingServer('k8s', listing('k8s://default/pods'), { trust: 'none' })
  const read = await reading([k8s, changingServer('notes', listing('note://a'))])
  await expect(read('k8s://prod/nodes')).rejects.toMatchObject({ message: expect.stringContaining('resource:k8s:*') })
  expect(k8s.noted()).toEqual([])
})

test('a template and a resource with the same text are both served, as they are', async () => {
  const shape = {
    resources: [{ uri: 'k8s://all', name: 'all' }],
    templates: [{ uriTemplate: 'k8s://all', name: 'each' }],
  }
  const braces = {
    resources: [{ uri: 'k8s://{a}', name: 'all' }],
    templates: [{ uriTemplate: 'k8s://{a}', name: 'each' }],
  }
  for (const its of [shape, braces]) {
    const k8s = changingServer('k8s', its)
    const host = await hostOf([k8s, changingServer('notes', listing('note://a'))])
    const client = await rawClient(host.server, { era: 'legacy' })
    expect(host.problems).toEqual([])
    const { resources } = (await client.request('resources/list')) as { resources: { uri: string }[] }
    expect(resources.filter(({ uri }) => uri.startsWith('k8s'))).toEqual(its.resources)
    expect((await client.request('resources/templates/list')).resourceTemplates).toEqual(its.templates)
    const uri = its.resources[0]?.uri
    await client.request('resources/read', { uri })
    await client.request('completion/complete', {
      ref: { type: 'ref/resource', uri },
      argument: { name: 'a', value: '' },
    })
    expect(k8s.noted()[0]).toEqual({ read: uri })
    await host.close()
  }
})
