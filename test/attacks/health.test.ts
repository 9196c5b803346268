/**
 * Attacker: write access to the store without the key
 * Attack: makes the ledger unusable while `/healthz` says ok and every call is rejected.
 * Stopped by: `/healthz` answers 503 with a reason while calls are rejected for that, and 200 again afterwards.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { call, countedTool, eventually, serve, stopWriting, writeAgain } from '@myrmex/testing/gated-server'
import { post, send } from '@myrmex/testing/http-server'
import { fixturePath } from '@myrmex/testing/paths'
import { serveProcess } from '@myrmex/testing/served-process'
import { listenHttp } from 'myrmex'
import { describe, expect, onTestFinished, test } from 'vitest'

const FAILING = { status: 503, json: { status: 'failing', reason: expect.stringContaining('cannot write') } }

describe('The server says that it is well while every call is rejected', () => {
  test('because its journal was changed under it: a real process', async () => {
    const served = await serveProcess([fixturePath('attacked-tools.ts')])
    const health = () => send(`${served.origin}/healthz`, 'GET')
    const callOnce = () => post(`${served.origin}/call`, { tool_name: 'attacked.zod', arguments: { list: [] } })
    expect((await callOnce()).json.status).toBe('success')
    expect(await health()).toMatchObject({ status: 200, json: { status: 'ok' } })
    const segments = readdirSync(served.file.journal).filter((name) => name.endsWith('.jsonl'))
    expect(segments).not.toEqual([])
    for (const segment of segments) rmSync(join(served.file.journal, segment))
    await eventually(async () => expect((await callOnce()).json.error?.error_type).toBe('UnavailableError'))
    await eventually(async () => expect(await health()).toMatchObject(FAILING))
    expect((await health()).headers['retry-after']).toBe('1')
  })

  test('because its database cannot be written, and says ok again when it can', async () => {
    const { server, ledger } = await serve([countedTool('shop.look')])
    const listening = await listenHttp(server)
    onTestFinished(() => listening.close())
    const health = () => send(`http://127.0.0.1:${listening.port}/healthz`, 'GET')
    expect((await health()).status).toBe(200)
    stopWriting(ledger)
    expect((await call(server, 'shop.look')).error?.error_type).toBe('UnavailableError')
    await eventually(async () => expect(await health()).toMatchObject(FAILING))
    writeAgain(ledger)
    await eventually(async () => expect((await health()).status).toBe(200))
    expect((await call(server, 'shop.look')).status).toBe('success')
  })

  test('because its database is closed', async () => {
    const { server, ledger } = await serve([countedTool('shop.look')])
    const listening = await listenHttp(server)
    onTestFinished(() => listening.close())
    await ledger.close()
    const { status, json } = await send(`http://127.0.0.1:${listening.port}/healthz`, 'GET')
    expect([status, json.reason]).toEqual([503, expect.stringContaining('cannot be reached')])
  })
})
