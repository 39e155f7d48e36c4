# Variables that are assigned here stay visible in all bindings.
$datacenter = $facts['networking']['ip'] ? {
  /^10\.1\./ => 'ams',
  /^10\.2\./ => 'fra',
  default    => undef,
}

site {
  # The first is the strongest. A category whose value is undef is not in effect.
  categories {
    node        => $facts['networking']['fqdn']
    role        => $role
    environment => true
    datacenter  => $datacenter
    virtual     => $facts['is_virtual']
  }

  # The first layer is the highest.
  bindings => [
    layer { 'site':    include => 'confdir:/default' },
    layer { 'enc':     include => 'enc:' },
    layer { 'data':    include => 'hiera:?variables=site::variables' },
    layer { 'modules': include => 'module:/*::default' },
  ]
}
