/**
 * Attacker: another local user
 * Attack: puts `node_modules/pg` or `node_modules/ai` into a folder above the installation, such as `/tmp`, where Node finds it if it is not installed.
 * Stopped by: a package that is not installed with Myrmex is loaded only if this user and root alone can change it.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { foreignPackage } from '../../packages/myrmex/src/ledger/optional-packages.ts'

let shared: string
let installed: string
beforeEach(() => {
  shared = mkdtempSync(join(process.cwd(), 'shared-'))
  installed = join(shared, 'project/node_modules/myrmex')
  mkdirSync(installed, { recursive: true })
  return () => rmSync(shared, { recursive: true, force: true })
})

/** `mode` is that of the folder in which the package is. */
function putPackage(modules: string, mode: number): string {
  const folder = join(modules, 'pg')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "pg" }')
  chmodSync(modules, mode)
  return folder
}

test('a package that another user can change above the installation is refused', () => {
  const planted = putPackage(join(shared, 'node_modules'), 0o777)
  expect(foreignPackage('pg', installed)).toBe(planted)
})

test('a link to our package beside it does not make it one of the installation', () => {
  const planted = putPackage(join(shared, 'node_modules'), 0o777)
  symlinkSync(installed, join(shared, 'node_modules/myrmex'))
  expect(foreignPackage('pg', installed)).toBe(planted)
})

test('what is installed with Myrmex is loaded, and so is what only this user can change', () => {
  expect(foreignPackage('pg', installed)).toBeUndefined()
  putPackage(join(shared, 'node_modules'), 0o755)
  expect(foreignPackage('pg', installed)).toBeUndefined()
  putPackage(join(shared, 'project/node_modules'), 0o777)
  expect(foreignPackage('pg', installed)).toBeUndefined()
})
