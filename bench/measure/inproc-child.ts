// The child of the in-process measurement: loads one engine by its `connectInProcess`, keeps 64 calls in flight
// through it, checks every answer, and reports each round to its parent.
import process from 'node:process'
import { checkParsed, WrongAnswer } from './check-answer.ts'
import { callMessage, initializedMessage, initializeMessage } from './messages.ts'
import { obeyOrders } from './ordered-child.ts'
import type { Runner } from './rounds.ts'

/** What each engine's adapter gives: messages go in, and come back as they are or as a promise. */
export type InProcessPeer = { send: (message: object) => unknown; notify: (message: object) => unknown }

const inFlight = 64
let nextId = 1

function runnerFor(peer: InProcessPeer): Runner {
  return (calls) => {
    const firstId = nextId
    nextId += calls
    let sent = 0
    // A message is made when its turn comes: a round of them made before would cost more, in garbage collection. Each
    // lane waits even where the answer is there at once, so that all engines really have 64 calls in flight.
    const lane = async () => {
      while (sent < calls) {
        const id = firstId + sent++
        quickCheck(await peer.send(callMessage(id)), id)
      }
    }
    return async () => {
      await Promise.all(Array.from({ length: inFlight }, lane))
    }
  }
}

type Answer = {
  id?: number
  result?: { isError?: boolean; structuredContent?: { sum?: number }; content?: { text?: string }[] }
}

function quickCheck(reply: unknown, id: number): void {
  const { id: answered, result } = reply as Answer
  const sum = 3 * id + 1
  const right = result?.structuredContent?.sum === sum && result.content?.[0]?.text === `{"sum":${sum}}`
  if (answered === id && right && !result.isError) return
  if (checkParsed(reply as object, 'add') !== id) throw new WrongAnswer(`an answer to another call than ${id}`)
}

await obeyOrders(async () => {
  const { connectInProcess }: { connectInProcess: () => Promise<InProcessPeer> } = await import(process.argv[2] ?? '')
  const peer = await connectInProcess()
  const opened = (await peer.send(initializeMessage)) as { result?: unknown }
  if (opened.result === undefined) throw new WrongAnswer(`initialize was refused: ${JSON.stringify(opened)}`)
  await peer.notify(initializedMessage)
  const runner = runnerFor(peer)
  await runner(1)()
  return { runner }
})
