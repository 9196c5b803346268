/** What is wrong with the details of an error, by the schema that one of these tools declares for it. */
import type { ErrorDetail, Tool } from 'myrmex'

export function detailFaults(tools: readonly Tool[], error: ErrorDetail | null): string[] {
  const type = error?.error_type ?? ''
  const schemas = tools.flatMap(({ errorDetails }) => (Object.hasOwn(errorDetails, type) ? [errorDetails[type]] : []))
  return schemas.flatMap((schema) => {
    const parsed = schema?.parse(error?.error_details ?? null)
    return parsed?.success === false ? parsed.issues.map(({ path, message }) => `${type}${path}: ${message}`) : []
  })
}
