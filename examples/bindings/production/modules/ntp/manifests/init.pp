class ntp (Array $servers = [], Boolean $enable = true, Boolean $hardware_clock = false, Integer $panic = 1000) {
}
