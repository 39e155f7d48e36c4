bindings accounts::default {
  # Who uses the module must say it.
  bind abstract String, 'accounts::mail_domain'

  # Anybody may add users.
  multibind Hash[Data], 'accounts::users'
  bind 'alice' to { uid => 1001, groups => ['admin'] } in 'accounts::users'
  bind 'bob' to { uid => 1002, groups => [] } in 'accounts::users'

  # Worked out when it is asked for.
  bind 'accounts::addresses' to inject('accounts::users').keys.map |$name| { "${name}@${inject('accounts::mail_domain')}" }
}
