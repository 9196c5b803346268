/** `npm pack` and `npm publish` in the folder of a package: what they pack is built, and the checkout is afterwards as it was before. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { copyRepository, npmEnv, PACKAGES, type RepositoryCopy } from '@myrmex/testing/published/repository-copy'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const run = promisify(execFile)
/** A pack takes ten seconds on an idle machine. */
const WAIT = { timeout: 240_000, interval: 5 }
vi.setConfig({ testTimeout: 600_000 })

let copy: RepositoryCopy
let destination: string
let before: Readonly<Record<string, string>>
beforeAll(async () => {
  copy = await copyRepository()
  destination = await mkdtemp(join(tmpdir(), 'myrmex-packed-'))
  before = await copy.contents()
})
afterAll(async () => {
  await copy.remove()
  await rm(destination, { recursive: true, force: true })
})

const packedManifest = async (filename: string) => {
  const { stdout } = await run('tar', ['xzOf', join(destination, filename), 'package/package.json'])
  return JSON.parse(stdout)
}
const manifestOf = async (folder: string) => JSON.parse((await copy.contents())[`${folder}/package.json`] ?? '')

test.each(PACKAGES)('npm pack in %s packs built files and changes nothing', async (folder) => {
  const { filename } = await copy.pack(folder, destination)
  const manifest = await packedManifest(filename)
  expect(manifest.exports['.']).toEqual({ types: './dist/index.d.ts', default: './dist/index.js' })
  expect(manifest).not.toHaveProperty('scripts')
  expect(manifest).not.toHaveProperty('devDependencies')
  expect(await copy.contents()).toEqual(before)
})

test('npm pack --workspace does the same from the root', async () => {
  const args = ['pack', '--workspace', 'myrmex', '--workspace', 'myrmex-dropship', '--pack-destination', destination]
  await run('npm', args, { cwd: copy.root, env: npmEnv })
  for (const name of ['myrmex', 'myrmex-dropship'])
    expect((await packedManifest(`${name}-0.1.0.tgz`)).exports['.'].default).toBe('./dist/index.js')
  expect(await copy.contents()).toEqual(before)
})

test('npm publish sends the registry the published manifest, and changes nothing', async () => {
  const sent = Promise.withResolvers<string>()
  const registry = createServer(async (request, response) => {
    if (request.method === 'PUT') sent.resolve(await text(request))
    response.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const address = `//127.0.0.1:${(registry.address() as AddressInfo).port}/`
  const args = ['publish', `--registry=http:${address}`, `--${address}:_authToken=none`]
  await run('npm', args, { cwd: join(copy.root, 'packages/dropship'), env: npmEnv })
  const { versions } = JSON.parse(await sent.promise)
  expect(versions['0.1.0'].exports['.'].default).toBe('./dist/index.js')
  await expect.poll(() => copy.contents(), WAIT).toEqual(before)
  registry.close()
})

test('a pack that is killed leaves the checkout as it was, and the next one is right', async () => {
  const folder = 'packages/dropship'
  const child = spawn('npm', ['pack', '--pack-destination', destination], {
    cwd: join(copy.root, folder),
    env: npmEnv,
    stdio: 'ignore',
  })
  await expect.poll(async () => typeof (await manifestOf(folder)).exports['.'], WAIT).toBe('object')
  child.kill('SIGKILL')
  await expect.poll(() => copy.contents(), WAIT).toEqual(before)
  const { filename } = await copy.pack(folder, destination)
  expect((await packedManifest(filename)).exports['.'].default).toBe('./dist/index.js')
  expect(await copy.contents()).toEqual(before)
})

test('a second pack of the same package is refused while the first runs', async () => {
  const cwd = join(copy.root, 'packages/dropship')
  const first = run('npm', ['pack', '--pack-destination', destination], { cwd, env: npmEnv })
  await expect
    .poll(async () => Object.keys(await copy.contents()).some((name) => name.endsWith('npm.pid')), WAIT)
    .toBe(true)
  await expect(run('npm', ['pack', '--pack-destination', destination], { cwd, env: npmEnv })).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /npm is packing .*packages\/dropship already, in process \d+\. Try again when it is done\./,
    ),
  })
  await first
  expect(await copy.contents()).toEqual(before)
})
