/** Sessions in this process, of each era: parsed messages in, objects out. A session gets a few hundred messages, then closes. */
import { connectDirect, type DirectConnection } from 'myrmex'
import { checkOwnMessage, checkReply, dueAnswer, hasListen, shown } from '../check-reply.ts'
import { hostileText } from '../generate/hostile-message.ts'
import { type Era, INITIALIZE, toRequest } from '../generate/valid-messages.ts'
import { OwnTime, type RunningTarget, randomOf, type Target, type TargetOptions } from '../target.ts'
import { openFuzzedServer } from './fuzzed-server.ts'

const MESSAGES_PER_SESSION = 250
const BATCH_REVISION = '2025-03-26'
const ANSWER = { action: 'accept', content: { name: 'Ada' } }

export const sessionTarget = (era: Era, share: number): Target => ({
  name: `session ${era}`,
  share,
  open: (options) => openSession(era, options),
})

async function openSession(era: Era, options: TargetOptions): Promise<RunningTarget> {
  const fuzzed = await openFuzzedServer(options.folder)
  const revisions = ['2025-11-25', BATCH_REVISION, '2024-11-05']
  let revision = ''
  let connection: DirectConnection | undefined
  let used = 0

  const connect = async (number: number): Promise<DirectConnection> => {
    const opened = connectDirect(fuzzed.server, (message) => {
      checkOwnMessage(message)
      if (!('id' in message) || message.id === undefined) return
      // A question of a tool: a hostile answer first, then one that ends the call.
      const { id } = message
      const hostile = parsed(hostileText(era, randomOf('answer', options, number), number))
      if (typeof hostile === 'object') opened.send({ jsonrpc: '2.0', id, result: hostile })
      opened.send({ jsonrpc: '2.0', id, result: ANSWER })
    })
    if (era === 'legacy') {
      revision = revisions[Math.floor(number / MESSAGES_PER_SESSION) % revisions.length] as string
      await opened.send(toRequest('init', INITIALIZE(revision), 'legacy'))
    }
    return opened
  }

  const textOf = (number: number): string => hostileText(era, randomOf(`session ${era}`, options, number), number)
  const own = new OwnTime()
  return {
    own,
    async run(number) {
      if (used++ % MESSAGES_PER_SESSION === 0) {
        connection?.close()
        connection = undefined
      }
      connection ??= await connect(number)
      const message = own.of(() => parsed(textOf(number)))
      const due = dueAnswer(message, era === 'legacy' && revision === BATCH_REVISION)
      const reply = connection.send(message)
      if (hasListen(message) && reply instanceof Promise) {
        // It stays open until the session ends.
        reply.catch(() => {})
      } else {
        const answer = reply instanceof Promise ? await reply : reply
        // First, because its stack says more than the error that the caller got.
        fuzzed.assertNoFault()
        checkReply(due, answer)
      }
      return 1
    },
    describe: (number) => shown(textOf(number)),
    async close() {
      connection?.close()
      await fuzzed.close()
    },
  }
}

const parsed = (text: string): unknown => JSON.parse(text)
