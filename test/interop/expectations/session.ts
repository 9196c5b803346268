/** A connected client and the user in front of it, as the expectations of this folder find it. */
import type { ClientConnection, ElicitAnswer, Era } from '../clients/peer.ts'

export interface Session {
  readonly era: Era
  /** there once the tests run */
  client: ClientConnection
  /** what the user answers next */
  answer: ElicitAnswer
  /** what the user was asked so far */
  readonly asked: string[]
}

export const sessionOf = (era: Era): Session => ({
  era,
  client: undefined as unknown as ClientConnection,
  answer: { action: 'cancel' },
  asked: [],
})
