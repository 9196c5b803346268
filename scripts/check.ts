/**
 * `npm run check`: lint, types, documents, the lists of attacks and of statements, and the short conformance run, side by side because conformance mostly waits. The output of
 * each is printed in one piece, in this order. Exits 1 if any of them failed.
 */
import { spawn } from 'node:child_process'
import process from 'node:process'

const SCRIPTS = ['lint', 'types', 'spec', 'attacks -- --check', 'specification -- --check', 'conformance -- --short']

interface Ended {
  readonly script: string
  readonly printed: string
  readonly code: number | null
}

function run(script: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', ...script.split(' ')], { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    const take = (text: string): void => {
      printed += text
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.once('error', reject)
    child.once('close', (code) => resolve({ script, printed, code }))
  })
}

const ended = SCRIPTS.map(run)
for (const one of ended) {
  const { script, printed, code } = await one
  process.stdout.write(printed)
  if (code === 0) continue
  process.stdout.write(`npm run ${script} failed\n`)
  process.exitCode = 1
}
