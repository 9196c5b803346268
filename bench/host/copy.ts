// The least that can stand between a client and a server on stdio: bytes in, the same bytes out. For the bench: what is slower
// than this is ours, what is not is the price of one more process.
import { spawn } from 'node:child_process'
import process from 'node:process'

const [command = '', ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.stdout.pipe(process.stdout)
child.once('exit', (code) => process.exit(code ?? 1))
