/** The host that runs on a configuration, from the file that it keeps while it listens. */
import { type ApiFile, readApiFile } from '../../host/api/api-file.ts'
import { ToolError } from '../../protocol/errors.ts'

export const START_HINT = 'Start one with: npx myrmex host --http 7350'

export const unavailable = (message: string): ToolError => ToolError.of('UnavailableError', message)

/** Throws UnavailableError. */
export async function runningHost(folder: string): Promise<ApiFile> {
  const file = await readApiFile(folder)
  if (file === undefined)
    throw unavailable(
      `No host is listening: there is no api.json in ${folder}. A host on stdio, which a client starts, has none. ${START_HINT}`,
    )
  // A killed host leaves its file behind, and its token must not be sent to another program on its port.
  if (!isAlive(file.pid))
    throw unavailable(`No host is running: process ${file.pid} of ${folder} has ended. ${START_HINT}`)
  return file
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
