/**
 * `npm run test:fuzz`: a million hostile messages. `--messages N` sends another number, `--seed S` repeats an earlier run, `--target NAME` runs one target (can be
 * repeated), and `--case N` (with `--seed` and `--target`) one case. Exits 1 if anything crashed, hung for more than a second, was answered wrongly
 * or not at all, or if memory grew.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type Failure, fuzz, unknownTargets } from './fuzz.ts'
import { fuzzTable } from './report.ts'
import { TARGETS } from './targets.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    target: { type: 'string', multiple: true },
    case: { type: 'string' },
  },
})

function whole(name: 'messages' | 'seed' | 'case'): number {
  const given = Number(values[name])
  if (!Number.isInteger(given) || given < 0) throw new Error(`--${name} must be a whole number, not ${values[name]}`)
  return given
}

const unknown = unknownTargets(values.target)
if (unknown.length > 0)
  throw new Error(`Unknown target ${unknown.join(', ')}. Targets: ${TARGETS.map(({ name }) => name).join(', ')}.`)

const seed = whole('seed')
const one = values.case === undefined ? {} : { from: whole('case'), to: whole('case') }
print(`seed ${seed}`)
const started = performance.now()
const results = await fuzz({
  seed,
  messages: whole('messages'),
  parallel: Math.min(2, availableParallelism()),
  ...(values.target && { only: values.target }),
  ...one,
})
print(fuzzTable(results))

const shownFailure = ({ target, what, case: number, why, input }: Failure): string =>
  `${what} in ${target}, case ${number}: ${why}\n${input}\nRepeat it: npm run test:fuzz -- --seed ${seed} --target '${target}' --case ${number}\n`

const failures = results.flatMap((result) => result.failures)
for (const failure of failures) print(shownFailure(failure))
const sent = results.reduce((sum, { stats }) => sum + (stats?.messages ?? 0), 0)
print(
  `fuzz: ${sent.toLocaleString('en')} messages in ${((performance.now() - started) / 1000).toFixed(0)} s, ${failures.length} failures`,
)
process.exitCode = failures.length === 0 ? 0 : 1
