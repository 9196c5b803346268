/** Attempts to read what is outside the base, or is no file. Each runs in the way of Linux and, as far as Linux can show it, of macOS. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type ReadFile, serve, temporaryFolder } from './call-tool.ts'

const SECRET = 'the secret outside'

describe.each(['linux', 'darwin'])('on %s', (platform) => {
  const top = temporaryFolder(afterAll)
  const base = join(top, 'base')
  let read: ReadFile

  beforeAll(async () => {
    mkdirSync(join(base, 'sub/deep'), { recursive: true })
    mkdirSync(join(top, 'base-two'))
    mkdirSync(join(top, 'out'))
    writeFileSync(join(top, 'out/secret'), SECRET)
    writeFileSync(join(top, 'base-two/secret'), SECRET)
    writeFileSync(join(base, 'inside'), 'inside')
    writeFileSync(join(base, 'sub/file'), 'in sub')
    read = await serve(base, platform)
  })

  const content = async (file_path: string): Promise<string | undefined> =>
    (await read({ file_path })).data?.file_content

  /** Refused, whether or not the target exists, in the same words, which hold nothing of the machine. */
  const refused = async (file_path: string): Promise<string> => {
    const { error } = await read({ file_path })
    expect(error?.error_type, file_path).toBe('PermissionError')
    expect(error?.error_details).toEqual({ path_attempted: file_path })
    expect(error?.error_message).not.toContain(top)
    return error?.error_message as string
  }

  test('paths that stay inside are read, however they are written', async () => {
    for (const path of ['inside', './inside', 'sub/../inside', 'sub/deep/../../inside', '/./inside'.slice(1)]) {
      expect(await content(path), path).toBe('inside')
    }
    expect(await content(join(base, 'inside'))).toBe('inside')
    expect(await content(`${base}//sub/./file`)).toBe('in sub')
  })

  test('.. and absolute paths do not lead out, and do not tell what is there', async () => {
    const there = ['../out/secret', `${top}/out/secret`, '/etc/passwd', '../base-two/secret', `${base}-two/secret`]
    const absent = ['../out/nothing', `${top}/out/nothing`, '/no/such', 'absent/../../out/secret', 'inside/../../x']
    const odd = ['..', '/', '../base/inside', `${base}/../base/inside`, `${base}/../out/secret`, 'sub/../../out/secret']
    const said = new Set<string>()
    for (const path of [...there, ...absent, ...odd]) said.add(await refused(path))
    expect(said.size).toBe(1)
  })

  test('a NUL byte does not cut the path', async () => {
    for (const path of ['inside\0', 'inside\0.txt', '\0', `${base}/inside\0`]) await refused(path)
  })

  test('links that stay inside are followed, as files and as directories on the way', async () => {
    symlinkSync('inside', join(base, 'to-file'))
    symlinkSync('../inside', join(base, 'sub/up'))
    symlinkSync('sub/', join(base, 'to-sub'))
    symlinkSync(join(base, 'sub'), join(base, 'absolute'))
    symlinkSync('to-sub/../absolute/deep/../up', join(base, 'long-way'))
    for (const path of ['to-file', 'sub/up', 'to-sub/up', 'long-way']) expect(await content(path), path).toBe('inside')
    for (const path of ['to-sub/file', 'absolute/file']) expect(await content(path), path).toBe('in sub')
  })

  test('links that lead out are refused, whether or not they lead to something', async () => {
    const targets = [
      '../out/secret',
      '../out/nothing',
      `${top}/out/secret`,
      `${top}/nothing`,
      '/etc/passwd',
      '/proc/self/environ',
      '/dev/zero',
      '/dev/stdin',
    ]
    const said = new Set<string>()
    for (const [i, target] of targets.entries()) {
      symlinkSync(target, join(base, `link${i}`))
      symlinkSync(`link${i}`, join(base, `again${i}`))
      said.add(await refused(`link${i}`)).add(await refused(`again${i}`))
    }
    symlinkSync('../out', join(base, 'dir'))
    symlinkSync(top, join(base, 'sub/top'))
    symlinkSync('nowhere/../../out', join(base, 'none'))
    for (const path of ['dir/secret', 'dir/nothing', 'sub/top/out/secret', 'sub/top/base/inside']) {
      said.add(await refused(path))
    }
    expect(said.size).toBe(1)
    expect((await read({ file_path: 'none/secret' })).error?.error_type).toBe('FileNotFoundError')
  })

  test('loops of links, broken links and endless ways end', async () => {
    symlinkSync('loop', join(base, 'loop'))
    symlinkSync('b', join(base, 'a'))
    symlinkSync('a/a', join(base, 'b'))
    symlinkSync('.', join(base, 'self'))
    symlinkSync('absent', join(base, 'broken'))
    const ways = ['loop', 'a', 'a/x', 'broken', 'self/'.repeat(300), 'sub/../'.repeat(300)]
    for (const file_path of ways) {
      expect((await read({ file_path })).error?.error_type, file_path.slice(0, 20)).toMatch(/FileNotFound|Permission/)
    }
    expect(await content(`${'self/'.repeat(50)}inside`)).toBe('inside')
  })

  test('a directory, a pipe, a socket: no regular file, and nothing waits', async () => {
    execFileSync('mkfifo', [join(base, 'pipe')])
    symlinkSync('pipe', join(base, 'to-pipe'))
    const server = createServer().listen(join(base, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    for (const path of ['sub', 'sub/', '.', './', base, 'pipe', 'to-pipe', 'socket']) {
      expect(await refused(path), path).toMatch(/no regular file/)
    }
  })

  test('a device is not opened even where the base allows the path', async () => {
    const readAll = await serve('/', platform)
    for (const file_path of ['/dev/zero', 'dev/null', '/dev/tty']) {
      expect((await readAll({ file_path, max_chars: 1 })).error?.error_type, file_path).toBe('PermissionError')
    }
    expect((await readAll({ file_path: join(base, 'inside') })).data?.file_content).toBe('inside')
  })

  test('the base may be given by another name, and be called by both', async () => {
    const alias = join(top, 'alias')
    symlinkSync(base, alias)
    const readByAlias = await serve(alias, platform)
    for (const file_path of ['inside', join(base, 'inside'), join(alias, 'inside')]) {
      expect((await readByAlias({ file_path })).data?.file_content, file_path).toBe('inside')
    }
    for (const file_path of [`${alias}/../out/secret`, `${alias}/../base/inside`, `${top}/ali/inside`]) {
      expect((await readByAlias({ file_path })).error?.error_type, file_path).toBe('PermissionError')
    }
  })

  test('no descriptor is left behind, whatever the outcome', async () => {
    symlinkSync('../out/secret', join(base, 'link'))
    symlinkSync('inside', join(base, 'good'))
    const open = (): number => readdirSync('/proc/self/fd').length
    const ways = ['good', 'link', 'sub', 'absent', 'sub/deep/absent', 'inside/x', 'sub/../inside', '/etc/passwd', '']
    const before = open()
    await Promise.all(Array.from({ length: 20 }, () => ways.map((file_path) => read({ file_path }))).flat())
    expect(open()).toBe(before)
  })
})
