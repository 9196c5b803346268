/** What a tool says with `ctx.log` is in the log of `myrmex serve`: on stderr, as JSON lines with the call's id, and never on stdout. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@myrmex/testing/paths'
import { StdioChild } from '@myrmex/testing/stdio-child'
import { expect, onTestFinished, test } from 'vitest'

const TOOL = `import { tool } from 'myrmex'
import * as z from 'zod'
export const made = tool({ name: 'demo.says', version: '1.0.0', description: 'For tests.',
  input: z.object({ password: z.string().meta({ 'x-secret': true }) }), output: z.object({}), errors: {}, idempotent: true,
  destructive: false, security: 'None.', examples: [],
  run: ({ password }, ctx) => {
    ctx.log('debug', 'fine print')
    ctx.log('warning', { tried: password, api_key: 'not for a log', cups: 3 })
    ctx.log('info', 'a text with ' + password + '\\nand a second line', 'kitchen')
    return {}
  } })
`

async function logOf(env: Record<string, string>): Promise<{ lines: Record<string, unknown>[]; child: StdioChild }> {
  const folder = mkdtempSync(join(ROOT, '.discover-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'says.tools.ts'), TOOL)
  const child = new StdioChild(['serve', folder], { ...process.env, ...env })
  onTestFinished(() => child.kill())
  await child.initialize()
  child.send({ jsonrpc: '2.0', id: 'level', method: 'logging/setLevel', params: { level: 'error' } })
  await child.answer('level')
  child.call(1, 'demo.says', { password: 'hunter2-hunter2' })
  expect((await child.answer(1)).result).toMatchObject({ structuredContent: {} })
  expect(await child.end()).toBe(0)
  const lines = child.stderr.split('\n').filter((line) => line.startsWith('{'))
  return { lines: lines.map((line) => JSON.parse(line)), child }
}

test('each message is a line on stderr, also if the client wants none', async () => {
  const { lines, child } = await logOf({ MYRMEX_LOG_LEVEL: 'info' })
  const said = lines.filter(({ tool }) => tool === 'demo.says')
  expect(said).toMatchObject([
    {
      level: 'warn',
      severity: 'warning',
      call_id: expect.stringMatching(/./),
      data: { tried: '[secret]', api_key: '[secret]', cups: 3 },
      msg: 'ctx.log',
    },
    { level: 'info', logger: 'kitchen', msg: 'a text with [secret]\nand a second line' },
  ])
  expect(said[0]?.call_id).toBe(said[1]?.call_id)
  expect(child.stderr).not.toContain('hunter2')
  expect(child.raw.filter((line) => line.includes('notifications/message'))).toEqual([])
})

test('MYRMEX_LOG_LEVEL decides how much', async () => {
  const said = async (level: string) =>
    (await logOf({ MYRMEX_LOG_LEVEL: level })).lines
      .filter(({ tool }) => tool === 'demo.says')
      .map(({ level }) => level)
  expect(await said('debug')).toEqual(['debug', 'warn', 'info'])
  expect(await said('silent')).toEqual([])
})
