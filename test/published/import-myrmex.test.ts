/** `import 'myrmex'` is cheap: it loads Zod, which every tool file loads anyway, and no other library but one small function. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '@myrmex/testing/paths'
import { copyRepository } from '@myrmex/testing/published/repository-copy'
import { ENFORCED } from '@myrmex/testing/time-limit'
import { expect, test } from 'vitest'

const run = promisify(execFile)

test("import 'myrmex' loads no library but zod and fastest-levenshtein", async () => {
  const code = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    await import('myrmex')
    process.stdout.write(JSON.stringify(urls))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT })
  const urls = JSON.parse(stdout) as string[]
  expect(urls.some((url) => url.endsWith('/packages/myrmex/src/server/server.ts'))).toBe(true)
  const libraries = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? [])
  expect(new Set(libraries)).toEqual(new Set(['zod', 'fastest-levenshtein']))
})

const LIMIT_MS = 150
const TRIES = 10

// Of the published form: in the checkout, Node removes the types of every file first.
test.runIf(ENFORCED)(`import 'myrmex' takes at most ${LIMIT_MS} ms`, async () => {
  const copy = await copyRepository()
  const folder = join(copy.root, 'packages/myrmex')
  await run(process.execPath, [join(copy.root, 'scripts/build.ts')])
  const code = `
    const before = performance.now()
    await import(${JSON.stringify(join(folder, 'dist/index.js'))})
    process.stdout.write(String(performance.now() - before))`
  const times: number[] = []
  for (let left = TRIES; left > 0; left--)
    times.push(Number((await run(process.execPath, ['--input-type=module', '-e', code])).stdout))
  await copy.remove()
  expect(Math.min(...times)).toBeLessThanOrEqual(LIMIT_MS)
})
