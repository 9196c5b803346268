/** Who thinks by rules pays for no model: nothing of the AI SDK is loaded unless MYRMEX_BRAIN asks for it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const BRAIN = new URL('../../packages/myrmex/src/agent/brain/choose.ts', import.meta.url).href

/** Every module that a process of its own loads while it chooses a brain and plans. */
async function loaded(env: NodeJS.ProcessEnv): Promise<string[]> {
  const code = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    const { brainFrom } = await import(${JSON.stringify(BRAIN)})
    const brain = await brainFrom(${JSON.stringify(env)})
    if (brain.name === 'rules') {
      await brain.plan({ goal: 'anything', context: {}, tools: [] })
      await brain.critique({ task: 'write', output: 'A text.', criteria: ['clarity'] })
    }
    process.stdout.write(JSON.stringify(urls))`
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code])
  return JSON.parse(stdout)
}

const ofModels = (urls: readonly string[]): string[] => urls.filter((url) => /node_modules\/(ai|@ai-sdk)\//.test(url))

test('without MYRMEX_BRAIN nothing of the AI SDK is loaded', async () => {
  const urls = await loaded({})
  expect(urls.some((url) => url.endsWith('/brain/rules-brain.ts'))).toBe(true)
  expect(ofModels(urls)).toEqual([])
  expect(urls.filter((url) => /\/brain\/(model|ask|provider|questions)/.test(url))).toEqual([])
})

test('with it, only the package of the wire that is spoken', async () => {
  const compatible = ofModels(
    await loaded({ MYRMEX_BRAIN: 'ollama:llama3', MYRMEX_BRAIN_URL: 'http://127.0.0.1:1/v1' }),
  )
  expect(compatible.some((url) => url.includes('/ai/'))).toBe(true)
  expect(compatible.some((url) => url.includes('/openai-compatible/'))).toBe(true)
  expect(compatible.some((url) => url.includes('/anthropic/'))).toBe(false)
  const anthropic = ofModels(await loaded({ MYRMEX_BRAIN: 'anthropic:claude', ANTHROPIC_API_KEY: 'sk-none-at-all' }))
  expect(anthropic.some((url) => url.includes('/anthropic/'))).toBe(true)
  expect(anthropic.some((url) => url.includes('/openai-compatible/'))).toBe(false)
})
