/** Everything that server-everything can do for a client. */
import { expect, vi } from 'vitest'
import { asks, call, listsTools, refuses, type Step } from './step.ts'

const DOCUMENTS = ['architecture', 'extension', 'features', 'how-it-works', 'instructions', 'startup', 'structure'].map(
  (name) => `demo://resource/static/document/${name}.md`,
)
const ZIPPED = 'demo://resource/session/hello.gz'
const TEXTS = 'demo://resource/dynamic/text/{resourceId}'
const BLOBS = 'demo://resource/dynamic/blob/{resourceId}'

const reads = (uri: string, tries = uri): Step => ({
  name: `${uri} is read`,
  tries,
  run: (session) => session.read(uri),
})

const gets = (name: string, args?: Record<string, string>): Step => ({
  name: `${name} is got${args ? ` with ${JSON.stringify(args)}` : ''}`,
  tries: name,
  run: (session) => session.prompt(name, args),
})

const completes = (prompt: string, argument: string, value: string, others?: Record<string, string>): Step => ({
  name: `${argument} of ${prompt} is completed from "${value}"${others ? ` among ${JSON.stringify(others)}` : ''}`,
  lasting: true,
  run: (session) => session.completePrompt(prompt, argument, value, others),
})

const tools: readonly Step[] = [
  listsTools,
  call('echo', { message: 'Ada 🐜\n"quoted"' }),
  refuses('echo', { message: 7 }),
  call('get-annotated-message', { messageType: 'error', includeImage: true }),
  call('get-annotated-message', { messageType: 'debug' }, 'answers with a default'),
  refuses('get-annotated-message', { messageType: 'none' }),
  call('get-env', {}),
  call('get-resource-links', { count: 4 }),
  call('get-resource-links', {}, 'answers with a default'),
  refuses('get-resource-links', { count: 11 }),
  call('get-resource-reference', { resourceType: 'Blob', resourceId: 3 }),
  call('get-resource-reference', { resourceType: 'Text', resourceId: 0 }, 'fails in its own words'),
  refuses('get-resource-reference', { resourceType: 'Video' }),
  call('get-structured-content', { location: 'Chicago' }),
  refuses('get-structured-content', {}),
  call('get-sum', { a: 0.1, b: 0.2 }),
  refuses('get-sum', { a: '1', b: 2 }),
  call('get-tiny-image', {}),
  call('gzip-file-as-resource', { name: 'hello.gz', data: 'data:text/plain,Hello', outputType: 'resource' }),
  call('gzip-file-as-resource', { name: 'hello.gz', data: 'data:text/plain,Hello' }, 'links to what it made'),
  call('gzip-file-as-resource', { data: 'ftp://example.com/file' }, 'fails in its own words'),
  refuses('gzip-file-as-resource', { outputType: 'tape' }),
  call('trigger-long-running-operation', { duration: 0.02, steps: 2 }),
  {
    name: 'trigger-long-running-operation tells how far it is',
    lasting: true,
    run: (session) => session.callWatched('trigger-long-running-operation', { duration: 0.32, steps: 8 }),
  },
  refuses('trigger-long-running-operation', { duration: 'long' }),
  {
    ...call('simulate-research-query', { topic: 'ants' }, 'wants to be a task'),
    // For a client that cannot run tasks, the host runs one and waits.
    hosted: { result: { content: [{ type: 'text', text: expect.stringContaining('# Research Report: ants') }] } },
  },
]

const questions: readonly Step[] = [
  call('get-roots-list', {}),
  asks('trigger-sampling-request', { prompt: 'What is an ant?', maxTokens: 7 }),
  refuses('trigger-sampling-request', { prompt: 1 }),
  asks('trigger-elicitation-request', {}),
  ...(['decline', 'cancel'] as const).map(
    (mood): Step => ({
      name: `trigger-elicitation-request hears that the user says ${mood}`,
      lasting: true,
      run: async (session) => {
        session.user.mood = mood
        const outcome = await session.call('trigger-elicitation-request', {})
        session.user.mood = 'accept'
        return outcome
      },
    }),
  ),
  asks('trigger-url-elicitation', { url: 'https://example.com/pay', elicitationId: 'e-1', message: 'Pay.' }),
  asks(
    'trigger-url-elicitation',
    { url: 'https://example.com/in', elicitationId: 'e-2', errorPath: true },
    'demands a visit',
  ),
  asks(
    'trigger-url-elicitation',
    { url: 'https://example.com/in', elicitationId: 'e-2', errorPath: true },
    'goes on after it',
  ),
  refuses('trigger-url-elicitation', { url: 5 }),
]

