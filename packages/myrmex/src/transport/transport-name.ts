/**
 * The transports, as audit records, traces and metrics name them. A new transport adds its name here. The server and the
 * pipeline are below the transports and take any name.
 */
export type TransportName = 'direct' | 'stdio' | 'http'
