/** Calls that do not go well: the caller reads why, and nothing that is none of its business. */
import { expect, test } from 'vitest'
import type { Session } from './session.ts'

export function expectFailures(session: Session): void {
  test('reads the declared error of a tool that fails', async () => {
    // Once a client knows the output schema it may hold even a failure against it.
    await session.client.tools()
    const result = await session.client.call('sell', { sku: 'CO-17' })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toEqual({
      error_type: 'OutOfStock',
      error_message: 'CO-17 is sold out',
      error_details: { sku: 'CO-17', left: 0 },
    })
    expect(result.content).toEqual([{ type: 'text', text: 'OutOfStock: CO-17 is sold out' }])
  })

  test('reads which of its arguments are wrong', async () => {
    const result = await session.client.call('order', { sku: 'nonsense', count: 0 })
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'SchemaError' } })
    const { error_details } = result.structuredContent as { error_details: { issues: { path: string }[] } }
    const paths = error_details.issues.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/sku', '/count', '/price', '/ship']))
  })

  test('learns nothing of what went wrong inside a tool that crashed', async () => {
    const result = await session.client.call('crash', {})
    expect(result).toMatchObject({ isError: true, structuredContent: { error_type: 'ToolExecutionError' } })
    expect(JSON.stringify(result)).not.toContain('hunter2')
  })

  test('reads the error of a tool whose output schema refers to itself', async () => {
    expect(await session.client.call('grow', { depth: 1 })).toMatchObject({
      structuredContent: { label: '1', branches: [{ label: '0', branches: [] }] },
    })
    expect(await session.client.call('grow', { depth: -1 })).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'Withered' },
    })
  })

  test('reads that a tool returned what JSON cannot hold, and goes on', async () => {
    expect(await session.client.call('knot', {})).toMatchObject({
      isError: true,
      structuredContent: { error_type: 'SerializationError' },
    })
    expect(await session.client.call('greet', { name: 'Ada' })).toMatchObject({ structuredContent: {} })
  })

  test('is refused a tool that does not exist, and told the nearest names', async () => {
    await expect(session.client.call('greeet', {})).rejects.toMatchObject({
      code: -32602,
      data: { error_type: 'ToolNotFoundError', nearest: expect.arrayContaining(['interop.greet']) },
    })
  })
}
