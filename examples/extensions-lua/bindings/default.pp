bindings default {
  bind Integer, 'first port' to 20000
  bind Integer, 'port of the shop' to producer 'PortProducer' { producer_args => { service => 'shop' } }

  multibind Hash[Array[String]], 'contacts' as 'all_contacts' { combinator => Type[Together] }

  bind 'hosts' to net::hosts(['a', 'b']) |$name, $address| { "${net::host($name)} ${address}" }
  bind 'database' to Sql[?? rack == $facts['rack']] { select_result => |$found| { $found[0]['certname'] } }
}
