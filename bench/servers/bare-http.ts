// The limit on HTTP: node:http, a body read whole, JSON.parse, the tool, JSON.stringify. No header is looked at.
import { createServer } from 'node:http'
import process from 'node:process'
import { answerTo } from './bare-answer.ts'

const port = Number(process.argv[process.argv.indexOf('--http') + 1])

createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.from(JSON.stringify(answerTo(JSON.parse(Buffer.concat(chunks).toString()))))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
}).listen(port, '127.0.0.1')
