/** The configuration of the host whose users a command is about. */
import { join } from 'node:path'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { folderOfWorkingDirectory } from '../../serve/command-folder.ts'

export const configFile = (given: string | undefined): string =>
  given ?? join(folderOfWorkingDirectory() ?? '', HOST_FILE)
