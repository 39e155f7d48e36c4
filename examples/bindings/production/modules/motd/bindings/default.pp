bindings motd::default {
  bind 'motd::color' to 'blue'
  bind 'motd::text' to @("END")
    Welcome to ${facts['networking']['fqdn']}.
    | END
}
