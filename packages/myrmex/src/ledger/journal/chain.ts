/**
 * The chain of one process: records are written in groups, and the hash of a group covers its lines, its number and the hash
 * before it. A MAC under the ledger's key covers each hash, so nobody without the key can write a group that fits. Signatures
 * over hashes are for people who verify without the key.
 *
 * A journal has a chain for each process that ever wrote to it. Chains link to the heads of other chains (see mark.ts).
 */
import { crypto } from '../../protocol/builtin.ts'

/** The newest group of a chain and its hash. */
export interface ChainHead {
  readonly group: number
  readonly hash: string
}

/** Heads of other chains, by the id of the chain. */
export type ChainLinks = Readonly<Record<string, readonly [group: number, hash: string]>>

/** The head of a chain that has no groups yet. It binds the chain to its journal. */
export const genesis = (journal: string, chain: string): ChainHead => ({
  group: 0,
  hash: crypto.hash('sha256', `myrmex journal ${journal} chain ${chain}`, 'base64url'),
})

/** The hash of the group with these lines that follows `before`. */
export const groupHash = (before: ChainHead, lines: string): string =>
  crypto.hash('sha256', `${hashPrefix(before)}${lines}`, 'base64url')

/** What is hashed before the lines of the group that follows `before`. */
export const hashPrefix = ({ group, hash }: ChainHead): string => `${hash} ${group + 1}\n`

/** The head after a group with these lines. */
export const nextHead = (before: ChainHead, lines: string): ChainHead => ({
  group: before.group + 1,
  hash: groupHash(before, lines),
})

/** A group as it is stored: its lines, and a last line with its number and MAC. */
export const groupText = (group: number, lines: string, mac: string): string => `${lines}${groupEnd(group, mac)}`

/** The last line of a group. */
export const groupEnd = (group: number, mac: string): string => `{"group":${group},"mac":"${mac}"}\n`

/** How the last line of a group begins. No record and no entry begins so. */
export const GROUP_END = '{"group":'

/** The text that is signed for a head. Its first words keep it from being taken for another kind of signature. */
export const sealText = (journal: string, chain: string, { group, hash }: ChainHead): string =>
  `myrmex journal seal ${journal} ${chain} ${group} ${hash}`
