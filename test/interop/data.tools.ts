/** Resources and prompts for foreign clients to list, read, fill in and complete. */
import { prompt, resource } from 'myrmex'
import { PIXEL } from './interop.tools.ts'

export const words = resource({
  uri: 'interop://text',
  name: 'text',
  title: 'A text',
  description: 'Text that never changes.',
  mimeType: 'text/plain',
  annotations: { audience: ['assistant'], priority: 0.9 },
  ttlMs: 60_000,
  cacheScope: 'public',
  read: () => 'plain words',
})

export const bytes = resource({
  uri: 'interop://bytes',
  name: 'bytes',
  mimeType: 'application/octet-stream',
  size: 4,
  read: () => new Uint8Array([0, 127, 128, 255]),
})

const ITEMS = ['espresso', 'espresso doppio', 'flat white']

export const items = resource({
  uriTemplate: 'interop://items/{name}',
  name: 'items',
  description: 'What is on the menu.',
  mimeType: 'application/json',
  complete: { name: (typed) => ITEMS.filter((item) => item.startsWith(typed)) },
  read: (_, { name }) => (ITEMS.includes(name as string) ? JSON.stringify({ name }) : undefined),
})

export const brief = prompt({
  name: 'brief',
  title: 'Brief',
  description: 'A prompt without arguments.',
  get: () => 'Be brief.',
})

const TONES: Record<string, string[]> = { letter: ['formal', 'friendly'], poem: ['free', 'rhymed'] }

export const write = prompt({
  name: 'write',
  description: 'A prompt with arguments and several kinds of content.',
  arguments: [
    {
      name: 'what',
      title: 'What',
      required: true,
      complete: (typed) => Object.keys(TONES).filter((what) => what.startsWith(typed)),
    },
    {
      name: 'tone',
      description: 'depends on what is written',
      complete: (typed, { what }) => (TONES[what ?? ''] ?? []).filter((tone) => tone.startsWith(typed)),
    },
  ],
  get: ({ what, tone }) => [
    { role: 'user', content: { type: 'text', text: `Write a ${tone ?? 'plain'} ${what}.` } },
    { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
    { role: 'assistant', content: { type: 'resource', resource: { uri: 'interop://text', text: 'plain words' } } },
  ],
})
