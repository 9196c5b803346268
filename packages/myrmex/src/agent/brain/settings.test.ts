import { expect, test } from 'vitest'
import { brainSettings } from './settings.ts'

const KEY = 'sk-very-secret-0123456789'

test('openai and anthropic know their own URLs and where their keys stand', () => {
  expect(brainSettings({ MYRMEX_BRAIN: 'openai:gpt-5', OPENAI_API_KEY: KEY })).toEqual({
    name: 'openai:gpt-5',
    provider: 'openai',
    model: 'gpt-5',
    wire: 'openai',
    url: 'https://api.openai.com/v1',
    key: KEY,
    timeout_ms: 60_000,
  })
  expect(brainSettings({ MYRMEX_BRAIN: 'anthropic:claude-x', ANTHROPIC_API_KEY: ` ${KEY}\n` })).toMatchObject({
    wire: 'anthropic',
    url: 'https://api.anthropic.com/v1',
    key: KEY,
  })
})

test('any other provider speaks the OpenAI-compatible wire at its URL, with or without a key', () => {
  const env = { MYRMEX_BRAIN: 'ollama:llama3.2:3b', MYRMEX_BRAIN_URL: 'http://127.0.0.1:11434/v1/' }
  expect(brainSettings(env)).toMatchObject({
    provider: 'ollama',
    model: 'llama3.2:3b',
    wire: 'openai',
    url: 'http://127.0.0.1:11434/v1',
    key: undefined,
  })
  expect(brainSettings({ ...env, MYRMEX_BRAIN_KEY: KEY })).toMatchObject({ key: KEY })
})

test.each([
  ['https://proxy.example/anthropic', 'https://proxy.example/anthropic/v1'],
  ['https://proxy.example/v1/', 'https://proxy.example/v1'],
])('ANTHROPIC_BASE_URL may leave the version out: %s', (given, url) => {
  const env = { MYRMEX_BRAIN: 'anthropic:m', ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: given }
  expect(brainSettings(env)).toMatchObject({ url })
})

test('MYRMEX_BRAIN_TIMEOUT_MS says how long a thought may take', () => {
  const env = { MYRMEX_BRAIN: 'openai:m', OPENAI_API_KEY: KEY }
  expect(brainSettings({ ...env, MYRMEX_BRAIN_TIMEOUT_MS: '1500' })).toMatchObject({ timeout_ms: 1500 })
  for (const wrong of ['0', '-5', '1.5', 'soon', '1e12']) {
    expect(() => brainSettings({ ...env, MYRMEX_BRAIN_TIMEOUT_MS: wrong })).toThrow(/MYRMEX_BRAIN_TIMEOUT_MS/)
  }
})

const compatible = { MYRMEX_BRAIN: 'groq:m', MYRMEX_BRAIN_KEY: KEY }
test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['no colon', { MYRMEX_BRAIN: 'gpt-5' }, /wants provider:model/],
  ['no model', { MYRMEX_BRAIN: 'openai:' }, /wants provider:model/],
  ['no provider', { MYRMEX_BRAIN: ':gpt-5' }, /wants provider:model/],
  ['no key for openai', { MYRMEX_BRAIN: 'openai:gpt-5' }, /Set OPENAI_API_KEY/],
  ['a blank key', { MYRMEX_BRAIN: 'anthropic:claude', ANTHROPIC_API_KEY: '  ' }, /Set ANTHROPIC_API_KEY/],
  ['a blank URL', { MYRMEX_BRAIN: 'anthropic:c', ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: '' }, /set, but blank/],
  ['no URL', compatible, /Set MYRMEX_BRAIN_URL/],
  ['no URL for Ollama', { MYRMEX_BRAIN: 'ollama:llama3' }, /http:\/\/127\.0\.0\.1:11434\/v1/],
  ['what is no URL', { ...compatible, MYRMEX_BRAIN_URL: 'localhost' }, /MYRMEX_BRAIN_URL wants an http or https URL/],
  ['a URL of a file', { ...compatible, MYRMEX_BRAIN_URL: 'file:///etc' }, /wants an http or https URL/],
  ['a password in the URL', { ...compatible, MYRMEX_BRAIN_URL: `http://u:${KEY}@h/v1` }, /has a user, a password/],
  ['a key in the query', { ...compatible, MYRMEX_BRAIN_URL: `http://h/v1?key=${KEY}` }, /a query/],
  ['a key of two lines', { MYRMEX_BRAIN: 'openai:m', OPENAI_API_KEY: `${KEY}\n${KEY}` }, /Set it again/],
])('%s is an error that says what to set, without the key', (_what, env, message) => {
  let error: unknown
  try {
    brainSettings(env)
  } catch (thrown) {
    error = thrown
  }
  expect(String(error)).toMatch(message)
  expect(String(error)).toMatch(/^ValidationError: /)
  expect(String(error)).not.toContain(KEY)
})
