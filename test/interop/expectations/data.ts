/** Resources, prompts and completion. */
import { expect, test } from 'vitest'
import { PIXEL } from '../interop.tools.ts'
import type { Session } from './session.ts'

export function expectData(session: Session): void {
  test('lists and reads resources, as text and as bytes', async () => {
    expect((await session.client.resources()).map(({ uri }) => uri)).toEqual(['interop://bytes', 'interop://text'])
    expect(await session.client.read('interop://text')).toEqual([
      { uri: 'interop://text', mimeType: 'text/plain', text: 'plain words' },
    ])
    expect(await session.client.read('interop://bytes')).toEqual([
      { uri: 'interop://bytes', mimeType: 'application/octet-stream', blob: 'AH+A/w==' },
    ])
  })

  test('reads resources of a template, and is refused those that are not there', async () => {
    expect(await session.client.templates()).toMatchObject([{ uriTemplate: 'interop://items/{name}', name: 'items' }])
    expect(await session.client.read('interop://items/espresso%20doppio')).toEqual([
      { uri: 'interop://items/espresso%20doppio', mimeType: 'application/json', text: '{"name":"espresso doppio"}' },
    ])
    for (const uri of ['interop://items/tea', 'interop://nowhere']) {
      // The 2.x client says -32602 for either; what went over the wire is looked at below.
      await expect(session.client.read(uri)).rejects.toMatchObject({
        code: expect.toBeOneOf(session.era === 'modern' ? [-32602] : [-32002, -32602]),
        data: { uri },
      })
    }
  })

  test('lists and gets prompts', async () => {
    expect(await session.client.prompts()).toMatchObject([
      { name: 'brief' },
      { name: 'write', arguments: [{ name: 'what', required: true }, { name: 'tone' }] },
    ])
    expect(await session.client.prompt('brief')).toEqual([
      { role: 'user', content: { type: 'text', text: 'Be brief.' } },
    ])
    expect(await session.client.prompt('write', { what: 'letter', tone: 'formal' })).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write a formal letter.' } },
      { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
      { role: 'assistant', content: { type: 'resource', resource: { uri: 'interop://text', text: 'plain words' } } },
    ])
  })

  test('is refused a prompt that is unknown or lacks an argument', async () => {
    await expect(session.client.prompt('wriite')).rejects.toMatchObject({
      code: -32602,
      data: { nearest: ['write'] },
    })
    await expect(session.client.prompt('write', { tone: 'formal' })).rejects.toMatchObject({ code: -32602 })
  })

  test('completes arguments of prompts and variables of templates', async () => {
    const write = { type: 'ref/prompt', name: 'write' } as const
    expect(await session.client.complete(write, 'what', 'l')).toEqual(['letter'])
    expect(await session.client.complete(write, 'tone', '', { what: 'poem' })).toEqual(['free', 'rhymed'])
    expect(
      await session.client.complete({ type: 'ref/resource', uri: 'interop://items/{name}' }, 'name', 'esp'),
    ).toEqual(['espresso', 'espresso doppio'])
  })
}
