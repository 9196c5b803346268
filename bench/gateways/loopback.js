// Loaded before a gateway that has no option for its address: what listens on a port of every interface listens on loopback instead.
// It runs once, when the server starts to listen; no call comes through here.
import { Server } from 'node:net'

const { listen } = Server.prototype

Server.prototype.listen = function (port, ...rest) {
  return typeof port === 'number' || typeof port === 'string'
    ? listen.call(this, { port: Number(port), host: '127.0.0.1' }, ...rest.filter((one) => typeof one === 'function'))
    : listen.call(this, port, ...rest)
}
