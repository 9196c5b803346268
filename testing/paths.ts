/** Where tests find the checkout, the `myrmex` command and the fixtures, wherever the test itself is. */
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
export const CLI = join(ROOT, 'packages/myrmex/bin/myrmex.js')

/** The path of a file in testing/fixtures. */
export const fixturePath = (name: string): string => join(import.meta.dirname, 'fixtures', name)
