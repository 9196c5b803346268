/**
 * A task may take hours, so the deadline of its call is paused while the host follows it.
 *
 * Attacker: an upstream server over the wire
 * Attack: answers every call with a task that never ends, although it declares no tasks, so that calls stay open for ever.
 * Stopped by: a task is followed only if the upstream declares the tasks extension. Otherwise the call fails at once.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'
import { openHost } from '../../packages/myrmex/src/host/host.ts'

test.each(['legacy', 'modern'])('a task of a %s server that declares none ends its call', async (era) => {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-attack-'))
  const tools = [
    {
      name: 'task',
      description: 'Takes for ever.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    },
  ]
  writeFileSync(join(folder, 'shape.json'), JSON.stringify({ tools }))
  const args = [fixturePath('host/scripted-upstream.mjs'), era]
  const endpoint = { where: 'child', command: process.execPath, args, env: { FOLDER: folder }, cwd: folder } as const
  const host = await openHost({ settings: [serverSettings('slow', endpoint)] })
  onTestFinished(async () => {
    await host.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const client = await rawClient(host.server, { era: 'legacy' })
  expect(await client.request('tools/call', { name: 'slow.task', arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { error_type: 'ToolExecutionError', error_message: expect.stringContaining('does not declare') },
  })
})
