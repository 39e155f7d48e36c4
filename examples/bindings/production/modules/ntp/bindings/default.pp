bindings ntp::default {
  bind parameters ntp to { servers => ['0.pool.ntp.org', '1.pool.ntp.org'], enable => true, hardware_clock => false }
}
