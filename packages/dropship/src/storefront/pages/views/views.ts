/** The shop's views, by name, as Liquid. All output is escaped. */
import { cart } from './cart.ts'
import { frame } from './frame.ts'
import { list } from './list.ts'
import { message } from './message.ts'
import { order } from './order.ts'
import { orderForm } from './order-form.ts'
import { payment } from './payment.ts'
import { policies } from './policies.ts'
import { product } from './product.ts'

export const views = { cart, frame, list, message, order, order_form: orderForm, payment, policies, product } as const
