// Installs what others wrote when it is not there in the versions that its folder's package.json asks for: the peers of our server
// into bench/peers, the gateways beside our host into bench/gateways. Neither is part of the workspace: nobody who installs Myrmex or
// runs its tests pays for them.
import { askedVersions, installFolder } from '@myrmex/testing/installed-folder'

/** Two, because the gateways bring other versions of what the peers use. */
export type PeerFolder = 'peers' | 'gateways'

const folderOf = (folder: PeerFolder): URL => new URL(`${folder}/`, import.meta.url)

export const installPeers = (folder: PeerFolder, log: (line: string) => void): void =>
  installFolder(folderOf(folder), (line) => log(`${folder}: ${line}`))

export const peerVersions = (folder: PeerFolder): Record<string, string> => askedVersions(folderOf(folder))
