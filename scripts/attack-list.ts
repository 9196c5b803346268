/**
 * `npm run attacks`: writes the list of attacks in SECURITY.md from the heads of the tests under test/attacks. With `--check` it writes
 * nothing and exits 1 if the list is out of date; `npm run check` does that.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { AttackHeadError, attacksOf, attackTable, withAttacks } from './attack-heads.ts'

const ROOT = join(import.meta.dirname, '..')
const PAGE = join(ROOT, 'SECURITY.md')

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

function listAttacks(): void {
  const files = globSync('test/attacks/**/*.test.ts', { cwd: ROOT }).sort()
  const attacks = files.flatMap((file) => attacksOf(file, readFileSync(join(ROOT, file), 'utf8')))
  const page = readFileSync(PAGE, 'utf8')
  const next = withAttacks(page, attackTable(attacks))
  if (values.check && next !== page) {
    process.stdout.write('The list of attacks in SECURITY.md is out of date. Run `npm run attacks`.\n')
    process.exitCode = 1
    return
  }
  if (!values.check) writeFileSync(PAGE, next)
  process.stdout.write(`${attacks.length} attacks in ${files.length} test files\n`)
}

try {
  listAttacks()
} catch (thrown) {
  if (!(thrown instanceof AttackHeadError)) throw thrown
  process.stdout.write(`${thrown.message}\n`)
  process.exitCode = 1
}
