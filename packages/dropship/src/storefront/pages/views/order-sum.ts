/** What is being ordered and what it comes to, as Liquid: beside the address and beside the payment. The section is left open. */
export const ORDER_SUM = `<section class="sum" aria-labelledby="sum">
<h2 id="sum">What you order</h2>
<ul>
{%- for line in lines %}
<li><span>{{ line.quantity }} × {{ line.title }}</span> <span>{{ line.total }}</span></li>
{%- endfor %}
</ul>
<p class="sum-total"><span>Total with delivery</span> <strong>{{ total }}</strong></p>`
