/** The payment step. It takes no money, and says so. */
import { ORDER_SUM } from './parts.ts'

export const payment = `<h1>Test payment</h1>
<ol class="steps">
<li>Address</li>
<li aria-current="step">Test payment</li>
<li>Done</li>
</ol>
<div class="halves">
<div>
<p class="notice"><strong>No money moves.</strong> This is a test payment: no card is needed, nothing is charged, and no payment provider is involved. The order itself is real in this shop, and its stock is reserved for you.</p>
<form method="post" action="/shop/pay">
<input type="hidden" name="slip" value="{{ slip }}">
{%- for field in fields %}
<input type="hidden" name="{{ field.name }}" value="{{ field.value }}">
{%- endfor %}
<button class="button" type="submit">Pay {{ total }} as a test and order</button>
<button class="plain" type="submit" formaction="/shop/order" name="do" value="edit">Change the address</button>
</form>
</div>
${ORDER_SUM}
<h3>Delivery address</h3>
<address>{% for part in address %}{{ part }}{% unless forloop.last %}<br>{% endunless %}{% endfor %}</address>
</section>
</div>
`
