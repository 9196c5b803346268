// The limit on stdio: what Node itself costs. Lines in, JSON.parse, the tool, JSON.stringify, and one write for all
// the answers of one chunk. It knows no protocol, no schema and no errors; nobody should serve with it.
import process from 'node:process'
import { answerTo, type Call } from './bare-answer.ts'

let rest = ''
process.stdin.setEncoding('utf8')
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  let out = ''
  for (const line of lines) {
    if (line === '') continue
    const call: Call = JSON.parse(line)
    if (call.id !== undefined) out += `${JSON.stringify(answerTo(call))}\n`
  }
  if (out !== '') process.stdout.write(out)
})