const resources: readonly Step[] = [
  {
    name: 'resources are listed, with the one that a tool has made',
    lasting: true,
    run: async (session) => {
      const made = async () => {
        const all = await session.resources()
        if (!all.some(({ uri }) => uri === ZIPPED)) throw new Error(`No ${ZIPPED} in ${JSON.stringify(all)}`)
        // What a server says about a resource that it lists later is hidden until somebody reviews it.
        const types = all.filter((one) => one.uri === ZIPPED).map(({ uri, mimeType }) => ({ uri, mimeType }))
        return [...all.filter((one) => one.uri !== ZIPPED), ...types]
      }
      return vi.waitFor(made, { timeout: 5000, interval: 50 })
    },
  },
  { name: 'templates are listed', run: (session) => session.templates() },
  ...DOCUMENTS.map((uri) => reads(uri)),
  { ...reads(ZIPPED), lasting: true },
  reads('demo://resource/dynamic/text/42', TEXTS),
  reads('demo://resource/dynamic/blob/42', BLOBS),
  reads('demo://resource/dynamic/text/none', TEXTS),
  reads('demo://resource/no/such/thing'),
  ...[TEXTS, BLOBS].map(
    (uri): Step => ({
      name: `resourceId of ${uri} is completed`,
      lasting: true,
      run: async (session) => [
        await session.completeUri(uri, 'resourceId', '12'),
        await session.completeUri(uri, 'resourceId', 'x'),
      ],
    }),
  ),
]

const prompts: readonly Step[] = [
  { name: 'prompts are listed', run: (session) => session.prompts() },
  gets('simple-prompt'),
  gets('args-prompt', { city: 'Utrecht' }),
  gets('args-prompt', { city: 'Austin', state: 'Texas' }),
  gets('completable-prompt', { department: 'Sales', name: 'Eve' }),
  gets('resource-prompt', { resourceType: 'Text', resourceId: '7' }),
  gets('resource-prompt', { resourceType: 'Blob', resourceId: '8' }),
  gets('resource-prompt', { resourceType: 'Film', resourceId: '8' }),
  completes('completable-prompt', 'department', ''),
  completes('completable-prompt', 'department', 'S'),
  completes('completable-prompt', 'name', '', { department: 'Support' }),
  completes('completable-prompt', 'name', 'x', { department: 'Support' }),
  completes('resource-prompt', 'resourceType', 'T'),
  completes('resource-prompt', 'resourceId', '5'),
]

const told: readonly Step[] = [
  {
    name: 'subscribers receive a change, until they unsubscribe',
    tries: 'toggle-subscriber-updates',
    lasting: true,
    run: async (session) => {
      session.forget()
      const end = await session.subscribe(DOCUMENTS[0] as string)
      const on = await session.call('toggle-subscriber-updates', {})
      const heard = await session.heard('notifications/resources/updated')
      const off = await session.call('toggle-subscriber-updates', {})
      await end()
      session.forget()
      const again = await session.call('toggle-subscriber-updates', {})
      await session.call('toggle-subscriber-updates', {})
      return { on, off, again, heard, after: session.soFar('notifications/resources/updated') }
    },
  },
  {
    name: 'log messages reach the clients that asked for them',
    tries: 'toggle-simulated-logging',
    lasting: true,
    run: async (session) => {
      await session.logLevel('debug')
      session.forget()
      const on = await session.call('toggle-simulated-logging', {})
      // The server also logs that a subscription ended, which a host may pass on a moment later.
      const heard = await session.heard('notifications/message', (params) =>
        /level.message/i.test(String(params?.data)),
      )
      const off = await session.call('toggle-simulated-logging', {})
      // Which of the eight levels it is, is chance.
      const { level, data } = heard.params ?? {}
      const words = String(data).toLowerCase().replace('-', ' ').startsWith(String(level))
      // The host says which server logs.
      const fields = Object.keys(heard.params ?? {}).filter((key) => key !== 'logger')
      return { on, off, fields: fields.sort(), words }
    },
  },
]

export const STEPS: readonly Step[] = [...tools, ...questions, ...resources, ...prompts, ...told]
