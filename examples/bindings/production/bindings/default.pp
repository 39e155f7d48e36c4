bindings default {
  # The module has a colour of its own; the site wants another one.
  bind 'motd::color' to 'green'

  # A module asks for it.
  bind 'accounts::mail_domain' to 'example.com'

  when datacenter ams {
    bind parameters ntp to { servers => ['ntp1.ams.example.com', 'ntp2.ams.example.com'] }
  }
  when datacenter fra and virtual false {
    bind parameters ntp to { servers => ['ntp.fra.example.com'], hardware_clock => true }
  }

  when node 'web01.example.com' {
    bind 'carol' to { uid => 1003, groups => ['web'] } in 'accounts::users'
    include debugging
  }
  when role web { include web::logs }
}
